import { writeJson } from '../../api/json/json.ts'
import type { Example, ExamplePart } from '../../translate/change.ts'

/** Before and after of a rule's example, for a screen. */
const MAX_LINES = 30
const INDENT = 2

export function exampleLines({ before, after, leg }: Example, columns: number): string[] {
  const [from, to] = leg.startsWith('request') ? ['client sends', 'engine gets'] : ['engine answers', 'client gets']
  const width = 15
  return [...side(from.padEnd(width), partText(before), columns), ...side(to.padEnd(width), afterText(after), columns)]
}

function afterText(after: Example['after']): readonly (string | object)[] {
  if (after === 'dropped') return ['(this record is left out)']
  if ('refused' in after) return [`(refused: ${plain(after.refused)})`]
  if ('answered' in after) return [`(the bridge answers ${after.answered} itself)`]
  return partText(after)
}

/** The sentence behind a pattern of the tests. */
const plain = (pattern: RegExp): string =>
  pattern.source.replaceAll('\\b', '').replaceAll(/\\(.)/g, '$1').replaceAll('.*', '…').replaceAll(/[\^$]/g, '')

function partText({ body, query, path, method, status, headers, text }: ExamplePart): (string | object)[] {
  const line = [method, path, query === undefined ? undefined : query === '' ? '(no query)' : `?${query}`]
    .filter((one) => one !== undefined)
    .join(' ')
  const heads = Object.entries(headers ?? {}).map(([name, value]) =>
    value === null ? `no ${name}` : `${name}: ${value}`,
  )
  return [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(line === '' ? [] : [line]),
    ...heads,
    ...(text === undefined ? [] : [text.trimEnd()]),
    ...(body === undefined ? [] : [{ body }]),
  ]
}

function side(label: string, parts: readonly (string | object)[], columns: number): string[] {
  const width = columns - label.length - 4
  const lines = parts.flatMap((part) => (typeof part === 'string' ? [part] : jsonLines(part, width)))
  const shown =
    lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`] : lines
  return (shown.length === 0 ? ['(nothing)'] : shown.map((line) => cut(line, width))).map(
    (line, i) => `    ${i === 0 ? label : ' '.repeat(label.length)}${line}`,
  )
}

const cut = (line: string, width: number): string => (line.length > width ? `${line.slice(0, width - 1)}…` : line)

function jsonLines(part: object, width: number): string[] {
  const { body } = part as { body: Parameters<typeof writeJson>[0] }
  const line = writeJson(body)
  return line.length <= width ? [line] : JSON.stringify(body, null, INDENT).split('\n')
}
