import { ProxyError } from '../../src/api/errors.ts'
import { type Change, filterApplied } from '../../src/translate/ops.ts'

/** Milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3 },
  ...{ ms: 1, s: 1e3, m: 60e3, h: 3600e3 },
}
const DURATION = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/
const PART = /(?<![\d.])(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g
const DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2}(?:\.\d+)?))?)?)?(Z|[+-]\d{2}:\d{2})?$/

function duration(value: string): number {
  let sum = 0
  for (const [, count, unit = ''] of value.matchAll(PART)) sum += Number(count) * (UNITS[unit] ?? 0)
  return value.startsWith('-') ? -sum : sum
}

function date(value: string): number | undefined {
  const [, day, hours = '00', minutes = '00', seconds = '00', zone = 'Z'] = DATE.exec(value) ?? []
  const found = Date.parse(`${day}T${hours}:${minutes}:${seconds}${zone}`)
  return Number.isNaN(found) ? undefined : found
}

/**
 * Reads a time as engines do, in milliseconds since 1970: seconds, a duration before now, or a date, in UTC unless it has a
 * zone (api/types/time/timestamp.go:GetTimestamp @v25.0.6). Undefined for anything else.
 */
function moment(value: string, now: number): number | undefined {
  if (/^\d+(?:\.\d{1,9})?$/.test(value)) return Number(value) * 1000
  if (DURATION.test(value)) return now - duration(value)
  return date(value)
}

const AROUND = { keeps: { Created: 1_699_999_999 }, drops: { Created: 1_700_000_000 } }

export default {
  summary: 'Images can be listed by age.',
  see: 'docs/api/version-history.md v1.44; daemon/images/image_list.go @v25.0.6; moby integration/image/list_test.go @v28.5.2',
  ops: filterApplied('ImageList', ['until'], {
    keeps: (filters) => {
      const now = Date.now()
      const before = Math.min(...(filters.get('until') ?? []).map((value) => moment(value, now) ?? 0))
      // A list has whole seconds: images of the very second are kept.
      return ({ Created: created }) => Number(created) * 1000 < before
    },
    checks: (filters) => {
      const unclear = filters.get('until')?.find((value) => moment(value, 0) === undefined)
      if (unclear !== undefined)
        throw new ProxyError('bad-request', `failed to parse value as time or duration: ${JSON.stringify(unclear)}`)
    },
    samples: [
      { asks: '{"until":["1700000000"]}', ...AROUND },
      { asks: '{"until":["2023-11-14T22:13:20Z","2024-01-01"]}', ...AROUND },
      { asks: '{"until":["1h30m"]}', keeps: { Created: 1_700_000_000 }, drops: { Created: 9_999_999_999 } },
    ],
  }),
  examples: {
    'ImageList requestDown': [['filters={"until":["zz"]}', /failed to parse value as time or duration: "zz"/]],
  },
} satisfies Change
