import { type Cleaner, cleanerOf, REDACTED } from './known.ts'

export { REDACTED } from './known.ts'

const WORDS =
  'pass(?:word|wd|phrase)|secret|token|credential|api[-_.]?key|access[-_.]?key|private[-_.]?key|unlock[-_.]?key|signing[-_.]?(?:ca)?key|authorization|cookie'

/** A name whose value is taken for a secret, wherever it stands: members, labels, options, parameters. */
const SECRET_NAME = new RegExp(`${WORDS}|^pass$|^pw$|auth$`, 'i')

/** Names of these words that hold no secret but say something about one. */
const HARMLESS = new Set(['secretid', 'secretname'])
/** These as well, as long as they hold what they are for: a list, or a plain yes or no. */
const LISTS = new Set(['secrets'])
const FLAGS = new Set(['rotateworkertoken', 'rotatemanagertoken', 'rotatemanagerunlockkey'])

export const namesSecret = (name: string): boolean => SECRET_NAME.test(name) && !HARMLESS.has(name.toLowerCase())

/** What engines and clients write for yes and no. */
export const isFlag = (value: string): boolean => /^(?:[01tfyn]|true|false|yes|no|none|on|off|)$/i.test(value)

/** Whether what stands under a name is secret by the name. */
export function isSecret(name: string, value: unknown): boolean {
  if (!namesSecret(name)) return false
  const lower = name.toLowerCase()
  if (LISTS.has(lower)) return typeof value !== 'object'
  return !(FLAGS.has(lower) && (typeof value === 'boolean' || (typeof value === 'string' && isFlag(value))))
}

/** What follows a name and `=` or `:`, in quotes (escaped ones in JSON inside a text) or up to what ends a word. */
const VALUE = `(\\\\")[^"\\\\]+|(")(?:[^"\\\\]+|\\\\[^])+|(\\\\?')[^']+|[^\\s"',;&\\\\]+`

interface Rewrite {
  /** A text without any of these has nothing of the pattern, and to look for them is cheap: most lines of a log have none. */
  readonly needs?: readonly string[]
  readonly pattern: RegExp
  readonly by: string
}

/**
 * Secrets that text gives away by what stands around them. Engines quote requests in their errors, images their
 * builds. Repetitions are bounded, and each begins with what is rare: the texts are a client's, up to a megabyte of them.
 */
const REWRITES: readonly Rewrite[] = [
  {
    needs: ['-----BEGIN '],
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    by: REDACTED,
  },
  // the token of a swarm and its unlock key (swarmkit: ca/certificates.go, manager/encryption)
  { needs: ['SWM'], pattern: /\bSWM(TKN|KEY)-1-[\w+/=-]+/g, by: `SWM$1-1-${REDACTED}` },
  { needs: ['Bearer', 'Basic'], pattern: /\b(Bearer|Basic)\s{1,8}[\w+/=.~-]{6,}/g, by: `$1 ${REDACTED}` },
  // user information of a URL, with its scheme or without (`//user:password@server/share`), up to its last @
  { needs: ['//'], pattern: /\/\/[^\s/"]+@/g, by: `//${REDACTED}@` },
  // a signed URL of S3, Google and Azure
  {
    needs: ['='],
    pattern: /([?&](?:x-(?:amz|goog)-[a-z]{0,20}-?)?(?:signature|sig)=)[^&\s"']+/gi,
    by: `$1${REDACTED}`,
  },
  // how an image says what ENV and ARG did: builder/dockerfile, buildkit's and `RUN |1 NAME=value /bin/sh -c`; a build, as it goes
  {
    pattern: /((?:^|#\(nop\) {1,4}|\bStep \d{1,6}(?:\/\d{1,6})? : )(?:ENV|ARG) {1,4}(?:\[\s?)?[^=\s]+[= ]).*/gis,
    by: `$1${REDACTED}`,
  },
  { needs: ['|'], pattern: /((?:^|RUN )\|\d+ ).*?(?= \/bin\/|$)/gs, by: `$1${REDACTED}` },
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
]

/** A text without any of these has nothing of any pattern: one look for most lines of a log. */
const MAYBE = /[=:|@]|--|SWM|Bearer|Basic|(?:ENV|ARG) /i

/** Text without what looks like a secret, and without the values that are known to be secret. */
export const scrub = (text: string, secrets: Iterable<string> = []): string => scrubber(secrets)(text)

/** The same for many texts. */
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

/** `user:password@host` without a scheme, as drivers of databases and CONNECT have it; `name:tag@sha256:…` is an image. */
function withoutUser(word: string): string {
  const at = word.lastIndexOf('@')
  const colon = word.indexOf(':')
  if (colon === -1 || colon >= at - 1 || /^sha(?:256|384|512):/.test(word.slice(at + 1))) return word
  return REDACTED + word.slice(at)
}

/** An option that takes a secret as the next argument: `--password x`. */
export const takesSecret = (argument: string): boolean => /^--?[\w-]+$/.test(argument) && namesSecret(argument)
