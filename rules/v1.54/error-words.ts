import type { OperationName } from '../../src/api/operations.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { errorWords, inWords, type Reworded } from '../by-hand/reworded.ts'

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n
const MOST_DIGITS = 20

/** The engine's error for an invalid `seconds.nanoseconds`; undefined if it is valid (daemon/internal/timestamp:parseTimestamp @docker-v29.4.0). */
function whyNoMoment(value: string): string | undefined {
  const point = value.indexOf('.')
  const seconds = point < 0 ? value : value.slice(0, point)
  const nanoseconds = point < 0 ? '' : value.slice(point + 1)
  if (!/^[+-]?\d+$/.test(seconds)) return `invalid seconds "${seconds}": invalid syntax`
  const whole = BigInt(seconds.replace('+', ''))
  if (whole < LEAST || whole > MOST) return `invalid seconds "${seconds}": value out of range`
  if (nanoseconds.length > MOST_DIGITS)
    return `invalid nanoseconds: length ${nanoseconds.length} exceeds maximum ${MOST_DIGITS}`
  const at = nanoseconds.search(/\D/)
  return at < 0 ? undefined : `invalid nanoseconds: invalid character '${nanoseconds[at]}' at position ${at}`
}

/** The newer text for the first invalid parameter of `since` and `until`. */
function newerMoment(quote: string, { call }: StepContext): string {
  for (const name of ['since', 'until']) {
    const value = call.query.get(name) ?? ''
    const why = value === '' ? undefined : whyNoMoment(value)
    if (why !== undefined) return `invalid value for ${quote}${name}${quote}: invalid timestamp "${value}": ${why}`
  }
  return 'invalid timestamp'
}

/** The older text, which only has the invalid number. */
function olderMoment(prefix: string, [, value = '', seconds, outOfRange]: RegExpExecArray): string {
  const number = seconds ?? value.slice(value.indexOf('.') + 1)
  return `${prefix}strconv.ParseInt: parsing "${number}": ${outOfRange === '' ? 'invalid syntax' : 'value out of range'}`
}

const MANY = '"99999999999999999999"'
const MOMENTS = [
  ['since=1&until=abc', '"abc": invalid syntax', 'until', '"abc": invalid seconds "abc": invalid syntax'],
  ['since=1.x', '"x": invalid syntax', 'since', `"1.x": invalid nanoseconds: invalid character 'x' at position 0`],
  [
    `until=${MANY.slice(1, -1)}`,
    `${MANY}: value out of range`,
    'until',
    `${MANY}: invalid seconds ${MANY}: value out of range`,
  ],
] as const

const moment = (on: Reworded['on'], quote: string, prefix = ''): Reworded => ({
  on,
  before: {
    status: 500,
    says: new RegExp(`^${prefix}strconv\\.ParseInt: parsing ".*": (?:invalid syntax|value out of range)$`, 's'),
    text: (found) => olderMoment(prefix, found),
  },
  after: {
    status: 400,
    says: new RegExp(
      `^invalid value for ${quote}(?:since|until)${quote}: invalid timestamp "([^"]*)": invalid (?:seconds "([^"]*)"|nanoseconds).*?(value out of range$|exceeds maximum|$)`,
      's',
    ),
    text: (_, context) => newerMoment(quote, context),
  },
  samples: MOMENTS.map(([query, older, name, newer]) => ({
    asked: { query },
    before: `${prefix}strconv.ParseInt: parsing ${older}`,
    after: `invalid value for ${quote}${name}${quote}: invalid timestamp ${newer}`,
  })),
})

const streams = (on: Reworded['on'], status: number): Reworded =>
  inWords(
    on,
    `${status} Bad parameters: you must choose at least one stream`,
    "400 must specify at least one of 'stdout' or 'stderr'",
  )

const UNTIL = 'failed to parse value as time or duration'
const untilOf = ({ call }: StepContext): string => readFilters(call.query).get('until')?.[0] ?? ''

/** `prefix`: of the newer text. */
const until = (on: readonly OperationName[], status: number, prefix: string): Reworded => ({
  on,
  before: {
    status,
    says: new RegExp(`^${UNTIL}: "`),
    text: (_, context) => `${UNTIL}: ${JSON.stringify(untilOf(context))}`,
  },
  after: {
    status: 400,
    says: new RegExp(`^${prefix}${UNTIL}: invalid (?:seconds|nanoseconds)`),
    text: (_, context) => `${prefix}${UNTIL}: ${whyNoMoment(untilOf(context)) ?? 'invalid seconds'}`,
  },
  samples: [
    {
      asked: { query: 'filters={"until":["zz"]}' },
      before: `${UNTIL}: "zz"`,
      after: `${prefix}${UNTIL}: invalid seconds "zz": invalid syntax`,
    },
  ],
})

/** The same text with 400 instead of 500. */
const nowBadRequest = (on: Reworded['on'], like: string, sample: string): Reworded =>
  inWords(on, '500 $1', '400 $1', [[like, sample]])

export default errorWords(
  {
    summary: 'Invalid numbers and times are 400 instead of 500, and the error names the parameter.',
    see: 'container_routes.go, system_routes.go, swarm/helpers.go, daemon/images @docker-v29.3.1, @docker-v29.4.0; seen on 20.10, 26.1, 28.5 and 29.8',
  },
  [
    moment('SystemEvents', "'"),
    moment('ContainerLogs', '"'),
    moment(['ServiceLogs', 'TaskLogs'], '"', 'could not parse since timestamp: '),
    streams('ContainerLogs', 400),
    streams(['ServiceLogs', 'TaskLogs'], 500),
    until(['ImageList', 'ImagePrune'], 500, "invalid value for 'until' filter: "),
    until(['ContainerPrune', 'NetworkPrune'], 400, ''),
    nowBadRequest('ImagePrune', 'more than one until filter specified', 'more than one until filter specified'),
    nowBadRequest(
      ['ContainerList', 'ContainerStop'], // an invalid time of a restart is still 500
      'strconv\\.Atoi: parsing .*',
      'strconv.Atoi: parsing "abc": invalid syntax',
    ),
  ],
)
