import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { run, succeed } from '../clients/command.ts'
import { Authority } from '../support/certificates.ts'
import { dockerCommand } from '../support/docker-command.ts'
import { unpacked } from '../support/unpacked.ts'
import { Client } from './support/client.ts'
import { type FirstCall, firstCalls } from './support/first-calls.ts'
import { buildImage } from './support/image.ts'
import { onEngines } from './support/suites.ts'

/**
 * The compose files of the examples, run: the bridge in an image made as the Dockerfile says, with their volumes, users,
 * networks and health check. In the place of the clients, whose images no registry gives here, stands a program that asks
 * what its client asks first, in that client's container with its volumes and networks, at the address that it is told.
 */
const EXAMPLES = join(import.meta.dirname, '../../examples')
const IMAGE = 'enginebridge:examples'
const compose = await unpacked('docker-cli-28.5')
const docker = (await dockerCommand()) ?? ''

const CLIENT = readFileSync(join(import.meta.dirname, 'support/first-calls-client.cjs'), 'utf8')

/** Where the example tells its client that the engine is. */
function addressIn(service: object): string {
  const found = /(?:tcp|http):\/\/enginebridge:\d+|unix:\/\/[^"]+/.exec(JSON.stringify(service))
  if (found === null) throw new Error(`it names no address: ${JSON.stringify(service)}`)
  return found[0]
}

/** The bridge's image, for its node. */
const STANDING = { image: IMAGE, user: '0:0', command: [], healthcheck: { disable: true }, restart: 'no' }

/** Without the bridge, this engine says what people paste to every version below its lowest, 1.44. */
async function refused(socket: string, version = '1.44'): Promise<void> {
  const { status, said } = await Client.ofEngine(socket).call('GET', `/v${version}/version`)
  const old = Number(version.split('.')[1]) < 44
  expect([status, said.includes(`client version ${version} is too old`)]).toEqual([old ? 400 : 200, old])
}

const answered = z.object({ path: z.string(), status: z.int(), found: z.boolean(), said: z.string() })

function asExpected(lines: readonly string[], calls: readonly FirstCall[]): void {
  const answers = lines.map((line) => answered.parse(JSON.parse(line)))
  for (const [i, { status = 200, path, has }] of calls.entries()) {
    const given = answers[i]
    expect([path, given?.status, given?.found ? has : given?.said]).toEqual([path, status, has])
  }
}

await onEngines(['28.5-min1.44'], (engine) => {
  describe.skipIf(compose === undefined)('the examples', () => {
    const folder = mkdtempSync(join(inject('live').folder, 'examples-'))
    const env = {
      PATH: `${process.env['PATH']}:${dirname(docker)}`,
      HOME: folder,
      DOCKER_CONFIG: folder,
      DOCKER_HOST: `unix://${engine.socket}`,
      ENGINEBRIDGE_IMAGE: IMAGE,
      DOCKER_GID: '',
    }
    beforeAll(async () => {
      env.DOCKER_GID = String(statSync(engine.socket).gid)
      const context = join(folder, 'image')
      mkdirSync(context)
      await buildImage(IMAGE, context, env)
      rmSync(context, { recursive: true })
    }, 620_000)
    afterAll(async () => {
      await run(docker, ['rmi', '-f', IMAGE], env)
      rmSync(folder, { recursive: true })
    })

    test.concurrent.each(globSync('*/compose.yaml', { cwd: EXAMPLES }).map((file) => dirname(file)))(
      '%s: the bridge becomes healthy, and what its client asks first is answered',
      async (name) => {
        const at = join(folder, name)
        cpSync(join(EXAMPLES, name), at, { recursive: true })
        const file = join(at, 'compose.yaml')
        const text = readFileSync(file, 'utf8')
        const own = text.replaceAll('/run/enginebridge', at) // a folder of the host in some of them
        writeFileSync(file, own.replaceAll('[/var/run/docker.sock:', `[${engine.socket}:`))
        if (name === 'nas') certificates(join(at, 'certs'))
        const { services }: { services: Record<string, object> } = parse(readFileSync(file, 'utf8'))
        const clients = Object.keys(services).filter((one) => one !== 'enginebridge')
        const asks = firstCalls[name]
        if (asks === undefined) expect(clients).toEqual([])
        else await refused(engine.socket, asks.speaks)
        const project = `example-${name}-${process.pid}`
        const container = `${project}-enginebridge-1`
        const stands = (client: string): object => {
          const CALLS = JSON.stringify({ ...asks, container, host: addressIn(services[client] ?? {}) })
          const entrypoint = ['node', '-e', CLIENT.replaceAll('$', '$$$$')] // Compose reads $ as the start of a variable
          return { ...STANDING, entrypoint, environment: { CALLS } }
        }
        // On a slow machine several checks at a time take longer than the image gives one, and none would ever end.
        const quick = { healthcheck: { interval: '1m', timeout: '1m', start_period: '90s', start_interval: '1s' } }
        const override = {
          services: { enginebridge: quick, ...Object.fromEntries(clients.map((one) => [one, stands(one)])) },
        }
        writeFileSync(join(at, 'override.json'), JSON.stringify(override))
        const program = join(compose ?? '', 'libexec/docker/cli-plugins/docker-compose')
        const files = ['-p', project, '-f', file, '-f', join(at, 'override.json')]
        const composed = (...args: string[]): Promise<string> =>
          succeed(program, [...files, ...args], env, { cwd: at, limitMs: 150_000 })
        try {
          await composed('up', '-d', '--wait', 'enginebridge').catch(async (cause: Error) =>
            expect.fail(`${cause.message}\n${await composed('logs')}`),
          )
          for (const client of clients) {
            const said = await composed('run', '--rm', '-T', '--no-deps', client)
            asExpected(said.trim().split('\n'), asks?.calls ?? [])
          }
        } finally {
          await composed('down', '-v', '-t', '1')
        }
      },
      300_000,
    )
  })
})

/** As the comment of the example names them. */
function certificates(folder: string): void {
  const authority = new Authority(join(folder, 'ca'))
  const { cert, key, ca } = authority.issue('bridge', join(folder, 'made'))
  cpSync(cert, join(folder, 'server-cert.pem'))
  cpSync(key, join(folder, 'server-key.pem'))
  cpSync(ca, join(folder, 'ca.pem'))
}
