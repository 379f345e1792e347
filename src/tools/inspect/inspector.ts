import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import { formatVersion } from '../../api/version.ts'
import { ownVersion } from '../../config/process.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { listen } from '../../http/listen/listen.ts'
import type { MakeInspector } from '../../proxy/inspector.ts'
import { readAssets } from './assets.ts'
import { toHar } from './export/har.ts'
import { toRecording } from './export/recording.ts'
import { Hub } from './hub.ts'
import { inspectServer } from './server.ts'

/** Only the bridge's account may open the socket: the inspector shows the calls of all clients. */
const SOCKET_ACCESS = { 'socket-mode': 0o600 }
const TOKEN_BYTES = 32

/** `--inspect`: keeps the last calls and serves a page that shows them. */
export const makeInspector: MakeInspector = async (config, address, { discovery, changes }) => {
  const [started, version] = [new Date(), ownVersion()]
  const hub = new Hub({
    calls: config['inspect-calls'],
    body: config['inspect-body'],
    memory: config['inspect-memory'],
    input: config['inspect-input'] === true,
  })
  // Grants access to the inspector; new at every start, never stored.
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const sentences = new Map(changes.map(({ id, change }) => [id, change.summary]))
  const engine = (): EngineFacts => {
    const { lastKnown } = discovery
    if (lastKnown === undefined)
      throw new ProxyError('engine-unknown', 'the engine has not answered yet: no call can be recorded')
    return lastKnown
  }
  const { server, close } = inspectServer({
    hub,
    token,
    assets: await readAssets(),
    hosts: { allowed: config['allowed-hosts'], checksHost: true, origin: undefined },
    about: () => ({ version, started: started.toISOString(), engine: named(discovery.lastKnown), ...kept(hub) }),
    sentence: (change) => sentences.get(change),
    exports: {
      har: (calls) => exported('json', 'har', JSON.stringify(toHar(calls, { version }))),
      recording: (calls) => exported('jsonl', 'jsonl', toRecording(calls, engine(), version, started)),
    },
  })
  return {
    observe: hub.observe,
    unobserved: hub.unobserved,
    listen: async () => {
      const bound = await listen(server, address, SOCKET_ACCESS)
      return { address: bound, token, url: urlOf(bound, token) }
    },
    close: () => {
      close()
      return ended(server)
    },
  }
}

const exported = (type: string, ending: string, text: string) => ({
  type: `application/${type}`,
  file: `enginebridge-${new Date().toISOString().replaceAll(':', '-').replace(/\..*/, '')}.${ending}`,
  text,
})

function ended(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (server.listening) server.close(() => resolve())
  else resolve()
  server.closeAllConnections()
  return promise
}

/** The token is in the fragment, which browsers do not send: it appears in no request line, log or Referer. */
const urlOf = (address: Address, token: string): string | undefined =>
  address.kind === 'unix' ? undefined : `${formatAddress(address).replace(/^tcp/, 'http')}/#token=${token}`

const kept = ({ bounds, count, held }: Hub): object => ({ bounds, count, held })

const named = (facts: EngineFacts | undefined): object | null =>
  facts === undefined
    ? null
    : {
        product: facts.product ?? 'Docker Engine',
        release: facts.release,
        lowest: formatVersion(facts.lowest),
        highest: formatVersion(facts.highest),
      }
