import { setTimeout } from 'node:timers/promises'
import { type JsonObject, type JsonValue, memberAt, objectOf } from '../../api/json/json.ts'

/** Marks a container that is removed when it stops, so that the bridge still removes it after a restart. */
export const AUTO_REMOVE = 'enginebridge.auto-remove'

/**
 * Engines 1.7 to 1.10 may end a stream without `until` at once, because a stopped timer has already fired (getEvents
 * @v1.9.1).
 */
export const NEVER = '4102444800'

const FIRST_LOOK_MS = 10
const LAST_LOOK_MS = 3000

interface Inspection {
  readonly status: number
  readonly body: JsonValue | undefined
}

/**
 * Inspects a container after its `die`, until it has stopped: engines up to 1.10 send the event first
 * (daemon/monitor.go @v1.6.2, @v1.10.3: `setStopped` runs last). `enough`: ends the loop early.
 */
export async function inspectOnceStopped<T extends Inspection>(
  inspect: () => Promise<T>,
  enough: (state: JsonObject) => boolean = () => false,
): Promise<T> {
  let answer = await inspect()
  for (let ms = FIRST_LOOK_MS; ms < LAST_LOOK_MS && runsOn(answer) && !enough(stateOf(answer.body)); ms *= 2) {
    await setTimeout(ms, undefined, { ref: false })
    answer = await inspect()
  }
  return answer
}

export const stateOf = (body: JsonValue | undefined): JsonObject => objectOf(memberAt(body, 'State'))

/** A container that restarts counts as running. */
export const hasExited = (state: JsonObject): boolean => state['Running'] !== true || state['Restarting'] === true

const runsOn = ({ status, body }: Inspection): boolean => status < 400 && !hasExited(stateOf(body))
