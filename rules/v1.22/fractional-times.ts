import { integer, isObject } from '../../src/api/json/json.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { BILLION } from '../by-hand/moments.ts'

const FRACTIONAL = /^(-?\d+)\.(\d{1,9})$/
/** API version of engine 1.9, the first whose events have nanoseconds. */
const HAS_NANOSECONDS = 21

const noted = (name: string): string => `1.22/timestamps-fractional ${name}`

/**
 * Engines up to 1.9 read whole seconds (500 strconv error from 1.7 on). `since` is rounded down and `until` up; `keep` gets
 * the exact times, so that records between are dropped.
 */
export function wholeSeconds(query: URLSearchParams, keep: (name: string, nanoseconds: bigint) => void): void {
  for (const name of ['since', 'until']) {
    const found = FRACTIONAL.exec(query.get(name) ?? '')
    if (found === null) continue
    const [, seconds = '0', fraction = '0'] = found
    const whole = BigInt(seconds)
    const rest = BigInt(fraction.padEnd(9, '0'))
    query.set(name, String(name === 'until' && rest > 0n ? whole + 1n : whole))
    keep(name, whole * BILLION + rest)
  }
}

export const wholeSecondsOfLogs = ({ query }: RequestMessage): void => wholeSeconds(query, () => undefined)

export function wholeSecondsOfEvents({ query }: RequestMessage, { memory }: StepContext): void {
  wholeSeconds(query, (name, nanoseconds) => memory.set(noted(name), String(nanoseconds)))
}

/** Drops records outside the exact times. */
export function dropOutside({ body }: ResponseMessage, { memory, engine }: StepContext): 'drop' | undefined {
  const time = isObject(body) && engine.highest >= HAS_NANOSECONDS ? integer(body['timeNano']) : undefined
  const since = memory.get(noted('since'))
  const until = memory.get(noted('until'))
  if (time === undefined) return undefined
  const early = typeof since === 'string' && time < BigInt(since)
  const late = typeof until === 'string' && time > BigInt(until)
  return early || late ? 'drop' : undefined
}
