import { describe, expect, it } from 'vitest'
import { hasEscapedName, parseJson, setMember } from '../../src/api/json/json.ts'
import { longNumbers, putBack } from '../../src/api/json/long-numbers.ts'
import { readAsGo } from '../../src/api/json/read.ts'
import { MAX_MEMBERS, MAX_VALUES, readFirst } from '../../src/api/json/reader.ts'
import { readCall } from '../../src/api/read-call.ts'
import { checkQuery } from '../../src/api/validation/query.ts'
import { apiVersion } from '../../src/api/version.ts'
import { BodyCapture } from '../../src/audit/record/body.ts'
import { redactChanges } from '../../src/audit/redact/changes.ts'
import { type Redacting, redactJson, usual } from '../../src/audit/redact/json.ts'
import { cleanerOf } from '../../src/audit/redact/known.ts'
import { gatherFromSearch, redactSearch } from '../../src/audit/redact/query.ts'
import { scrub } from '../../src/audit/redact/text.ts'
import { Headers } from '../../src/http/headers.ts'
import { CompiledRules } from '../../src/policy/file/ruleset.ts'
import { matches } from '../../src/policy/judge.ts'
import { forwardedHeaders } from '../../src/proxy/engine-side/engine-request.ts'
import { Output } from '../../src/tools/inspect/shown/output.ts'
import { Records } from '../../src/tools/inspect/shown/records.ts'
import { RecordSplitter } from '../../src/translate/run/record-splitter.ts'
import { least } from '../support/regular-expressions.ts'

const MEBIBYTE = 1 << 20
const SMALL = MEBIBYTE >> 4

const filled = (piece: string, length: number): string => piece.repeat(Math.floor(length / piece.length))
const numbered = (count: number, one: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => one(i)).join('')

/** Beginnings of the texts that patterns look for. */
const PIECES = [
  ...[
    '\n',
    ' ',
    'a',
    '-',
    '=',
    '/',
    ':',
    '@',
    '"',
    "'",
    '\\',
    '|',
    '&',
    '--',
    '//',
    'a:',
    'a:b@',
    '//a',
    'ENV ',
    'ENV a=b ',
  ],
  ...[
    'LABEL ',
    'LABEL "',
    'ENV A=\\\n',
    'ONBUILD ',
    '[',
    'CMD [',
    'token',
    'token=',
    'token="',
    "token='",
    'token=\\"',
  ],
  ...[
    'pass=',
    '--token ',
    ' -u a',
    ' -u a:',
    'pass=a\\ ',
    'Bearer ',
    'Basic a',
    '#(nop) ENV ',
    'Step 1 : ENV ',
    'RUN |1 ',
    '|1 ',
    'SWMTKN-1-',
    '?sig=',
  ],
  ...['-----BEGIN ', '-----BEGIN PRIVATE KEY-----', 'a.', '%', '{"a":', '\u2028', '\r'],
]

const how = (operation: string | undefined): Redacting => ({ operation, secrets: new Set(), redaction: usual })

/** Texts of a given length for which `work` must take a time in proportion to the length. */
const CASES: readonly (readonly [name: string, text: (length: number) => string, work: (text: string) => unknown])[] = [
  ...PIECES.map(
    (piece) =>
      [`scrub ${JSON.stringify(piece)}`, (n: number) => filled(piece, n), (text: string) => scrub(text)] as const,
  ),
  ...PIECES.map(
    (piece) =>
      [
        `changes ${JSON.stringify(piece)}`,
        (n: number) => filled(piece, n),
        (text: string) => redactChanges(text, how('ImageCommit')),
      ] as const,
  ),
  ...['changes=%0A', 'a=b&', '&', '%', 'filters=%7B', '{"Env":[', 'remote=//a:'].map(
    (piece) =>
      [
        `query ${piece}`,
        (n: number) => `?${filled(piece, n)}`,
        (text: string) => [gatherFromSearch(text, how('ImageCommit')), redactSearch(text, how('ImageCommit'))],
      ] as const,
  ),
  ['one long parameter', (n) => `?changes=${filled('%0A', n)}`, (text) => gatherFromSearch(text, how('ImageCommit'))],
  [
    'validation of changes',
    (n) => filled('\n', n),
    (text) => checkQuery(`changes=${encodeURIComponent(text)}`, 'ImageCommit', apiVersion(18), () => undefined),
  ],
  [
    'a known value that nearly fits everywhere',
    (n) => 'a'.repeat(n),
    (text) => scrub(text, [`ab${'a'.repeat(text.length >> 1)}`]),
  ],
  ['many known values', (n) => numbered(n >> 3, (i) => `${100_000 + i} `), (text) => cleanerOf(text.split(' '))(text)],
  [
    'many known values of one beginning',
    (n) => 'a'.repeat(n),
    (text) => cleanerOf(Array.from({ length: 1000 }, (_, i) => `${'a'.repeat(i + 4)}b`))(text),
  ],
  [
    'values of what stands for them',
    (n) => filled('[redacted]', n),
    (text) => cleanerOf(['reda', 'edac', 'dact', 'acte', 'cted', '[red', 'ted]'])(text),
  ],
  [
    'a body of variables',
    (n) => `[${numbered(n >> 4, (i) => `"A${i}=value${i}",`)}1]`,
    (text) => bodyOf(`{"Env":${text}}`),
  ],
  [
    'labels',
    (n) => `{${numbered(n >> 4, (i) => `"password${i}":"v",`)}"a":1}`,
    (text) => redactJson({ Labels: parseJson(text) }, how(undefined)),
  ],
  ['a line byte by byte', (n) => 'a'.repeat(n), byteByByte],
  ['a record byte by byte', (n) => `{"a":"${'a'.repeat(n)}"}`, (text) => recordByteByByte(text)],
  ['records that bring secrets', (n) => numbered(n >> 5, (i) => `{"password":"secret${i}"}\n`), secretRecords],
  ['a path of slashes', (n) => filled('/', n), (text) => readCall('GET', text)],
  ['a path of names and dots', (n) => filled('/a/b/../', n), (text) => readCall('GET', text)],
  ['a path of dots', (n) => filled('/..', n), (text) => readCall('GET', text)],
  ['a path with names', (n) => `/images/${filled('a/', n)}json`, (text) => readCall('GET', text)],
  ['a path with ends', (n) => `/images${filled('/json', n)}x`, (text) => readCall('GET', text)],
  ['a path with escapes', (n) => filled('/%20', n), (text) => readCall('GET', text)],
  [
    'a policy with patterns for paths',
    (n) => `/containers/${'a'.repeat(n)}/json`,
    (text) => RULES.judge({ method: 'GET', path: text, contentType: undefined, body: undefined }),
  ],
  ['a pattern for images', (n) => 'a-'.repeat(n >> 1), (text) => matches(text, '*-*-*x')],
  ['Connection', (n) => filled('a,', n), (text) => forwardedHeaders(Headers.fromRaw(['Connection', text]))],
  ['JSON in JSON', (n) => filled('\\"', n), (text) => hasEscapedName(`"${text}"`)],
  ['long numbers', (n) => filled('1234567890123456789,', n), (text) => putBack([], text, longNumbers(text) ?? [])],
  ['digits', (n) => filled('1', n), (text) => longNumbers(text)],
  [
    'members that come twice',
    (n) => `{${filled('"a":{"abcdefghijklmnopqrstuvwxyz":1},', n)}"b":1}`,
    (text) => readAsGo(text),
  ],
  ['JSON that is none', (n) => filled('{"a":', n), (text) => readFirst(text, setMember)],
]

const RULES = new CompiledRules({ paths: { GET: ['/containers/.*a.*b.*c'] } })

function bodyOf(text: string): unknown {
  const capture = new BodyCapture('message')
  capture.push(Buffer.from(text.slice(0, MEBIBYTE - 1)))
  const context = { ...how('ContainerCreate'), limit: 1000 }
  redactJson(parseJson(text), context)
  return capture.record(context, { complete: true, plain: true })
}

function byteByByte(text: string): void {
  const output = new Output(text.length, new Set(['b'.repeat(text.length)]))
  const byte = Buffer.from('a')
  for (let i = 0; i < text.length; i++) output.push(byte)
  void output.end
}

function recordByteByByte(text: string): void {
  const splitter = new RecordSplitter(2 * MEBIBYTE)
  for (const byte of Buffer.from(text)) splitter.push(Buffer.of(byte))
}

function secretRecords(text: string): void {
  const records = new Records('ImageBuild', MEBIBYTE, new Set())
  records.push(Buffer.from(text))
}

/** For sixteen times the text, linear work takes 16 times as long, quadratic work 256 times. */
const GROWTH = 150
/** Shorter times are not measured reliably. */
const FLOOR_MS = 4

describe('input from a client or an engine', () => {
  it.each(CASES)(
    'takes a time in proportion to its length: %s',
    (_name, text, work) => {
      const short = text(SMALL)
      const long = text(MEBIBYTE)
      const before = Math.max(
        FLOOR_MS,
        least(() => work(short), 3),
      )
      let took = least(() => work(long), 1)
      // measured again, in case the machine was busy with something else
      for (let again = 0; again < 4 && took / before > GROWTH; again++)
        took = Math.min(
          took,
          least(() => work(long), 1),
        )
      expect(took / before).toBeLessThan(GROWTH)
    },
    120_000,
  )

  const TOO_MANY = new RegExp(`more than (${MAX_VALUES} members and elements|${MAX_MEMBERS} members)$`)
  it.each([
    ['members', '{', (i: number) => `"a${i}":0`],
    ['members that come twice', '{', () => '"a":0'],
    ['elements', '[', () => '0'],
    ['empty lists', '[', () => '[]'],
    ['members of nested objects', '[', () => '{"a":{"a":0}}'],
    ['elements of several lists', '[[', (i: number) => ((i + 1) % 50_000 ? '0' : '0],[0')],
  ] as const)('a million %s are refused, and no more of them is read', (_what, open, one) => {
    // Whoever reads on finds an end that is not JSON, and says that instead.
    const text = `${open}${Array.from({ length: 1_000_000 }, (_, i) => one(i)).join(',')}!`
    expect(() => readAsGo(text)).toThrow(TOO_MANY)
  })
})
