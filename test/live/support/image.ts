import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { succeed } from '../../clients/command.ts'

const ROOT = join(import.meta.dirname, '../../..')
const execute = promisify(execFile)

interface Locked {
  readonly dev?: boolean
  readonly optional?: boolean
}

/** What the image's build stage leaves in node_modules: see the Dockerfile. */
function packages(): string[] {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages).flatMap(([path, { dev, optional }]) =>
    path.startsWith('node_modules/') && dev !== true && optional !== true ? [path] : [],
  )
}

/** The libraries that node loads, its loader included (ldd(1)). */
async function libraries(): Promise<string[]> {
  const { stdout } = await execute('ldd', [process.execPath])
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? [])
}

/**
 * An image made as the Dockerfile's last stage says, word by word, without its bases, which no registry gives here: node and its
 * libraries are this machine's, and the program runs from its sources.
 */
export async function buildImage(name: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const at = (path: string): string => {
    const target = join(folder, 'root', path)
    mkdirSync(dirname(target), { recursive: true })
    return target
  }
  copyFileSync(process.execPath, at('/usr/local/bin/node'))
  for (const path of await libraries()) copyFileSync(path, at(path)) // which follows links
  for (const path of ['src', 'rules', 'package.json', 'LICENSE', ...packages()])
    cpSync(join(ROOT, path), at(join('/app', path)), { recursive: true })
  const [, , last = ''] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split(/^FROM .*$/m)
  const instructions = last.split('\n').filter((line) => !line.startsWith('COPY '))
  const said = instructions.join('\n').replaceAll('/app/dist/src/main.js', '/app/src/main.ts')
  writeFileSync(join(folder, 'Dockerfile'), `FROM scratch\nCOPY root /\n${said}`)
  await succeed('docker', ['build', '-t', name, folder], { ...env, DOCKER_BUILDKIT: '0' }, { limitMs: 240_000 })
}
