import { execFile } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { SCRIPTS } from '../src/cli/commands/completion.ts'

/** Lays out the files of a Linux package in a folder that stands for `/`. */

const ROOT = join(import.meta.dirname, '..')
const LINUX = join(import.meta.dirname, 'linux')
const run = promisify(execFile)

/** Libraries that Node needs beside the C library: a machine may lack them, or have older ones. */
const LIBRARIES = ['libstdc++.so.6', 'libgcc_s.so.1', 'libatomic.so.1']

/** The program with the libraries that it needs, which it finds beside itself in any folder. */
export async function layOutProgram(executable: string, folder: string): Promise<void> {
  await mkdir(join(folder, 'lib'), { recursive: true })
  await copyFile(executable, join(folder, 'enginebridge'))
  await chmod(join(folder, 'enginebridge'), 0o755)
  const { stdout } = await run('ldd', [executable])
  for (const name of LIBRARIES) {
    const found = new RegExp(`^\\s*${RegExp.escape(name)} => (\\S+)`, 'm').exec(stdout)?.[1]
    if (found === undefined) throw new Error(`${executable} does not need ${name}, which it is shipped with`)
    await copyFile(found, join(folder, 'lib', name))
  }
}

/** The newest version of the C library that any of these files needs. */
export async function neededLibc(folder: string): Promise<string> {
  const files = ['enginebridge', ...LIBRARIES.map((name) => join('lib', name))]
  const { stdout } = await run('objdump', ['-p', ...files.map((file) => join(folder, file))])
  const versions = [...stdout.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
  return `2.${Math.max(...versions)}`
}

export async function layOutTree(program: string, tree: string): Promise<void> {
  const at = async (path: string): Promise<string> => {
    await mkdir(dirname(join(tree, path)), { recursive: true })
    return join(tree, path)
  }
  await cp(program, await at('usr/lib/enginebridge'), { recursive: true })
  await symlink('../lib/enginebridge/enginebridge', await at('usr/bin/enginebridge'))
  await copyFile(join(LINUX, 'enginebridge.yaml'), await at('etc/enginebridge/enginebridge.yaml'))
  for (const unit of ['enginebridge.service', 'enginebridge.socket'])
    await copyFile(join(LINUX, unit), await at(`usr/lib/systemd/system/${unit}`))
  await copyFile(join(LINUX, 'tmpfiles.conf'), await at('usr/lib/tmpfiles.d/enginebridge.conf'))
  await writeFile(await at('usr/share/bash-completion/completions/enginebridge'), SCRIPTS.bash)
  await copyFile(join(ROOT, 'LICENSE'), await at('usr/share/doc/enginebridge/copyright'))
  const manual = await readFile(join(ROOT, 'docs/enginebridge.1'))
  await writeFile(await at('usr/share/man/man1/enginebridge.1.gz'), gzipSync(manual))
}
