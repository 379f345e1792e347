import { writeJson } from '../../api/json/json.ts'
import { BEYOND, jsonIn, type Redacting, type Redaction, redactJson } from './json.ts'
import { namesSecret, REDACTED, scrub } from './text.ts'

/** Which values of an instruction are secret: all (ENV, ARG), by name (LABEL), or as in any text. */
type Kind = 'values' | 'label' | 'other'

const KINDS: Readonly<Record<string, Kind>> = { ENV: 'values', ARG: 'values', LABEL: 'label' }

/** The instruction, possibly after ONBUILD, and what follows. */
const INSTRUCTION = /^((?:ONBUILD\s+)*(\S+)\s*)(.*)$/is

/** A continued line; `# escape=` can change the character to a backtick (buildkit, dockerfile/parser). */
const GOES_ON = /[\\`]$/

/** A word; quotes protect spaces, a backslash the next character. */
const WORD = /(?:"(?:[^"\\]+|\\.?)*"?|'(?:[^'\\]+|\\.?)*'?|\\.?|[^\s"'\\]+)+/gs

/**
 * Redacts Dockerfile instructions in the changes of a commit or import: values of ENV and ARG, and labels from the first
 * secret name on. Linear in the text, which can be a megabyte.
 */
export function redactChanges(text: string, how: Redacting): string {
  let open: Kind | undefined
  return text
    .split('\n')
    .map((line) => {
      const words = line.trim()
      // empty lines and comments do not end a continuation
      if (words === '' || words.startsWith('#')) return scrub(line)
      const [, start = '', name = '', rest = ''] =
        open === undefined ? (INSTRUCTION.exec(words) ?? []) : ['', '', '', words]
      const kind = open ?? KINDS[name.toUpperCase()] ?? 'other'
      const hides = kind === 'values' || (kind === 'label' && namesSecretLabel(rest, how.redaction))
      open = GOES_ON.test(words) ? (hides ? 'values' : kind) : undefined
      if (hides) return start + withoutValues(rest, start !== '', how.secrets)
      return start + (kind === 'other' ? command(rest, how) : scrub(rest))
    })
    .join('\n')
}

/** A word that the builder would unescape could become a secret name. */
const namesSecretLabel = (rest: string, redaction: Redaction): boolean =>
  pairsIn(rest).some(({ name }) => /[\\$'"`]/.test(name) || namesSecret(name) || redaction.label(name))

/** Keeps at most the first name: of `NAME=value`, `NAME a value`, or ARG's `NAME`. */
function withoutValues(rest: string, named: boolean, secrets: Set<string>): string {
  const [first = ''] = (named && /^[\w.-]+(?:=|\s+|$)/.exec(rest)) || []
  if (first === rest) return rest
  const values = rest.slice(first.length)
  secrets.add(unquoted(values))
  for (const { name, value } of pairsIn(values)) secrets.add(value ?? name)
  return first + REDACTED
}

/** Options of CMD, or after HEALTHCHECK's, as a list. */
function command(rest: string, how: Redacting): string {
  const bracket = rest.indexOf('[')
  const list = bracket === -1 ? undefined : jsonIn(rest.slice(bracket))
  if (list === BEYOND) return REDACTED
  if (list === undefined) return scrub(rest)
  return scrub(rest.slice(0, bracket)) + writeJson(redactJson(list, how))
}

/** Words, each possibly `name=value`, without surrounding quotes. */
const pairsIn = (text: string): { name: string; value: string | undefined }[] =>
  (text.match(WORD) ?? []).map((word) => {
    const equals = word.indexOf('=')
    if (equals === -1) return { name: unquoted(word), value: undefined }
    return { name: unquoted(word.slice(0, equals)), value: unquoted(word.slice(equals + 1)) }
  })

const unquoted = (text: string): string =>
  /^["']/.test(text) && text.length > 1 && text.at(-1) === text[0] ? text.slice(1, -1) : text
