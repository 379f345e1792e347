import type { Fields } from './head.ts'

/** A response head in latin1, as sent. `more`: further field lines, each with its CRLF. */
export function headText(minor: 0 | 1, status: number, reason: string, fields: Fields, more = ''): string {
  let text = `HTTP/1.${minor} ${status} ${reason}\r\n`
  for (let i = 0; i < fields.length; i += 2) text += `${fields[i]}: ${fields[i + 1]}\r\n`
  return `${text}${more}\r\n`
}
