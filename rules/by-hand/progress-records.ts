import { integer, isObject, type JsonValue, stringOf } from '../../src/api/json/json.ts'

const WIDTH = 50
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB']

/** Four digits at most (go-units, HumanSize). */
function humanSize(bytes: number): string {
  const power = UNITS.findIndex((_unit, i) => bytes < 1000 ** (i + 1) || i === UNITS.length - 1)
  return `${Number((bytes / 1000 ** power).toPrecision(4))}${UNITS[power]}`
}

/** The progress text of engines up to 28.5 (pkg/jsonmessage/jsonmessage.go, JSONProgress.String @v28.5.2); '' without progress. */
export function progressText(detail: JsonValue | undefined): string {
  if (!isObject(detail)) return ''
  const [current, total] = [detail['current'], detail['total']].map((count) => Number(integer(count) ?? 0n)) as [
    number,
    number,
  ]
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
