import { writeJson } from '../../api/json/json.ts'
import { BEYOND, jsonIn, type Redaction, redactJson } from './json.ts'
import { namesSecret, REDACTED, scrub } from './text.ts'

/** Which values of an instruction are secret: all (ENV, ARG), by name (LABEL), or as in any text. */
type Kind = 'env' | 'label' | 'other'

/** A continued line; `# escape=` can change the character to a backtick (buildkit, dockerfile/parser). */
const GOES_ON = /[\\`]$/

/**
 * Redacts Dockerfile instructions in the changes of a commit or import: values of ENV and ARG, and labels with secret
 * names. Linear in the text, which can be a megabyte.
 */
export function redactChanges(text: string, secrets: Set<string>, redaction: Redaction): string {
  let open: Kind | undefined
  return text
    .split('\n')
    .map((line) => {
      const words = line.trim()
      const within = open
      // empty lines and comments do not end a continuation
      if (words === '' || words.startsWith('#')) return scrub(line)
      const { start, kind, rest } = within === undefined ? instruction(words) : { start: '', kind: within, rest: words }
      open = GOES_ON.test(words) ? kind : undefined
      return start + redacted(kind, within !== undefined, rest, secrets, redaction)
    })
    .join('\n')
}

function instruction(line: string): { start: string; kind: Kind; rest: string } {
  let at = 0
  let start = ''
  for (;;) {
    const end = endOfWord(line, at)
    const name = line.slice(at, end).toUpperCase()
    const next = endOfSpace(line, end)
    start += `${line.slice(at, end)}${next > end ? ' ' : ''}`
    at = next
    if (name === 'ONBUILD' && at < line.length) continue
    const kind = name === 'ENV' || name === 'ARG' ? 'env' : name === 'LABEL' ? 'label' : 'other'
    return { start, kind, rest: line.slice(at) }
  }
}

function redacted(kind: Kind, goesOn: boolean, rest: string, secrets: Set<string>, redaction: Redaction): string {
  if (kind === 'env') return environment(rest, goesOn, secrets)
  if (kind === 'label') return labels(rest, goesOn, secrets, redaction)
  const bracket = rest.indexOf('[') // of CMD, or after HEALTHCHECK's options
  const list = bracket === -1 ? undefined : jsonIn(rest.slice(bracket))
  if (list === BEYOND) return REDACTED
  if (list === undefined) return scrub(rest)
  return scrub(rest.slice(0, bracket)) + writeJson(redactJson(list, undefined, secrets, redaction))
}

/** Keeps the first name. */
function environment(rest: string, goesOn: boolean, secrets: Set<string>): string {
  const pairs = pairsIn(rest)
  const [first] = pairs
  const plain = !goesOn && first !== undefined && /^[\w.-]+$/.test(first.name)
  const old = plain && first.value === undefined
  if (old && pairs.length === 1) return rest // ARG NAME has no value
  const values = old ? rest.slice(first.name.length + 1).trim() : rest.slice(plain ? first.name.length + 1 : 0)
  secrets.add(unquoted(values))
  for (const { name, value } of pairs) secrets.add(unquoted(value ?? name))
  return plain ? `${first.name}${old ? ' ' : '='}${REDACTED}` : REDACTED
}

/** `name=value name="a value"`, or `name a value`. */
function labels(rest: string, goesOn: boolean, secrets: Set<string>, redaction: Redaction): string {
  const isSecret = (name: string): boolean =>
    // the builder would unescape it to another name
    /[\\$'"`]/.test(name) || namesSecret(name) || redaction.label(name)
  const pairs = pairsIn(rest)
  const [first] = pairs
  if (!goesOn && first !== undefined && first.value === undefined && pairs.length > 1) {
    const value = rest.slice(first.name.length).trim()
    if (!isSecret(first.name)) return scrub(rest)
    secrets.add(unquoted(value))
    return `${first.name} ${REDACTED}`
  }
  return pairs
    .map(({ name, value }) => {
      if (value === undefined || !isSecret(unquoted(name)))
        return value === undefined ? scrub(name) : `${name}=${scrub(value)}`
      secrets.add(unquoted(value))
      return `${name}=${REDACTED}`
    })
    .join(' ')
}

interface Pair {
  readonly name: string
  readonly value: string | undefined
}

/** Splits words, each possibly `name=value`; quotes protect spaces, a backslash the next character. */
function pairsIn(text: string): Pair[] {
  const pairs: Pair[] = []
  for (let at = endOfSpace(text, 0); at < text.length; at = endOfSpace(text, at)) {
    const from = at
    let equals = -1
    let quote = ''
    for (; at < text.length && (quote !== '' || !isSpace(text, at)); at++) {
      const character = text[at] ?? ''
      if (character === '\\') at++
      else if (quote !== '') quote = character === quote ? '' : quote
      else if (character === '"' || character === "'") quote = character
      else if (character === '=' && equals === -1) equals = at
    }
    at = Math.min(at, text.length)
    pairs.push(
      equals === -1
        ? { name: text.slice(from, at), value: undefined }
        : { name: text.slice(from, equals), value: text.slice(equals + 1, at) },
    )
  }
  return pairs
}

/** Removes surrounding quotes. */
const unquoted = (text: string): string =>
  /^["']/.test(text) && text.length > 1 && text.at(-1) === text[0] ? text.slice(1, -1) : text

const isSpace = (text: string, at: number): boolean => (text[at] ?? '').trim() === ''

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !isSpace(text, at)) at++
  return at
}

function endOfSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text, at)) at++
  return at
}
