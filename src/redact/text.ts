/** What stands in the place of a secret. */
export const REDACTED = '[redacted]'

const WORDS =
  'pass(?:word|wd|phrase)|secret|token|credential|api[-_.]?key|access[-_.]?key|private[-_.]?key|unlock[-_.]?key|signing[-_.]?(?:ca)?key|authorization|cookie'

/** A name whose value is taken for a secret, wherever it stands: members, labels, options, parameters. */
const SECRET_NAME = new RegExp(`${WORDS}|^pass$|^pw$|auth$`, 'i')

/** Names of these words that hold no secret but say something about one. */
const HARMLESS = new Set([
  'secrets',
  'secretid',
  'secretname',
  'rotateworkertoken',
  'rotatemanagertoken',
  'rotatemanagerunlockkey',
])

export const namesSecret = (name: string): boolean => SECRET_NAME.test(name) && !HARMLESS.has(name.toLowerCase())

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
  // user information of a URL, up to its last @
  { needs: ['://'], pattern: /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/"]+@/gi, by: `$1${REDACTED}@` },
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
    pattern: new RegExp(`((?:${WORDS})[\\w.-]{0,64}\\\\?["']?\\s{0,8}[=:]\\s{0,8}\\\\?["']?)([^\\s"',;&\\\\]+)`, 'gi'),
    by: `$1${REDACTED}`,
  },
  {
    needs: ['--'],
    pattern: new RegExp(`((?:${WORDS})(?<=--[\\w.-]{0,80})[\\w-]{0,64}\\s{1,8})([^\\s-]\\S*)`, 'gi'),
    by: `$1${REDACTED}`,
  },
]

/** Values shorter than this are too common to be looked for in other texts: `1`, `yes`. */
const FINDABLE = 4

/** A text without any of these has nothing of any pattern: one look for most lines of a log. */
const MAYBE = /[=:|]|--|SWM|Bearer|Basic|(?:ENV|ARG) /i

/** Text without what looks like a secret, and without the values that are known to be secret. */
export function scrub(text: string, secrets: Iterable<string> = []): string {
  let clean = text
  for (const secret of secrets) if (secret.length >= FINDABLE) clean = clean.replaceAll(secret, REDACTED)
  if (!MAYBE.test(clean)) return clean
  for (const { needs, pattern, by } of REWRITES)
    if (needs?.some((part) => clean.includes(part)) ?? true) clean = clean.replace(pattern, by)
  return clean
}

/** An option that takes a secret as the next argument: `--password x`. */
export const takesSecret = (argument: string): boolean => /^--?[\w-]+$/.test(argument) && namesSecret(argument)
