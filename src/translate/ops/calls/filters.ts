import { type ErrorCode, ProxyError } from '../../../api/errors.ts'
import type { ApiVersion } from '../../../api/version.ts'
import type { Op } from '../../change.ts'
import type { ExampleRow } from '../../example.ts'
import { Answer } from '../../message.ts'
import { byHand, list, type Operations } from '../by-hand.ts'
import { exactly, refusalOf } from '../sample.ts'
import { editFilters, readFilters, takeFilter } from './filter-values.ts'

export interface FilterAddedOptions {
  /** Older engines ignored it: an older client's request loses it. */
  readonly ignored?: true
  /** Outcome for a newer client: the loss is refused, or the older engine's `Invalid filter 'key'`. By default the filter stays. */
  readonly newer?: 'refuse' | 'invalid'
}

const invalid = (key: string): string => `Invalid filter '${key}'`

/** A filter that exists from this version on. */
export function filterAdded(operations: Operations, key: string, { ignored, newer }: FilterAddedOptions): Op {
  const what = `filter ${key}`
  // In either form of filters, beside another that stays.
  const [list, map] = [`filters={"${key}":["x"],"other":["y"]}`, `filters={"${key}":{"x":true}}`]
  const others = 'filters={"other":["y"]}'
  return byHand(
    operations,
    `${what} is new`,
    {
      ...{ part: 'head', stripsNewer: ['requestUp'], loses: what },
      ...(newer === undefined ? {} : { onLoss: 'refuse' }),
      requestUp:
        ignored &&
        (({ query }, context, { id }) => {
          if (takeFilter(query, key) !== undefined) context.ignore(what, id)
        }),
      requestDown:
        newer &&
        (({ query }, context, { id, version }) => {
          const values = readFilters(query).get(key)
          if (values === undefined) return
          if (newer === 'invalid') throw new ProxyError('loss', invalid(key))
          if (values.length > 0) context.lose({ what, needs: version, change: id, onLoss: 'refuse' })
        }),
    },
    (change) => {
      const refused = newer === 'invalid' ? exactly(invalid(key)) : refusalOf(what, change)
      return {
        requestUp: [
          [list, others],
          [map, ''],
        ],
        requestDown: [[list, refused], [map, refused], [others]],
      }
    },
  )
}

interface FiltersKnownOptions {
  /** The filters of older engines: they ignored others, so an older client's request loses them. */
  readonly before?: readonly string[] | ((key: string, values: readonly string[]) => boolean)
  /** The filters of newer engines: a newer client gets their error for others, which the older engine would ignore. */
  readonly after?: readonly string[]
  /** The status of that error. */
  readonly status?: (client: ApiVersion) => number
  readonly code?: ErrorCode
  /** The filters stay with `--newer-fields pass`. */
  readonly stripsNewer?: true
}

/** Unknown filters are an error from this version on. */
export function filtersKnown(
  operations: Operations,
  { before, after, status = () => 400, code = 'validation', stripsNewer }: FiltersKnownOptions,
): Op {
  const isKnown = typeof before === 'function' ? before : (key: string) => before?.includes(key) ?? true
  const unknown = 'filters={"unknown":["1"]}'
  const taken: ExampleRow[] = isKnown('unknown', ['1']) ? [] : [[unknown, '', { ignored: ['filter unknown'] }]]
  return byHand(
    operations,
    'unknown filters are errors',
    {
      part: 'head',
      stripsNewer: stripsNewer ? ['requestUp'] : [],
      requestUp:
        before &&
        (({ query }, context, { id }) =>
          editFilters(query, (filters) => {
            for (const [key, values] of filters) {
              if (isKnown(key, values)) continue
              filters.delete(key)
              context.ignore(`filter ${key}`, id)
            }
          })),
      requestDown:
        after &&
        (({ query }, { client }) => {
          const key = [...readFilters(query).keys()].find((one) => !after.includes(one))
          if (key !== undefined) throw new ProxyError(code, invalid(key), { status: status(client) })
        }),
    },
    () => ({ requestUp: [...taken, ['filters=notjson']], requestDown: [[unknown, exactly(invalid('unknown'))]] }),
  )
}

/** A parameter that became a filter. `showsAll`: it also showed elements that the list has only with `all`. */
export function parameterAsFilter(
  operations: Operations,
  parameter: string,
  key: string,
  { showsAll = false }: { readonly showsAll?: boolean } = {},
): Op {
  const all = showsAll ? '&all=1' : ''
  return byHand(
    operations,
    `the parameter ${parameter} becomes the filter ${key}`,
    {
      part: 'head',
      requestUp: ({ query }) => {
        const value = query.get(parameter)
        query.delete(parameter)
        if (!value) return
        editFilters(query, (filters) => filters.set(key, [...(filters.get(key) ?? []), value]))
        if (showsAll) query.set('all', '1')
      },
    },
    () => ({
      requestUp: [
        [`a=1&${parameter}=x*`, `a=1&filters={"${key}":{"x*":true}}${all}`],
        [`${parameter}=x&filters={"${key}":["y"]}`, `filters={"${key}":["y","x"]}${all}`],
        [`${parameter}=`, ''],
      ],
    }),
  )
}

const NO_RECORDS = 'filters.no-records'

/**
 * New values of filters: an older engine is asked for the others. If there are none, nothing matches: an empty list, or a stream of
 * events without records. `before`: the filters are new as well, and all objects of an older engine have one of these values.
 */
export function filterValuesAdded(
  operations: Operations,
  keys: string | readonly string[],
  given: { readonly values: readonly string[] } | { readonly before: readonly string[] },
): Op {
  const all = [keys].flat()
  const isKnown = (value: string): boolean =>
    'before' in given ? given.before.includes(value) : !given.values.includes(value)
  const isStream = list(operations).includes('SystemEvents')
  const [added, known] = 'before' in given ? ['new', given.before[0]] : [given.values[0] ?? '', 'known']
  const asked = `filters={"${all[0]}":["${added}"]}`
  const left = 'before' in given ? '' : `"${all[0]}":["${known}"],`
  return byHand(
    operations,
    `new values of ${all.map((key) => `filter ${key}`).join(', ')} match nothing`,
    {
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
    },
    () => ({
      requestDown: [
        [`filters={"${all[0]}":["${added}","${known}"],"other":["y"]}`, `filters={${left}"other":["y"]}`],
        [asked, isStream ? '' : { answered: 200 }],
      ],
      responseUp: [[{ body: { Type: 'container' } }, 'dropped', { asked }]],
    }),
  )
}
