import type { JsonObject } from '../../api/json/json.ts'
import { asPlainJson } from '../../config/text.ts'
import { settings } from '../../proxy/settings/settings.ts'
import { type Io, type Run, UsageError, unusable } from '../command.ts'
import { cut, lookOf, painted, plain, printable, type WholeLook } from '../words/text.ts'
import { follow } from './follow.ts'
import { asRecord, number, objects, text } from './records.ts'

const LINES = '20'

/** `enginebridge audit tail [FILE]`: calls as they end, streams and tunnels as they open, a line each. */
export const run: Run = async ({ words, value, has }, io) => {
  const lines = Number(value('lines') ?? LINES)
  if (!Number.isInteger(lines) || lines < 0) throw new UsageError('--lines takes a number')
  const path = words[0] ?? logOf(io)
  const stopped = has('once') ? Promise.resolve() : io.stopping()
  const look = { ...lookOf(io), all: has('all'), json: has('json') }
  try {
    for await (const line of follow(path, lines, stopped))
      for (const shown of shownLines(line, look)) io.stdout.write(`${shown}\n`)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) unusable(Object.assign(cause, { path })) // errors of reads name no file
    throw cause
  }
  return 0
}

/** The first file among `ENGINEBRIDGE_AUDIT_LOG`, as the bridge reads it. */
function logOf({ env }: Io): string {
  const logs = (env['ENGINEBRIDGE_AUDIT_LOG'] ?? settings['audit-log'].default ?? '').split(/[\s,]+/)
  const file = logs.find((log) => log !== '' && log !== '-' && log !== 'off')
  if (file === undefined) throw new UsageError('FILE is missing, and ENGINEBRIDGE_AUDIT_LOG names none')
  return file
}

interface Look extends WholeLook {
  /** Records as they stand in the log instead of words for people. */
  readonly json?: boolean
}

/** The text for a line of the log; none for a record that adds nothing. */
export const shownLines = (line: string, look: Look): string[] =>
  linesFor(line, look).map(look.json === true ? asPlainJson : printable)

function linesFor(line: string, look: Look): string[] {
  const record = asRecord(line)
  if (record === undefined)
    return line.trim() === '' || look.json === true ? [] : [look.paint('red', '(not an audit record)')]
  const stage = text(record, 'stage')
  const long = text(record, 'lane') === 'tunnel' || text(record, 'lane') === 'records'
  const tellsNothingNew = !look.all && (stage === 'received' || (stage === 'answered' && !long))
  if (look.json === true) return tellsNothingNew ? [] : [line.trimEnd()]
  const dropped = number(record, 'dropped', 'count') ?? 0
  if (stage === 'dropped')
    return [look.paint('red', `${timeOf(record)} ${dropped} records had to be dropped before this one`)]
  if (stage === 'recovered') return [look.paint('yellow', `${timeOf(record)} a crash tore the line before this one`)]
  if (tellsNothingNew) return []
  return [callLine(record, stage ?? '', look), ...details(record, look)]
}

const timeOf = (record: JsonObject): string => (text(record, 'time') ?? '').slice(11, 19)

const MARKS: Readonly<Record<string, string>> = { received: '>', answered: '…' }

/** `12:00:00 200 GET /containers/json   1.24→1.44   12 ms docker-py/1.10.6` */
function callLine(record: JsonObject, stage: string, { columns, paint }: Look): string {
  const status = number(record, 'status')
  const state = status === undefined || stage === 'received' ? (MARKS[stage] ?? '-').padEnd(3) : String(status)
  const [client, target] = [text(record, 'clientVersion'), text(record, 'targetVersion')]
  const versions = client === undefined ? '' : client === target ? client : `${client}→${target ?? '?'}`
  const agent = (text(record, 'userAgent') ?? '').split(' ')[0] ?? ''
  const total = number(record, 'duration', 'total')
  const took = stage === 'answered' ? 'open' : total === undefined ? '' : duration(total)
  const call = `${text(record, 'method') ?? ''} ${text(record, 'path') ?? ''}`
  const rest = ` ${versions.padEnd(9)} ${took.padStart(7)} ${cut(agent, 18)}`
  const room = Math.max(20, columns - 13 - 19 - 18)
  const colour = (status ?? 0) >= 500 ? 'red' : (status ?? 0) >= 400 ? 'yellow' : 'green'
  return `${paint('dim', timeOf(record))} ${paint(colour, state)} ${cut(call, room).padEnd(room)}${rest}`.trimEnd()
}

function details(record: JsonObject, look: Look): string[] {
  const note = (style: 'red' | 'yellow', words: string): string[] => painted(look, style, plain(words), ' '.repeat(13))
  const [code, message] = [text(record, 'error', 'code'), text(record, 'error', 'message')]
  const losses = objects(record, 'losses').map((loss) => `${text(loss, 'what')} (${text(loss, 'change')})`)
  return [
    ...(code === undefined ? [] : note('red', `${code}: ${message}`)),
    ...(losses.length === 0 ? [] : note('yellow', `lost: ${losses.join(', ')}`)),
  ]
}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

function duration(milliseconds: number): string {
  if (milliseconds < SECOND_MS) return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`
  if (milliseconds < MINUTE_MS) return `${(milliseconds / SECOND_MS).toFixed(1)} s`
  return `${Math.floor(milliseconds / MINUTE_MS)} min`
}
