import { execFile } from 'node:child_process'
import { chownSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { succeed } from '../../clients/command.ts'

const ROOT = join(import.meta.dirname, '../../..')
const execute = promisify(execFile)
/** The user of the image. */
const NONROOT = 65532

/** The libraries that a program loads, its loader included (ldd(1)); none of a static one. */
export async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await execute('ldd', [program]).catch((cause: { stdout: string }) => cause)
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? [])
}

/** Builds the program as the Dockerfile's build stage does, from the files that `docker build` would send. */
async function built(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const sent = readFileSync(join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)
  for (const [, path = ''] of sent) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const limits = { cwd: folder, limitMs: 120_000 }
  await succeed('node', ['packaging/bundle.ts'], { ...env, PATH: process.env['PATH'] }, limits)
  return join(folder, 'dist')
}

/**
 * An image made by the Dockerfile, its last stage word by word, without its base images, for which a registry would be needed: Node
 * and its libraries are this machine's.
 */
export async function buildImage(name: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const at = (path: string): string => {
    const target = join(folder, 'root', path)
    mkdirSync(dirname(target), { recursive: true })
    return target
  }
  copyFileSync(process.execPath, at('/usr/local/bin/node'))
  for (const path of await librariesOf(process.execPath)) copyFileSync(path, at(path)) // which follows links
  for (const path of ['package.json', 'LICENSE']) cpSync(join(ROOT, path), at(join('/app', path)))
  const dist = await built(join(folder, 'context'), env)
  for (const part of ['program', 'cache']) cpSync(join(dist, part), at(join('/app/dist', part)), { recursive: true })
  for (const own of ['/run/enginebridge', '/var/lib/enginebridge']) {
    mkdirSync(at(own))
    chownSync(at(own), NONROOT, NONROOT)
  }
  rmSync(join(folder, 'context'), { recursive: true })
  const [, , last = ''] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split(/^FROM .*$/m)
  const instructions = last.split('\n').filter((line) => !line.startsWith('COPY '))
  writeFileSync(join(folder, 'Dockerfile'), `FROM scratch\nCOPY root /\n${instructions.join('\n')}`)
  await succeed('docker', ['build', '-t', name, folder], { ...env, DOCKER_BUILDKIT: '0' }, { limitMs: 500_000 })
}
