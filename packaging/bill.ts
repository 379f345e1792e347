import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)

interface Lock {
  packages: Record<string, { dev?: boolean; optional?: boolean; devDependencies?: unknown }>
}

/**
 * The bill of materials (CycloneDX) of what is shipped. npm leaves out what a development package needs as well, unless none is
 * named: it gets manifests without them.
 */
export async function billOfMaterials(node = process.versions.node): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-bill-'))
  try {
    const { devDependencies: _, ...manifest } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    const lock: Lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
    for (const [path, entry] of Object.entries(lock.packages)) {
      if (entry.dev === true) delete lock.packages[path]
      delete entry.devDependencies
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const npm = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--sbom-type', 'application']
    const { stdout } = await run('npm', npm, { cwd: folder, maxBuffer: 1 << 26 })
    const bill = JSON.parse(stdout)
    const purl = `pkg:github/nodejs/node@v${node}`
    bill.components.push({ type: 'platform', name: 'node', version: node, 'bom-ref': purl, purl })
    return `${JSON.stringify(bill, null, 2)}\n`
  } finally {
    await rm(folder, { recursive: true })
  }
}
