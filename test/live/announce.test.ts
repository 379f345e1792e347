import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Ended, run } from '../clients/command.ts'
import { cliEnvironment } from '../clients/docker-cli.ts'
import { dockerCommand } from '../support/docker-command.ts'
import { Client, records } from './support/client.ts'
import { onEngines, PODMAN, withBridge } from './support/suites.ts'

const ANNOUNCED = '1.52'
/** The lowest version with which the Go client of 29 goes on after its ping (client.MinAPIVersion). */
const NEEDED_BY_29 = 44

const program = await dockerCommand()

await onEngines(['20.10', PODMAN], (engine) => {
  const { socket } = withBridge(engine, ['--announce-api', ANNOUNCED])

  test.each([undefined, '1.18', '1.41', '1.52'])('HEAD and GET of _ping and /version agree at %s', async (version) => {
    const client = new Client(socket, version)
    const told = (await client.call('GET', '/_ping')).head.headers['api-version']
    expect(told).toBe(ANNOUNCED)
    expect((await client.call('HEAD', '/_ping')).head.headers['api-version']).toBe(ANNOUNCED)
    const said = await client.get('/version')
    expect([said.at('ApiVersion'), said.head.headers['api-version']]).toEqual([ANNOUNCED, ANNOUNCED])
    expect(Number(told?.split('.')[1])).toBeGreaterThanOrEqual(NEEDED_BY_29)
  })

  test('a version above the announced one is refused in the engine’s words', async () => {
    const reply = await new Client(socket, '1.53').get('/version')
    expect(reply.said).toMatch(/^400 .*client version 1\.53 is too new\. Maximum supported API version is 1\.52/)
  })

  test.each([
    ['application/json-seq', '\u001e{'],
    ['application/x-ndjson', '{'],
  ])('events come as %s to a client that asks for it, in the shape of 1.52', async (type, first) => {
    const client = new Client(socket, ANNOUNCED)
    const since = Math.floor(Date.now() / 1000) - 1
    const made = await client.post(`/containers/create?name=announce-${type.at(-1)}-${process.pid}`, {
      Image: 'busybox',
    })
    await client.delete(`/containers/${made.at('Id')}?force=1`)
    const until = Math.ceil(Date.now() / 1000) + 1
    const reply = await client.call('GET', `/events?since=${since}&until=${until}`, { headers: { Accept: type } })
    expect([reply.type, reply.text.slice(0, first.length)]).toEqual([type, first])
    const seen = records(reply.text.replaceAll('\u001e', '')) as Record<string, unknown>[]
    expect(seen.find(({ Action }) => Action === 'create')).not.toHaveProperty('status')
  })

  describe.runIf(program !== undefined)('the docker command, which knows more than the engine', () => {
    let folder = ''
    let docker: (...args: string[]) => Promise<Ended>
    beforeAll(() => {
      folder = mkdtempSync(join(inject('live').folder, 'announce-'))
      const file = program ?? ''
      const settings = { file, socket, version: undefined, buildkit: false, folder, plugins: undefined }
      const env = cliEnvironment(settings)
      docker = (...args) => run(file, args, env)
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test('negotiates its own highest version', async () => {
      const { stdout } = await docker('version', '--format', '{{.Client.APIVersion}} {{.Client.DefaultAPIVersion}}')
      const [negotiated, own] = stdout.trim().split(' ')
      expect(negotiated).toBe(own)
      expect(Number(negotiated?.split('.')[1])).toBeGreaterThanOrEqual(NEEDED_BY_29)
    })

    test('runs a container, and is told in a warning of what does not matter', async () => {
      const { code, stdout, stderr } = await docker('run', '--rm', '--annotation', 'a=b', 'busybox', 'echo', 'ok')
      expect([code, stdout]).toEqual([0, 'ok\n'])
      expect(stderr).toContain('Your engine does not support HostConfig.Annotations (API 1.41)')
    })

    const needs = (what: string, version: string): string =>
      `${what} is not supported by the engine: it needs API ${version} and the engine has API 1.41`
    test.each([
      [
        ['run', '--mount', 'type=image,source=busybox,target=/i', 'busybox'],
        needs('HostConfig.Mounts[].Type image', '1.48'),
      ],
      [['volume', 'prune', '-f'], needs('pruning anonymous volumes only', '1.42')],
      [['network', 'create', '--ipv4=false', 'announced'], needs('EnableIPv4', '1.48')],
    ])('is told in a sentence what the engine lacks for %j', async (args, sentence) => {
      const { code, stderr } = await docker(...args)
      expect(code).not.toBe(0)
      expect(stderr).toContain(sentence)
    })
  })
})
