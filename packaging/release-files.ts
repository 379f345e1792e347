import { hash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { notesOf } from './changelog.ts'

/**
 * `node packaging/release-files.ts FOLDER REPOSITORY`: beside the files of all processors, their checksums and the Homebrew
 * formula; and NOTES.md, what the changelog says of this version.
 */
const ROOT = join(import.meta.dirname, '..')

export async function formula(
  repository: string,
  version: string,
  sums: Readonly<Record<string, string>>,
): Promise<string> {
  const template = await readFile(join(ROOT, 'packaging/homebrew/enginebridge.rb'), 'utf8')
  const values: Readonly<Record<string, string>> = { repository, version, ...sums }
  return template.replaceAll(/@([a-z0-9]+)@/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the formula needs ${name}: is the archive of each processor there?`)
    return value
  })
}

/** Writes the checksums of a release's files beside them. */
export async function checksums(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('enginebridge')).sort()
  const sums = new Map<string, string>()
  for (const name of names) sums.set(name, hash('sha256', await readFile(join(folder, name))))
  await writeFile(join(folder, 'SHA256SUMS'), [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(''))
  return sums
}

async function main(folder: string, repository: string): Promise<void> {
  const { version } = manifest
  const sums = await checksums(folder)
  const archives: Record<string, string> = {}
  for (const arch of ['x64', 'arm64']) {
    const sum = sums.get(`enginebridge-${version}-linux-${arch}.tar.gz`)
    if (sum !== undefined) archives[arch] = sum
  }
  await writeFile(join(folder, 'enginebridge.rb'), await formula(repository, version, archives))
  await writeFile(join(ROOT, 'NOTES.md'), notesOf(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'), version))
}

if (import.meta.main) {
  const [folder, repository] = process.argv.slice(2)
  if (folder === undefined || repository === undefined)
    throw new Error('node packaging/release-files.ts FOLDER REPOSITORY')
  await main(folder, repository)
}
