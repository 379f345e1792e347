import { integer, isObject, type JsonObject, type JsonValue, stringOf } from '../../src/api/json/json.ts'
import { ProgressRecord } from '../../src/api/shapes/shapes.ts'
import { type Change, removed } from '../../src/translate/ops.ts'

const WIDTH = 50
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB']

/** Four digits at most (go-units, HumanSize). */
function humanSize(bytes: number): string {
  const power = UNITS.findIndex((_unit, i) => bytes < 1000 ** (i + 1) || i === UNITS.length - 1)
  return `${Number((bytes / 1000 ** power).toPrecision(4))}${UNITS[power]}`
}

/** The progress text of engines up to 28.5 (pkg/jsonmessage/jsonmessage.go, JSONProgress.String @v28.5.2); '' without progress. */
function progressText(detail: JsonValue | undefined): string {
  if (!isObject(detail)) return ''
  const { current: done, total: all } = detail
  const [current, total] = [Number(integer(done) ?? 0n), Number(integer(all) ?? 0n)]
  const units = stringOf(detail['units'])
  if (current <= 0 && total <= 0) return ''
  const counted = units === '' ? humanSize(current).padStart(8) : `${current}`
  if (total <= 0 || current > total) {
    const alone = units === '' ? counted : `${counted} ${units}`
    return total <= 0 ? alone : `${bar(1)}${detail['hidecounts'] === true ? '' : alone}`
  }
  const of = units === '' ? `${counted}/${humanSize(total)}` : `${counted}/${total} ${units}`
  return `${bar(current / total)}${detail['hidecounts'] === true ? '' : of}`
}

function bar(part: number): string {
  const done = Math.max(0, Math.floor(Math.floor(part * 100) / 2))
  return `[${'='.repeat(done)}>${' '.repeat(WIDTH - done)}] `
}

const COUNTED = { status: 'Downloading', progressDetail: { current: 1500000, total: 6000000 }, id: 'a' }
const progress = '[============>                                      ]    1.5MB/6MB'

const shown = (progressDetail: JsonObject, progress: string) =>
  [{ progressDetail }, { progressDetail, progress }] as const

export const progressTextGone = {
  summary: 'Records of build, pull and push no longer have `progress`, the text beside progressDetail.',
  see: 'docs/api/version-history.md v1.48 (deprecated); moby 5a144c40e2, in 29.0; pkg/streamformatter @v28.5.2',
  // Clients that read `progress` show nothing without it.
  ops: removed(ProgressRecord, 'progress', {
    down: ({ progressDetail: detail }) => progressText(detail) || undefined,
    sample: 'half',
  }),
  examples: {
    'ImageCreate responseDown body': [
      [COUNTED, { ...COUNTED, progress }],
      shown({ current: 999950 }, '  1000kB'),
      shown({ current: 3, total: 2, units: 'layers' }, `[${'='.repeat(50)}>] 3 layers`),
      shown({ current: 1, total: 2, hidecounts: true }, `[${'='.repeat(25)}>${' '.repeat(25)}] `),
      // Engines write negative numbers unchanged; a bar of negative length would throw.
      shown({ current: -1, total: 2 }, `[>${' '.repeat(50)}]      -1B/2B`),
      [{ status: 'Waiting', progressDetail: {} }],
    ],
  },
} satisfies Change
