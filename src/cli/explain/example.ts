import { type JsonValue, writeJson } from '../../api/json/json.ts'
import type { Example, ExamplePart } from '../../translate/change.ts'
import { cut } from '../words/text.ts'

/** Before and after of a rule's example, for a screen. */
const MAX_LINES = 30
const INDENT = 2

/** Columns of the words before an example. */
const LABEL = 15

export function exampleLines({ before, after, leg }: Example, columns: number): string[] {
  const [from, to] = leg.startsWith('request') ? ['client sends', 'engine gets'] : ['engine answers', 'client gets']
  const width = columns - LABEL - 4
  return [...side(from, partLines(before, width), width), ...side(to, afterLines(after, width), width)]
}

function afterLines(after: Example['after'], width: number): string[] {
  if (after === 'dropped') return ['(this record is left out)']
  if ('refused' in after) return [`(refused: ${plain(after.refused)})`]
  if ('answered' in after) return [`(the bridge answers ${after.answered} itself)`]
  return partLines(after, width)
}

/** The sentence behind a pattern of the tests. */
const plain = (pattern: RegExp): string =>
  pattern.source.replaceAll('\\b', '').replaceAll(/\\(.)/g, '$1').replaceAll('.*', '…').replaceAll(/[\^$]/g, '')

function partLines({ body, query, path, method, status, headers, text }: ExamplePart, width: number): string[] {
  const asked = query === undefined ? undefined : query === '' ? '(no query)' : `?${query}`
  const line = [method, path, asked].filter((one) => one !== undefined).join(' ')
  const heads = Object.entries(headers ?? {}).map(([name, value]) =>
    value === null ? `no ${name}` : `${name}: ${value}`,
  )
  return [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(line === '' ? [] : [line]),
    ...heads,
    ...(text === undefined ? [] : [text.trimEnd()]),
    ...(body === undefined ? [] : jsonLines(body, width)),
  ]
}

function side(label: string, lines: readonly string[], width: number): string[] {
  const more = lines.length > MAX_LINES ? [`… ${lines.length - MAX_LINES} more lines`] : []
  const shown = lines.length === 0 ? ['(nothing)'] : [...lines.slice(0, MAX_LINES), ...more]
  return shown.map((line, i) => `    ${(i === 0 ? label : '').padEnd(LABEL)}${cut(line, width)}`)
}

function jsonLines(body: JsonValue, width: number): string[] {
  const line = writeJson(body)
  return line.length <= width ? [line] : JSON.stringify(body, null, INDENT).split('\n')
}
