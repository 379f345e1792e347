import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bridgeSocket, bridgeTo, type LiveBridge } from './support/bridge.ts'
import { type Body, Client, type Reply, records } from './support/client.ts'
import { onEngines, withBridge } from './support/suites.ts'
import { tar } from './support/tar.ts'

/** An error of Docker 1.10.3. */
interface ProxyError {
  readonly name: string
  readonly call: string
  readonly json?: object
  /** A body that is not JSON, and one without a Content-Type. */
  readonly text?: string
  readonly untyped?: string
  readonly files?: Readonly<Record<string, string>>
  /** The container to start: some engines refuse the create, some the start. */
  readonly start?: string
  /** 200: the error is in the stream. */
  readonly status: number
  readonly says: string
}

const file = new URL('../golden/refusals.json', import.meta.url)
const { refusals } = JSON.parse(readFileSync(file, 'utf8')) as { refusals: readonly ProxyError[] }

/** The containers that the calls name. */
const CONTAINERS: Readonly<Record<string, { readonly host?: object; readonly runs?: boolean }>> = {
  rfrun: { runs: true },
  rfpause: { runs: true },
  rfhost: { runs: true, host: { NetworkMode: 'host' } },
  rfnone: { runs: true, host: { NetworkMode: 'none' } },
  rfshare: { runs: true, host: { NetworkMode: 'container:rfrun' } },
  rfro: { runs: true, host: { ReadonlyRootfs: true } },
  rfrov: { runs: true, host: { Binds: ['/tmp:/v:ro'] } },
  rfplain: {},
  // Not running, because a commit pauses a running container, which could disturb other calls.
  rfcommit: {},
  rfstop: {},
  rfjoin: { host: { NetworkMode: 'container:rfstop' } },
  rfipc: { host: { IpcMode: 'container:rfstop' } },
}
const NETWORKS = [
  { Name: 'rfnet' },
  { Name: 'rfjoined' },
  { Name: 'rfsub', IPAM: { Config: [{ Subnet: '10.77.0.0/24' }] } },
]

/** Makes the containers, networks and execs, and returns the ids that error texts contain. */
async function prepare(engine: Client): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const network of NETWORKS) await engine.post('/networks/create', network)
  for (const [name, { host = {}, runs = false }] of Object.entries(CONTAINERS)) {
    const config = { Cmd: ['sleep', '600'], HostConfig: host }
    ids[name] = await (runs ? engine.run(config, name) : engine.create(config, name))
  }
  await engine.post('/containers/rfpause/pause')
  await engine.post('/networks/rfjoined/connect', { Container: 'rfrun' })
  for (const [id, Cmd, Detach] of [
    ['done', ['true'], false],
    ['running', ['sleep', '600'], true],
  ] as const) {
    ids[id] = String((await engine.post('/containers/rfrun/exec', { Cmd })).at('Id'))
    await engine.post(`/exec/${ids[id]}/start`, { Detach })
  }
  return ids
}

const bodyOf = ({ call, json, text, untyped, files }: ProxyError): Body => {
  if (files !== undefined) return { bytes: tar(files), type: 'application/x-tar' }
  if (text !== undefined) return { bytes: Buffer.from(text), type: 'application/json' }
  if (untyped !== undefined) return { bytes: Buffer.from(untyped) }
  return json === undefined ? (call.startsWith('POST') ? { type: 'text/plain' } : {}) : { json }
}

/** The text of an error, or of the error that ended a stream. */
function errorOf({ status, text }: Reply): string {
  if (status >= 400) return text.trimEnd()
  const last = records(text).at(-1)
  return typeof last === 'object' && last !== null && 'error' in last ? String(last.error) : text
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

await onEngines(['20.10', '28.5-min1.44'], (engine) => {
  const direct = Client.ofEngine(engine.socket)
  const socket = bridgeSocket()
  const client = new Client(socket, '1.22')
  let bridge: LiveBridge | undefined
  let ids: Record<string, string> = {}
  const named = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (all, name: string) => ids[name] ?? all)

  beforeAll(async () => {
    bridge = await bridgeTo(engine.socket, [], socket)
    ids = await prepare(direct)
  })
  afterAll(async () => {
    for (const name of Object.keys(CONTAINERS)) await direct.delete(`/containers/${name}?force=1&v=1`)
    for (const { start } of refusals) if (start !== undefined) await direct.delete(`/containers/${start}`)
    for (const { Name: name } of NETWORKS) await direct.delete(`/networks/${name}`)
    await bridge?.stop()
  })

  describe('a 1.22 client is refused with the status and the words of Docker 1.10.3', () => {
    test.concurrent.each(refusals)('$name', async (refusal) => {
      const [method = '', path = ''] = named(refusal.call).split(' ')
      let reply = await client.call(method, path, bodyOf(refusal))
      if (reply.status === 201 && refusal.start !== undefined)
        reply = await client.post(`/containers/${refusal.start}/start`)
      const words = escaped(named(refusal.says)).replaceAll('\\*', '[^]*')
      expect(errorOf(reply)).toMatch(new RegExp(`^${words}$`))
      expect(reply.status).toBe(refusal.status)
    })
  })
})

await onEngines(['28.5-min1.44'], (engine) => {
  const { socket } = withBridge(engine)

  test.each([
    ['1.22', '500 Minimum kernel memory limit allowed is 4MB'],
    ['1.24', '500 {"message":"Minimum kernel memory limit allowed is 4MB"}'],
    ['1.41', '400 {"message":"Minimum kernel memory limit allowed is 6MB"}'],
  ])(
    'a limit of kernel memory that no engine takes is refused to %s in the words of its own, not as a loss',
    async (version, said) => {
      const config = { Image: 'busybox', Cmd: ['true'], HostConfig: { KernelMemory: 1 } }
      expect((await new Client(socket, version).post('/containers/create', config)).said.trim()).toBe(said)
    },
  )
})
