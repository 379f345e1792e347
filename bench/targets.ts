import { cellOf, type Group, median, type Row, ratio } from './result.ts'

/** How two figures, or one and a bound, are held against each other. */
type Measure =
  | { readonly kind: 'ratio'; readonly to: string }
  /** What it is more than the other, in the row's unit. */
  | { readonly kind: 'added'; readonly to: string }
  | { readonly kind: 'value' }

interface Target {
  readonly row: string
  readonly of: string
  readonly measure: Measure
  readonly bound: number
  readonly atLeast: boolean
}

const atLeast = (row: string, bound: number, to = 'relay', of = 'bridge'): Target => ({
  row,
  of,
  measure: { kind: 'ratio', to },
  bound,
  atLeast: true,
})
const atMost = (row: string, bound: number, measure: Measure, of = 'bridge'): Target => ({
  row,
  of,
  measure,
  bound,
  atLeast: false,
})

/** What was aimed at: a sidecar on every call is to be unnoticeable. */
const TARGETS: readonly Target[] = [
  ...['ping', 'inspect', 'list of 100'].flatMap((what) =>
    [1, 32].flatMap((count) => {
      const row = `${what}, nothing to translate, ${count} connection${count === 1 ? '' : 's'}`
      return [
        atLeast(row, 0.9),
        atMost(`${row}, p50`, 1.1, { kind: 'ratio', to: 'relay' }),
        atLeast(row, 1, 'socket-proxy'),
      ]
    }),
  ),
  ...['the same again', 'another each time'].flatMap((which) => [
    atLeast(`inspect, translated, ${which}, 32 connections`, 0.6),
    atLeast(`inspect, translated, ${which}, 32 connections`, 1, 'socket-proxy'),
  ]),
  ...['the same again', 'one container changed', 'every container changed'].map((which) =>
    atLeast(`list of 100, translated, ${which}, 32 connections`, 0.5),
  ),
  atMost('list of 100, p50', 1.15, { kind: 'ratio', to: 'direct' }),
  atMost('inspect, p50', 0.3, { kind: 'added', to: 'direct' }),
  ...['1 GiB of tar down', '1 GiB of tar up', 'tunnel, 1 GiB'].flatMap((row) => [
    atLeast(row, 0.9),
    atLeast(row, 0.5, 'haproxy'),
  ]),
  ...['tunnel ping-pong', 'tunnel ping-pong over unix sockets'].map((what) =>
    atMost(`${what}, p50`, 2.5, { kind: 'ratio', to: 'direct' }),
  ),
  ...['as it comes', 'translated, one container changed', 'translated, every container changed'].map((which) =>
    atMost(`ping-pong beside lists of 2000 ${which}, p99`, 10, { kind: 'value' }),
  ),
  atMost('a list of 2000 translated, every container changed, processor of all that is done for it', 3, {
    kind: 'ratio',
    to: 'parse and write',
  }),
  atLeast('events followed', 0.98, 'direct'),
  atMost('events, p99 of lateness', 5, { kind: 'added', to: 'direct' }),
  atMost('memory with 1000 idle streams', 100, { kind: 'value' }),
  atMost('until the first answer', 250, { kind: 'value' }, 'installed'),
  ...['', ', each process held to a fifth of a processor'].flatMap((how) =>
    ['', ', audit'].flatMap((audit) =>
      ['inspect, nothing to translate', 'inspect, translated, another each time'].map((what) =>
        atLeast(`${what}, 32 connections${how}`, 1.7, `1 worker${audit}`, `2 workers${audit}`),
      ),
    ),
  ),
]

/** Each target beside what was measured. One whose other side did not run is left out. */
export function targetsTable(groups: readonly Group[]): string {
  const rows = groups.flatMap((group) => group.rows)
  const lines = TARGETS.flatMap((target) => {
    const found = rows.find((row) => row.what === target.row && sides(target).every((name) => cellOf(row, name)))
    return found === undefined ? [] : [lineOf(target, found)]
  })
  return ['| | target | measured | |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

const sides = ({ of, measure }: Target): string[] => (measure.kind === 'value' ? [of] : [of, measure.to])

function lineOf({ row, of, measure, bound, atLeast: least }: Target, found: Row): string {
  const { figure, unit, than } = held(found, of, measure)
  const met = least ? figure >= bound : figure <= bound
  const sign = least ? '≥' : '≤'
  const who = of === 'bridge' ? '' : ` (${of})`
  return `| ${row}${who} | ${sign} ${bound}${unit}${than} | ${figure.toPrecision(3)}${unit} | ${met ? 'met' : '**not met**'} |`
}

function held(row: Row, of: string, measure: Measure): { figure: number; unit: string; than: string } {
  const own = cellOf(row, of)
  const other = measure.kind === 'value' ? own : cellOf(row, measure.to)
  if (own === undefined || other === undefined) throw new RangeError(`${row.what} lacks ${of}`)
  switch (measure.kind) {
    case 'ratio':
      return { figure: ratio(own, other), unit: '×', than: ` ${measure.to}` }
    case 'added':
      return {
        figure: median(own.rounds) - median(other.rounds),
        unit: ` ${row.unit}`,
        than: ` more than ${measure.to}`,
      }
    case 'value':
      return { figure: median(own.rounds), unit: ` ${row.unit}`, than: '' }
    default:
      return measure satisfies never
  }
}
