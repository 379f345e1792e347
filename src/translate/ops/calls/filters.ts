import { ProxyError } from '../../../api/errors.ts'
import type { OperationName } from '../../../api/operations.ts'
import type { ApiVersion } from '../../../api/version.ts'
import type { Op } from '../../change.ts'
import { Answer } from '../../message.ts'
import { byHand, examplesIn, list } from '../by-hand.ts'
import { refusalOf } from '../sample.ts'
import { editFilters, readFilters, takeFilter, writeFilters } from './filter-values.ts'

export interface FilterAddedOptions {
  /** Older engines ignored it: an older client's request loses it. */
  readonly ignored?: true
  /** What a newer client gets: the loss is refused, or the older engine's `Invalid filter 'key'`. By default it stays. */
  readonly newer?: 'refuse' | 'invalid'
}

/** A filter that exists from this version on. */
export function filterAdded(
  operations: OperationName | readonly OperationName[],
  key: string,
  { ignored, newer }: FilterAddedOptions,
): Op {
  const what = `filter ${key}`
  const op = byHand(operations, `${what} is new`, {
    ...{ part: 'head', stripsNewer: ['requestUp'], loses: what },
    ...(newer === undefined ? {} : { onLoss: 'refuse' }),
    requestUp: ignored
      ? ({ query }, context, { id }) => {
          if (takeFilter(query, key) !== undefined) context.ignore(what, id)
        }
      : undefined,
    requestDown:
      newer === undefined
        ? undefined
        : ({ query }, context, { id, version }) => {
            const values = readFilters(query).get(key)
            if (values === undefined) return
            if (newer === 'invalid') throw new ProxyError('loss', `Invalid filter '${key}'`)
            if (values.length > 0) context.lose({ what, needs: version, change: id, onLoss: 'refuse' })
          },
  })
  // In either form of filters, beside another that stays.
  const [list, map] = [`filters={"${key}":["x"],"other":["y"]}`, `filters={"${key}":{"x":true}}`]
  const others = { query: 'filters={"other":["y"]}' }
  return {
    ...op,
    examples: examplesIn(operations, (change) => {
      const refused = newer === 'invalid' ? new RegExp(`^Invalid filter '${key}'$`) : refusalOf(what, change)
      return {
        requestUp: [
          { before: { query: list }, after: others },
          { before: { query: map }, after: { query: '' } },
        ],
        requestDown: [
          ...[list, map].map((query) => ({ before: { query }, after: { refused } })),
          { before: others, after: others },
        ],
      }
    }),
  }
}

interface FiltersKnownOptions {
  /** The filters of older engines: they ignored others, so an older client's request loses them. */
  readonly before?: readonly string[] | ((key: string, values: readonly string[]) => boolean)
  /** Those of newer engines: a newer client gets their error for others, which the older engine would ignore. */
  readonly after?: readonly string[]
  /** The status of that error. */
  readonly status?: (client: ApiVersion) => number
  readonly code?: 'validation' | 'bad-request'
  /** With `--newer-fields pass` they stay. */
  readonly stripsNewer?: true
}

/** Unknown filters are an error from this version on. */
export function filtersKnown(
  operations: OperationName | readonly OperationName[],
  { before, after, status = () => 400, code = 'validation', stripsNewer }: FiltersKnownOptions,
): Op {
  const unknown = { query: 'filters={"unknown":["1"]}' }
  const known = typeof before === 'function' ? before : (key: string) => before?.includes(key) ?? true
  return {
    ...byHand(operations, 'unknown filters are errors', {
      part: 'head',
      stripsNewer: stripsNewer ? ['requestUp'] : [],
      requestUp:
        before &&
        (({ query }, context, { id }) =>
          editFilters(query, (filters) => {
            for (const [key, values] of filters) {
              if (known(key, values)) continue
              filters.delete(key)
              context.ignore(`filter ${key}`, id)
            }
          })),
      requestDown:
        after &&
        (({ query }, { client }) => {
          const unknown = [...readFilters(query).keys()].find((key) => !after.includes(key))
          if (unknown !== undefined)
            throw new ProxyError(code, `Invalid filter '${unknown}'`, { status: status(client) })
        }),
    }),
    examples: examplesIn(operations, () => ({
      requestUp: [
        ...(known('unknown', ['1']) ? [] : [{ before: unknown, after: { query: '' }, ignored: ['filter unknown'] }]),
        { before: { query: 'filters=notjson' }, after: { query: 'filters=notjson' } },
      ],
      requestDown: [
        { before: { query: 'filters={"unknown":{"1":true}}' }, after: { refused: /^Invalid filter 'unknown'$/ } },
      ],
    })),
  }
}

/** Filters can be maps of maps from this version on; before, only maps of lists, which every engine reads. */
export const filtersAsMaps = (operations: readonly OperationName[]): Op => ({
  ...byHand(operations, 'filters are written as lists', {
    part: 'head',
    requestDown: ({ query }) => writeFilters(query, readFilters(query)),
  }),
  examples: examplesIn(operations, () => ({
    requestDown: [
      { before: { query: 'filters={"x":{"a":true,"b":false}}' }, after: { query: 'filters={"x":["a"]}' } },
      { before: { query: 'filters={"x":["a"]}&y=1' }, after: { query: 'filters={"x":["a"]}&y=1' } },
      { before: { query: 'filters=notjson' }, after: { query: 'filters=notjson' } },
    ],
  })),
})

/** A parameter that became a filter. */
export const parameterAsFilter = (operation: OperationName, parameter: string, key: string): Op => ({
  ...byHand(operation, `the parameter ${parameter} becomes the filter ${key}`, {
    part: 'head',
    requestUp: ({ query }) => {
      const value = query.get(parameter)
      query.delete(parameter)
      if (value) editFilters(query, (filters) => filters.set(key, [...(filters.get(key) ?? []), value]))
    },
  }),
  examples: examplesIn(operation, () => ({
    requestUp: [
      { before: { query: `a=1&${parameter}=x*` }, after: { query: `a=1&filters={"${key}":{"x*":true}}` } },
      {
        before: { query: `${parameter}=x&filters={"${key}":["y"]}` },
        after: { query: `filters={"${key}":["y","x"]}` },
      },
      { before: { query: `${parameter}=` }, after: { query: '' } },
    ],
  })),
})

const NO_RECORDS = 'filters.no-records'

/**
 * New values of filters: an older engine is asked for the others. If there are none, nothing matches: an empty list, or a stream of
 * events without records. `before`: the filters are new as well, and all objects of an older engine have one of these values.
 */
export function filterValuesAdded(
  operations: OperationName | readonly OperationName[],
  keys: string | readonly string[],
  given: { readonly values: readonly string[] } | { readonly before: readonly string[] },
): Op {
  const all = [keys].flat()
  const isKnown = (value: string): boolean =>
    'before' in given ? given.before.includes(value) : !given.values.includes(value)
  const isStream = list(operations).includes('SystemEvents')
  const op = byHand(operations, `new values of ${all.map((key) => `filter ${key}`).join(', ')} match nothing`, {
    part: { requestDown: 'head' },
    requestDown: ({ query }, { memory }) =>
      editFilters(query, (filters) => {
        for (const key of all) {
          const values = filters.get(key) ?? []
          const known = values.filter(isKnown)
          if (known.length < values.length) filters.set(key, known)
          if ('before' in given || (known.length === 0 && values.length > 0)) filters.delete(key)
          if (known.length > 0 || values.length === 0) continue
          if (!isStream) throw new Answer(200, [])
          memory.set(NO_RECORDS, true)
        }
      }),
    responseUp: isStream ? (_record, { memory }) => (memory.has(NO_RECORDS) ? 'drop' : undefined) : undefined,
  })
  const [added, known] = 'before' in given ? ['new', given.before[0]] : [given.values[0] ?? '', 'known']
  const asked = { query: `filters={"${all[0]}":["${added}"]}` }
  const both = { query: `filters={"${all[0]}":["${added}","${known}"],"other":["y"]}` }
  const left = 'before' in given ? '' : `"${all[0]}":["${known}"],`
  return {
    ...op,
    examples: examplesIn(operations, () => ({
      requestDown: [
        { before: both, after: { query: `filters={${left}"other":["y"]}` } },
        { before: asked, after: isStream ? { query: '' } : { answered: 200 } },
      ],
      responseUp: [{ asked, before: { body: { Type: 'container' } }, after: 'dropped' }],
    })),
  }
}
