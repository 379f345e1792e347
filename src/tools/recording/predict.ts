import type { Json } from '../../api/json/json.ts'
import { formatVersion, isNewer, isOlder, LOWEST, parseVersion, splitPrefix } from '../../api/version.ts'
import { type KnownEngine, refusedBy } from '../explain/releases.ts'
import { translate } from '../library/translate.ts'
import type { RecordedCall } from './format.ts'

/** The predicted result of a recorded call on another engine, from the rules alone. */
export interface Prediction {
  readonly call: RecordedCall
  /** The engine's error for this client without a bridge; undefined: it is served. */
  readonly refusedDirectly: string | undefined
  /** The bridge's error, sent without calling the engine. */
  readonly refused: string | undefined
  /** Served only if the bridge runs with this `--announce-api`. */
  readonly announce: string | undefined
  readonly changes: readonly string[]
  readonly losses: readonly string[]
  readonly ignored: readonly string[]
  /** Why the prediction is incomplete. */
  readonly note: string | undefined
}

export function predict(call: RecordedCall, engine: KnownEngine): Prediction {
  const client = parseVersion(call.client)
  const { kind } = splitPrefix(call.path).prefix
  // A client that does not negotiate uses a version that neither engine nor bridge offers.
  const isNewest = client !== undefined && kind === 'version' && isNewer(client, engine.highest)
  const announce = isNewest ? call.client : undefined
  // Engines serve calls without a version at their highest.
  const refusedDirectly = client === undefined || kind !== 'version' ? undefined : refusedBy(engine, client)
  const whole = { call, refusedDirectly, refused: undefined, announce }
  const nothing = { ...whole, changes: [], losses: [], ignored: [], note: undefined }
  if (client === undefined || isOlder(client, LOWEST))
    return { ...nothing, refused: `there are rules for clients from ${formatVersion(LOWEST)} on` }
  if (call.operation === undefined) return { ...nothing, note: 'no rule knows this endpoint: it passes as it is' }
  const done = translate(
    {
      operation: call.operation,
      method: call.method,
      path: call.path,
      client: call.client,
      engine: { highest: formatVersion(engine.highest), lowest: formatVersion(engine.lowest) },
      direction: 'request',
    },
    call.request?.json === undefined ? {} : { body: call.request.json as Json },
  )
  const cut = call.request !== undefined && call.request.json === undefined && call.request.withheld !== 'stream'
  return {
    ...whole,
    refused: done.refused?.message,
    changes: done.changes,
    losses: done.losses.map(({ what, needs }) => `${what} (API ${needs})`),
    ignored: done.ignored,
    note: cut ? 'its recorded body is incomplete and was not checked' : undefined,
  }
}
