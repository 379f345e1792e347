import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../package.json' with { type: 'json' }
import { billOfMaterials } from './bill.ts'
import { makeExecutable } from './executable.ts'
import { type Facts, makeDeb, makeRpm } from './formats.ts'
import { checksums } from './release-files.ts'
import { needTools } from './tools.ts'
import { layOutProgram, layOutTree, neededLibc } from './tree.ts'

/** `npm run package`: the archive, the deb and the rpm for this machine, with checksums and a bill of materials, in dist/packages. */
const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist', 'packages')
const WORK = join(ROOT, 'dist', 'executable')
const run = promisify(execFile)
const { version } = manifest
const NAME = `enginebridge-${version}-linux-${process.arch}`

async function main(): Promise<void> {
  await needTools({ strip: 'binutils', patchelf: 'patchelf', 'dpkg-deb': 'dpkg', rpmbuild: 'rpm' })
  await rm(OUT, { recursive: true, force: true })
  await rm(WORK, { recursive: true, force: true })
  await mkdir(OUT, { recursive: true })
  await makeExecutable(join(WORK, 'enginebridge'))
  const program = join(WORK, 'program')
  await layOutProgram(join(WORK, 'enginebridge'), program)
  const glibc = await neededLibc(program)
  await archive(program)
  const tree = join(WORK, 'tree')
  await layOutTree(program, tree)
  const facts: Facts = { version, description: manifest.description, arch: process.arch, glibc }
  await makeRpm(tree, OUT, WORK, facts)
  await makeDeb(tree, OUT, facts)
  await writeFile(join(OUT, `${NAME}.cdx.json`), await billOfMaterials())
  await checksums(OUT)
  process.stdout.write(`${relative(process.cwd(), OUT)}, for glibc ${glibc} or newer:\n`)
  process.stdout.write((await run('ls', ['-l', '--block-size=K', OUT])).stdout)
}

async function archive(program: string): Promise<void> {
  const folder = join(WORK, NAME)
  await cp(program, folder, { recursive: true })
  for (const file of ['LICENSE', 'CHANGELOG.md', 'docs/enginebridge.1'])
    await copyFile(join(ROOT, file), join(folder, file.split('/').at(-1) ?? ''))
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']
  await run('tar', [...same, '-C', WORK, '-czf', join(OUT, `${NAME}.tar.gz`), NAME])
}

await main()
