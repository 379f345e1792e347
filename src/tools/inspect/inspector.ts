import { randomBytes } from 'node:crypto'
import { changes } from '../../../rules/index.ts'
import type { EngineFacts } from '../../api/engine-facts.ts'
import { ProxyError } from '../../api/errors.ts'
import { ownVersion } from '../../config/process.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { listen } from '../../http/listen/listen.ts'
import type { MakeInspector } from '../../proxy/inspector.ts'
import { closed } from '../../proxy/load/drain.ts'
import { described } from '../recording/format.ts'
import { toRecording } from '../recording/recorder.ts'
import { readAssets } from './assets.ts'
import { toHar } from './har.ts'
import { Hub } from './hub.ts'
import { inspectServer } from './server.ts'

/** Only the bridge's account may open the socket: the inspector shows the calls of all clients. */
const SOCKET_ACCESS = { 'socket-mode': 0o600 }
const TOKEN_BYTES = 32

/** `--inspect`: keeps the last calls and serves a page that shows them. */
export const makeInspector: MakeInspector = async (config, address, discovery) => {
  const [started, version] = [new Date(), ownVersion()]
  const sentences = new Map(changes.map(({ id, change }) => [id, change.summary]))
  const bounds = {
    calls: config['inspect-calls'],
    body: config['inspect-body'],
    memory: config['inspect-memory'],
    input: config['inspect-input'] === true,
  }
  const hub = new Hub(bounds, (change) => sentences.get(change))
  // Grants access to the inspector; new at every start, never stored.
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const server = inspectServer({
    hub,
    token,
    assets: await readAssets(),
    hosts: { allowed: config['allowed-hosts'], checksHost: true, origin: undefined },
    about: () => {
      const { count, held } = hub
      return { version, started: started.toISOString(), engine: named(discovery.lastKnown), bounds, count, held }
    },
    exports: {
      har: (calls) => JSON.stringify(toHar(calls, { version })),
      recording: (calls) => {
        const engine = discovery.lastKnown
        if (engine === undefined)
          throw new ProxyError('engine-unknown', 'the engine has not answered yet: no call can be recorded')
        return toRecording(calls, engine, version, started)
      },
    },
  })
  return {
    observe: hub.observe,
    listen: async () => {
      const bound = await listen(server, address, SOCKET_ACCESS)
      return { address: bound, token, url: urlOf(bound, token) }
    },
    close: () => closed(server),
  }
}

/** The token is in the fragment, which browsers do not send: it appears in no request line, log or Referer. */
const urlOf = (address: Address, token: string): string =>
  address.kind === 'unix'
    ? `${formatAddress(address)} with the token ${token}`
    : `${formatAddress(address).replace(/^tcp/, 'http')}/#token=${token}`

const named = (facts: EngineFacts | undefined): object | null =>
  facts === undefined ? null : { product: 'Docker Engine', ...described(facts) }
