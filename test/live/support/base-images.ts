import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { succeed } from '../../clients/command.ts'
import { toolFolder } from '../../clients/tools.ts'

const ROOT = join(import.meta.dirname, '../../..')
export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** The bases that the Dockerfile names, by its arguments. */
export function baseNames(): { readonly build: string; readonly runtime: string } {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const argument = (name: string): string => new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(dockerfile)?.[1] ?? ''
  return { build: argument('BUILD_IMAGE'), runtime: argument('RUNTIME_IMAGE') }
}

/** The environment of the Docker 28.5 command line, with buildx, for an engine. */
export async function commandLine(folder: string, engine: string): Promise<Record<string, string>> {
  const cli = await toolFolder('docker-cli-28.5')
  mkdirSync(join(folder, 'cli-plugins'))
  symlinkSync(join(cli, 'libexec/docker/cli-plugins/docker-buildx'), join(folder, 'cli-plugins/docker-buildx'))
  return {
    PATH: `${join(cli, 'bin')}:${process.env['PATH']}`,
    HOME: folder,
    DOCKER_CONFIG: folder,
    DOCKER_CLI_PLUGIN_EXTRA_DIRS: '',
    DOCKER_HOST: `unix://${engine}`,
  }
}

/**
 * Stand-ins for base images when no registry is reachable, from the same Debian packages, so that they lack what the real ones
 * lack. Node is the pinned version, npm the machine's.
 */
export async function makeBases(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { build, runtime } = baseNames()
  const forNode = join(folder, 'node')
  layOut(await toolFolder('base-build'), forNode)
  const registry = await addNode(forNode, env)
  await load(build, forNode, env, [
    'ENV PATH=/usr/local/bin:/usr/bin:/bin',
    `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
    `ENV NPM_CONFIG_REGISTRY=${registry}`,
  ])
  const forRunning = join(folder, 'cc')
  layOut(await toolFolder('base-cc'), forRunning)
  writeFileSync(join(forRunning, 'etc/passwd'), 'root:x:0:0::/root:\nnonroot:x:65532:65532::/home/nonroot:\n')
  await load(runtime, forRunning, env, ['USER 65532'])
}

/** Adds the pinned Node, and the machine's npm, certificates and registry setting to a root folder. */
export async function addNode(root: string, env: NodeJS.ProcessEnv): Promise<string> {
  const at = (file: string): string => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    return join(root, file)
  }
  copyFileSync(process.execPath, at('usr/local/bin/node'))
  const path = { ...env, PATH: process.env['PATH'] }
  const npm = (await succeed('sh', ['-c', 'readlink -f "$(command -v npm)"'], path)).trim() // …/npm/bin/npm-cli.js
  cpSync(join(npm, '../..'), at('usr/local/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, at(`usr/local/bin/${name}`))
  // The registry may be a mirror with a private certificate.
  copyFileSync(CERTIFICATES, at(CERTIFICATES.slice(1)))
  return (await succeed('npm', ['config', 'get', 'registry'], path)).trim()
}

/** Makes a root folder of packages unpacked for /usr, with Debian's links to it. */
function layOut(usr: string, root: string): void {
  for (const name of ['etc', 'tmp', 'proc', 'dev', 'root']) mkdirSync(join(root, name), { recursive: true })
  for (const name of ['bin', 'sbin', 'lib', 'lib64'].filter((one) => existsSync(join(usr, one)))) {
    cpSync(join(usr, name), join(root, 'usr', name), { recursive: true, verbatimSymlinks: true, force: false })
    symlinkSync(`usr/${name}`, join(root, name))
  }
}

async function load(name: string, root: string, env: NodeJS.ProcessEnv, changes: readonly string[]): Promise<void> {
  const tar = `${root}.tar`
  await succeed('tar', ['-C', root, '--owner=0', '--group=0', '-cf', tar, '.'], { PATH: process.env['PATH'] })
  const flags = changes.flatMap((change) => ['--change', change])
  await succeed('docker', ['import', ...flags, tar, name], env, { limitMs: 120_000 })
  rmSync(tar)
  rmSync(root, { recursive: true })
}
