import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { run, succeed } from '../clients/command.ts'
import { Authority } from '../support/certificates.ts'
import { unpacked } from '../support/unpacked.ts'
import { buildImage } from './support/image.ts'
import { onEngines } from './support/suites.ts'

/**
 * The compose files of the examples, run: the bridge in an image made as the Dockerfile says, with their volumes, users,
 * networks and health check. In the place of the clients, whose images no registry gives here, stands busybox, which asks through
 * the bridge what its client would ask first.
 */
const EXAMPLES = join(import.meta.dirname, '../../examples')
const IMAGE = 'enginebridge:examples'
const compose = await unpacked('docker-cli-28.5')

const asksFirst = (folder: string): string[] =>
  folder === 'compose-v1'
    ? ['test', '-S', '/run/enginebridge/docker.sock']
    : ['wget', '-qO-', 'http://enginebridge:2375/v1.24/version']

await onEngines(['28.5'], (engine) => {
  describe.skipIf(compose === undefined)('the examples', () => {
    const folder = mkdtempSync(join(inject('live').folder, 'examples-'))
    const env = {
      PATH: process.env['PATH'],
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
      await run('docker', ['rmi', '-f', IMAGE], env)
      rmSync(folder, { recursive: true })
    })

    test.each(globSync('*/compose.yaml', { cwd: EXAMPLES }).map((file) => dirname(file)))(
      '%s: the bridge becomes healthy, and who needs it gets an answer',
      async (name) => {
        const at = join(folder, name)
        cpSync(join(EXAMPLES, name), at, { recursive: true })
        const file = join(at, 'compose.yaml')
        const text = readFileSync(file, 'utf8')
        writeFileSync(file, text.replaceAll('/var/run/docker.sock:', `${engine.socket}:`))
        if (name === 'nas') certificates(join(at, 'certs'))
        const { services }: { services: Record<string, object> } = parse(text)
        const clients = Object.keys(services).filter((one) => one !== 'enginebridge')
        const stands = { image: 'busybox', entrypoint: [], command: asksFirst(name), restart: 'no' }
        const quick = { healthcheck: { interval: '2s', start_period: '90s', start_interval: '1s' } }
        const override = {
          services: { enginebridge: quick, ...Object.fromEntries(clients.map((one) => [one, stands])) },
        }
        writeFileSync(join(at, 'override.json'), JSON.stringify(override))
        const program = join(compose ?? '', 'libexec/docker/cli-plugins/docker-compose')
        const project = ['-p', `example-${name}-${process.pid}`, '-f', file, '-f', join(at, 'override.json')]
        const composed = (...args: string[]): Promise<string> =>
          succeed(program, [...project, ...args], env, { cwd: at, limitMs: 150_000 })
        try {
          await composed('up', '-d', '--wait', 'enginebridge').catch(async (cause: Error) =>
            expect.fail(`${cause.message}\n${await composed('logs')}`),
          )
          for (const client of clients) {
            const said = await composed('run', '--rm', '-T', '--no-deps', client)
            if (name !== 'compose-v1') expect(said).toContain('"ApiVersion":"1.51"')
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
