import { cellOf, type Group, HIGHEST, median, type Row, ratio } from './result.ts'

/** The way in which two figures, or one figure and a bound, are compared. */
type Measure =
  | { readonly kind: 'ratio'; readonly to: string }
  /** The difference from the other figure, in the row's unit. */
  | { readonly kind: 'added'; readonly to: string }
  | { readonly kind: 'value' }

interface Target {
  readonly row: string
  readonly of: string
  readonly measure: Measure
  readonly bound: number
  readonly atLeast: boolean
}

const atLeast = (row: string, bound: number, to: string, of = 'bridge'): Target => {
  return { row, of, measure: { kind: 'ratio', to }, bound, atLeast: true }
}
const atMost = (row: string, bound: number, measure: Measure): Target => {
  return { row, of: 'bridge', measure, bound, atLeast: false }
}
const VALUE: Measure = { kind: 'value' }

const TRANSLATED = 'inspect translated, another each time, 32 connections'

/** The bounds within which a sidecar on every call is unnoticeable. */
const TARGETS: readonly Target[] = [
  ...['ping', 'inspect'].flatMap((what) => [
    atLeast(`${what}, 1 connection`, 0.7, 'haproxy'),
    atLeast(`${what}, 1 connection`, 1.6, 'relay'),
    atLeast(`${what}, 1 connection`, 1.5, 'socket-proxy'),
    atLeast(`${what}, 32 connections`, 0.6, 'haproxy'),
    atLeast(`${what}, 32 connections`, 2.5, 'relay'),
    atLeast(`${what}, 32 connections`, 3, 'socket-proxy'),
  ]),
  atLeast('list of 100, 32 connections', 1.2, 'relay'),
  atLeast('list of 100, 32 connections', 1.2, 'socket-proxy'),
  atLeast(TRANSLATED, 1, 'relay'),
  atLeast(TRANSLATED, 2, 'socket-proxy'),
  atLeast('inspect, 32 connections', 0.75, 'bridge', 'bridge, audit'),
  atLeast(TRANSLATED, 0.75, 'bridge', 'bridge, audit'),
  atMost('list of 100, p50', 1.12, { kind: 'ratio', to: 'direct' }),
  atMost('inspect, p50', 0.15, { kind: 'added', to: 'direct' }),
  atMost('inspect of 1.20, p50', 0.3, { kind: 'added', to: 'direct' }),
  ...['1 GiB of tar down', '1 GiB of tar up', 'tunnel, 1 GiB'].map((row) => atLeast(row, 0.8, 'haproxy')),
  atMost('typed into an attached terminal, echo p50', 1.5, { kind: 'ratio', to: 'direct' }),
  atMost('tunnel ping-pong over unix sockets, p50', 1.5, { kind: 'ratio', to: 'direct' }),
  atMost('memory after the start', 75, VALUE),
  atMost('memory with 1000 idle streams', 100, VALUE),
  atMost(HIGHEST, 160, VALUE),
  atMost('first answer after the start', 150, VALUE),
  ...['inspect', 'inspect translated, another each time'].map((what) =>
    atLeast(`${what}, 32 connections, each process held to a fifth of a processor`, 1.8, '1 worker', '2 workers'),
  ),
]

/** Each target with the measured figure; for memory, the most of all groups. A target whose other contender did not run is left out. */
export function targetsTable(groups: readonly Group[]): string {
  const rows = groups.flatMap((group) => group.rows)
  const lines = TARGETS.flatMap((target) => {
    const found = rows.filter((row) => row.what === target.row && sides(target).every((name) => cellOf(row, name)))
    const [worst] = found.toSorted((a, b) => held(b, target).figure - held(a, target).figure)
    return worst === undefined ? [] : [lineOf(target, worst)]
  })
  return ['| | target | measured | |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

const sides = ({ of, measure }: Target): string[] => (measure.kind === 'value' ? [of] : [of, measure.to])

function lineOf(target: Target, found: Row): string {
  const { row, of, bound, atLeast: least } = target
  const { figure, unit, than } = held(found, target)
  const met = least ? figure >= bound : figure <= bound
  const sign = least ? '≥' : '≤'
  const who = of === 'bridge' ? '' : ` (${of})`
  return `| ${row}${who} | ${sign} ${bound}${unit}${than} | ${figure.toPrecision(3)}${unit} | ${met ? 'met' : '**not met**'} |`
}

function held(row: Row, { of, measure }: Target): { figure: number; unit: string; than: string } {
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
