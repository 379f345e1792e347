import { STATUS_CODES } from 'node:http'
import { pretty } from '../inspect/page/js/pretty.js'
import { type CallDetails, headerOf, type Message } from '../inspect/shown/view.ts'

/** Formats calls as text, in the same way for both sides, so that only real differences show. */

/** JSON with one member per line; lists of scalars on one line. */
const jsonLines = (json: string): string[] =>
  pretty(json)
    .join('\n')
    .replace(/\[\n\s*([^[\]{}]*?)\n\s*\]/g, (_, list: string) => `[${list.replace(/,\n\s*/g, ',')}]`)
    .split('\n')

function bodyLines({ body, stream }: Message): string[] {
  const text = (body?.json ?? body?.text ?? stream?.text ?? '').trimEnd()
  if (text === '') return []
  return text.split('\n').flatMap((line) => (/^[[{]/.test(line) ? jsonLines(line) : [line]))
}

const header = (message: Message, name: string): string[] => {
  const value = headerOf(message, name.toLowerCase())
  return value === undefined ? [] : [`${name}: ${value}`]
}

const marked = (mark: string, text = ''): string[] =>
  (text === '' ? [] : text.trimEnd().split('\n')).map((line) => `<${mark}> ${line}`)

export const requestLines = (message: Message, { tunnel }: CallDetails): string[] => [
  decodeURIComponent(message.line),
  ...header(message, 'Upgrade'),
  ...bodyLines(message),
  ...marked('stdin', tunnel?.client.text),
]

export const answerLines = (message: Message, { tunnel }: CallDetails): string[] => [
  `${message.line} ${STATUS_CODES[message.line] ?? ''}`,
  ...header(message, 'Content-Type'),
  ...bodyLines(message),
  ...marked('stdout', tunnel?.engine.text),
]
