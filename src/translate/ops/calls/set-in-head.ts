import type { OperationName } from '../../../api/operations.ts'
import type { ByLeg, Example, ExamplePart, Op } from '../../change.ts'
import type { RequestMessage } from '../../message.ts'
import { byHand, examplesIn } from '../by-hand.ts'

export interface SetOptions {
  /** What an older client's message gets; null: it is taken out. */
  readonly before?: string | null
  /** What a newer client's message gets. */
  readonly after?: string | null
  /** Only if the message does not have it, or has an empty one. */
  readonly ifMissing?: true
  /** Only where the query has the parameter with such a value. */
  readonly where?: (value: string, query: URLSearchParams) => boolean
}

type Operations = OperationName | readonly OperationName[]

/** A query parameter that every request gets: its default differs, or the bridge decides it. */
export const querySet = (operations: Operations, parameter: string, options: SetOptions): Op =>
  setInHead(operations, 'query parameter', parameter, options)

/** A header that every request gets. */
export const requestHeader = (operation: OperationName, header: string, options: SetOptions): Op =>
  setInHead(operation, 'request header', header, options)

/** A response header whose value differs; null: it is absent. */
export const responseHeader = (
  operations: Operations,
  header: string,
  options: Pick<SetOptions, 'before' | 'after'>,
): Op => setInHead(operations, 'response header', header, options)

type Place = 'query parameter' | 'request header' | 'response header'
type Head = Pick<RequestMessage, 'headers'> & Partial<Pick<RequestMessage, 'query'>>

function setInHead(on: Operations, place: Place, name: string, options: SetOptions): Op {
  const { before, after, ifMissing, where } = options
  const inQuery = place === 'query parameter'
  const put = (value: string | null | undefined) => {
    if (value === undefined) return undefined
    return ({ headers, query }: Head): void => {
      const there = (inQuery ? query : undefined) ?? headers
      const now = there.get(name) ?? undefined
      if (where !== undefined && (now === undefined || query === undefined || !where(now, query))) return
      if (value === null) there.delete(name)
      else if (ifMissing === undefined || (now ?? '') === '') there.set(name, value)
    }
  }
  const shown = (value: string | null): ExamplePart =>
    inQuery ? { query: value === null ? '' : `${name}=${value}` } : { headers: { [name]: value } }
  const cases = (value: string | null = null) => [
    { before: ifMissing ? {} : shown('other'), after: shown(value) },
    ...(ifMissing ? [{ before: shown('other'), after: shown('other') }] : []),
  ]
  const byLeg = <T>(ofOlder: T, ofNewer: T): ByLeg<T> =>
    place === 'response header'
      ? { responseDown: ofOlder, responseUp: ofNewer }
      : { requestUp: ofOlder, requestDown: ofNewer }
  const words = `${place} ${name} ${place === 'response header' ? 'differs' : 'is set'}`
  return {
    ...byHand(on, words, { part: 'head', ...byLeg(put(before), put(after)) }),
    examples: examplesIn(on, () => byLeg<readonly Omit<Example, 'on' | 'leg'>[]>(cases(before), cases(after))),
  }
}
