import { writeFile } from 'node:fs/promises'
import { billOfMaterials } from './bill.ts'

/** `node packaging/bill-main.ts FILE` */
await writeFile(process.argv[2] ?? 'sbom.cdx.json', await billOfMaterials())
