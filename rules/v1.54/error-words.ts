import { readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import { type Change, errorTexts } from '../../src/translate/ops.ts'

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

/** The first invalid parameter of `since` and `until`, and why it is invalid. */
function invalidMoment(query: URLSearchParams): [name: string, value: string, why: string] {
  for (const name of ['since', 'until']) {
    const value = query.get(name) ?? ''
    const why = value === '' ? undefined : whyNoMoment(value)
    if (why !== undefined) return [name, value, why]
  }
  return ['since', '', 'invalid seconds']
}

const BIG = '99999999999999999999'

const moments = errorTexts(
  `
  SystemEvents
    400 invalid value for '{parameter}': invalid timestamp "{value}": {why}
      500 strconv.ParseInt: parsing "{number}": {fault=invalid syntax|value out of range}
  ContainerLogs
    400 invalid value for "{parameter}": invalid timestamp "{value}": {why}
      500 strconv.ParseInt: parsing "{number}": {fault=invalid syntax|value out of range}
  ServiceLogs TaskLogs
    400 invalid value for "{parameter}": invalid timestamp "{value}": {why}
      500 could not parse since timestamp: strconv.ParseInt: parsing "{number}": {fault=invalid syntax|value out of range}
`,
  {
    holes: {
      parameter: ({ query }) => invalidMoment(query)[0],
      value: ({ query }) => invalidMoment(query)[1],
      why: ({ query }) => invalidMoment(query)[2],
      // The older text has the invalid number only.
      number: ({ found: { value = '', why = '' } }) =>
        /^invalid seconds "([^"]*)"/.exec(why)?.[1] ?? value.slice(value.indexOf('.') + 1),
      fault: ({ found: { why = '' } }) =>
        /value out of range$|exceeds maximum/.test(why) ? 'value out of range' : 'invalid syntax',
    },
    samples: [
      {
        query: 'since=1&until=abc',
        values: { parameter: 'until', value: 'abc', why: 'invalid seconds "abc": invalid syntax', number: 'abc' },
      },
      {
        query: 'since=1.x',
        values: {
          ...{ parameter: 'since', value: '1.x', number: 'x' },
          why: "invalid nanoseconds: invalid character 'x' at position 0",
        },
      },
      {
        query: `until=${BIG}`,
        values: {
          ...{ parameter: 'until', value: BIG, number: BIG, fault: 'value out of range' },
          why: `invalid seconds "${BIG}": value out of range`,
        },
      },
    ],
  },
)

const others = errorTexts(
  `
  ContainerLogs
    400 must specify at least one of 'stdout' or 'stderr'
      400 Bad parameters: you must choose at least one stream
  ServiceLogs TaskLogs
    400 must specify at least one of 'stdout' or 'stderr'
      500 Bad parameters: you must choose at least one stream
  ImageList ImagePrune
    400 invalid value for 'until' filter: failed to parse value as time or duration: invalid {what}
      500 failed to parse value as time or duration: "{until}"
  ContainerPrune NetworkPrune
    400 failed to parse value as time or duration: invalid {what}
      400 failed to parse value as time or duration: "{until}"
  ImagePrune
    400 more than one until filter specified
      500 more than one until filter specified
  ContainerList ContainerStop
    # An invalid time of a restart is still 500.
    400 strconv.Atoi: parsing {number}
      500 strconv.Atoi: parsing {number}
`,
  {
    holes: {
      what: ({ query }) => whyNoMoment(untilOf(query))?.slice('invalid '.length) ?? 'seconds',
      until: ({ query }) => untilOf(query),
    },
    samples: [{ query: 'filters={"until":["zz"]}', values: { until: 'zz', what: 'seconds "zz": invalid syntax' } }],
  },
)

function untilOf(query: URLSearchParams): string {
  return readFilters(query).get('until')?.[0] ?? ''
}

export default {
  summary: 'Invalid numbers and times are 400 instead of 500, and the error names the parameter.',
  see: 'container_routes.go, system_routes.go, swarm/helpers.go, daemon/images @docker-v29.3.1, @docker-v29.4.0; seen on 20.10, 26.1, 28.5 and 29.8',
  ops: [moments, others],
} satisfies Change
