import { foldName } from '../../api/json/names.ts'
import { type Cleaner, cleanerOf, REDACTED } from './known.ts'

export { REDACTED } from './known.ts'

const WORDS =
  'pass(?:word|wd|phrase)|secret|token|credential|api[-_.]?key|access[-_.]?key|private[-_.]?key|unlock[-_.]?key|signing[-_.]?(?:ca)?key|authorization|cookie'

/** A name whose value is secret, as a member, label, option or parameter. */
const SECRET_NAME = new RegExp(`${WORDS}|^pass$|^pw$|auth$`, 'i')

/** Names that contain these words but hold no secret. */
const HARMLESS = new Set(['secretid', 'secretname'])
/** These too, if their value is a list or a boolean. */
const LISTS = new Set(['secrets'])
const FLAGS = new Set(['rotateworkertoken', 'rotatemanagertoken', 'rotatemanagerunlockkey'])

export const namesSecret = (name: string): boolean => {
  const folded = foldName(name)
  return SECRET_NAME.test(folded) && !HARMLESS.has(folded)
}

/** Booleans as engines and clients write them. */
export const isFlag = (value: string): boolean => /^(?:[01tfyn]|true|false|yes|no|none|on|off|)$/i.test(value)

/** Whether a value is secret by its name. */
export function isSecret(name: string, value: unknown): boolean {
  if (!namesSecret(name)) return false
  const lower = name.toLowerCase()
  if (LISTS.has(lower)) return typeof value !== 'object'
  return !(FLAGS.has(lower) && (typeof value === 'boolean' || (typeof value === 'string' && isFlag(value))))
}

/** A value after a name and `=` or `:`: quoted (escaped in nested JSON), or up to the end of the word (`a\\ b` is one). */
const VALUE = `(\\\\")[^"\\\\]+|(")(?:[^"\\\\]+|\\\\[^])+|(\\\\?')[^']+|[^\\s"',;&\\\\]+(?:\\\\[^\\w"\\\\][^\\s"',;&\\\\]*)*`

/** `user:password`, quoted like VALUE. */
const USER_AND_VALUE = `(\\\\?"[^":\\\\]{0,64}:)[^"\\\\]+|(\\\\?'[^':]{0,64}:)[^']+|([^\\s:"'/\\\\]{1,64}:)(?!/)[^\\s"'\\\\]+(?:\\\\[^\\w"\\\\][^\\s"'\\\\]*)*`

interface Rewrite {
  /** The pattern cannot match a text without one of these; cheaper than trying it. */
  readonly needs?: readonly string[]
  readonly pattern: RegExp
  readonly by: string
}

/**
 * Secrets recognized by their context, as engines quote requests in errors and images their builds. Repetitions are
 * bounded and start with rare characters, because clients control up to a megabyte of text.
 */
const REWRITES: readonly Rewrite[] = [
  {
    needs: ['-----BEGIN '],
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    by: REDACTED,
  },
  // join tokens and unlock keys of swarms (swarmkit: ca/certificates.go, manager/encryption)
  { needs: ['SWM'], pattern: /\bSWM(TKN|KEY)-1-[\w+/=-]+/g, by: `SWM$1-1-${REDACTED}` },
  { needs: ['Bearer', 'Basic'], pattern: /\b(Bearer|Basic)\s{1,8}[\w+/=.~-]{6,}/g, by: `$1 ${REDACTED}` },
  // credentials in a URL, with or without scheme (`//user:password@server/share`), up to the last @
  { needs: ['//'], pattern: /\/\/[^\s/"]+@/g, by: `//${REDACTED}@` },
  // signed URLs of S3, Google and Azure
  {
    needs: ['='],
    pattern: /([?&](?:x-(?:amz|goog)-[a-z]{0,20}-?)?(?:signature|sig)=)[^&\s"']+/gi,
    by: `$1${REDACTED}`,
  },
  // ENV and ARG in an image's history: builder/dockerfile, buildkit, `RUN |1 NAME=value /bin/sh -c`, build progress
  {
    pattern: /((?:^|#\(nop\) {1,4}|\bStep \d{1,6}(?:\/\d{1,6})? : )(?:ENV|ARG) {1,4}(?:\[\s?)?[^=\s]+[= ]).*/gis,
    by: `$1${REDACTED}`,
  },
  { needs: ['|'], pattern: /((?:^|RUN )\|\d+ ).*?(?= \/bin\/|$)/gs, by: `$1${REDACTED}` },
  // a scheme and its credential: `authorization: bearer x`, `Authorization: token x`
  {
    needs: ['=', ':'],
    pattern: new RegExp(`(authorization\\s{0,8}[=:]\\s{0,8}[\\w-]{1,20}\\s{1,8})(?:${VALUE})`, 'gi'),
    by: `$1${REDACTED}`,
  },
  {
    needs: ['=', ':'],
    pattern: new RegExp(
      `((?:${WORDS}|\\b(?:pass|pw)(?==))[\\w.-]{0,64}\\\\?["']?\\s{0,8}[=:]\\s{0,8})(?:${VALUE})`,
      'gi',
    ),
    by: `$1$2$3$4${REDACTED}`,
  },
  {
    needs: ['--'],
    pattern: new RegExp(`((?:${WORDS})(?<=--[\\w.-]{0,80})[\\w-]{0,64}\\s{1,8})([^\\s-]\\S*)`, 'gi'),
    by: `$1${REDACTED}`,
  },
  // `curl -u user:password`, `curl -sSu "user:password"`
  {
    needs: ['curl'],
    pattern: new RegExp(
      `(\\bcurl\\s[^]{0,100}?(?<=\\s)-(?:[a-zA-Z]{0,5}[uU]|-(?:proxy-)?user)[\\s=]{0,8})(?:${USER_AND_VALUE})`,
      'g',
    ),
    by: `$1$2$3$4${REDACTED}`,
  },
]

/** No pattern matches a text without one of these: a quick check for most log lines. */
const MAYBE = /[=:|@]|--|SWM|Bearer|Basic|(?:ENV|ARG) /i

/** Removes likely secrets and the given ones. */
export const scrub = (text: string, secrets: Iterable<string> = []): string => scrubber(secrets)(text)

/** Like `scrub`, for many texts. */
export function scrubber(secrets: Iterable<string>): Cleaner {
  const clean = cleanerOf(secrets)
  return (text) => withoutPatterns(clean(text))
}

function withoutPatterns(text: string): string {
  if (!MAYBE.test(text)) return text
  let clean = text
  for (const { needs, pattern, by } of REWRITES)
    if (needs?.some((part) => clean.includes(part)) ?? true) clean = clean.replace(pattern, by)
  return clean.includes('@') ? clean.replace(/[^\s/"']+/g, withoutUser) : clean
}

/** `user:password@host` without a scheme, as in database DSNs and CONNECT; but `name:tag@sha256:…` is an image. */
function withoutUser(word: string): string {
  const at = word.lastIndexOf('@')
  const colon = word.indexOf(':')
  if (colon === -1 || colon >= at - 1 || /^sha(?:256|384|512):/.test(word.slice(at + 1))) return word
  return REDACTED + word.slice(at)
}

/** An option whose secret is the next argument: `--password x`; also `-u user:x` of curl. */
export const takesSecret = (option: string, argument: string, ofCurl: boolean): boolean =>
  ofCurl && /^-(?:[a-zA-Z]{0,5}[uU]|-(?:proxy-)?user)$/.test(option)
    ? /^[^:/]+:[^/]/.test(argument)
    : /^--?[\w-]+$/.test(option) && namesSecret(option)
