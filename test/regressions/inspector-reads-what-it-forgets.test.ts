import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrowingText } from '../../src/tools/inspect/shown/growing-text.ts'

const LIMIT = 256 * 1024
/** The rest of a line that is passed over in part goes too. */
const MORE = 16 * 1024

const growing = (limit = LIMIT, ...secrets: string[]): GrowingText =>
  new GrowingText('output', { operation: 'ContainerLogs', limit, secrets: new Set(secrets) })

function frame(stream: number, text: string): Buffer {
  const head = Buffer.alloc(8)
  head[0] = stream
  head.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([head, Buffer.from(text)])
}

/** Lines of 100 characters, `count` of them, each with its number. */
function* numbered(count: number): Generator<string> {
  for (let i = 0; i < count; i++) yield `line ${i} token=hunter2-${i} `.padEnd(99, '.').concat('\n')
}

/**
 * The inspector looked through every line of a session for secrets, also those that it forgot at once: 300 MB written by an
 * exec took 127 s, and 6 s without it. It reads the end of what has come now, when somebody looks.
 */
describe('the inspector, where more comes than it keeps', () => {
  it('looks through what it keeps alone, however much has passed', () => {
    const text = growing()
    const chunk = Buffer.from([...numbered(640)].join(''))
    const before = process.cpuUsage()
    for (let i = 0; i < 500; i++) text.push(chunk) // 32 MB
    expect(text.held).toBeLessThanOrEqual(LIMIT + MORE)
    const { view } = text
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(4) // 0.1; it was 13
    expect(view.bytes).toBe(500 * chunk.length)
    expect(view.text.length).toBeGreaterThan(LIMIT / 2)
    expect(view.text).not.toContain('hunter2')
    // Who looks again has it read what came since.
    text.push(Buffer.from('and more\n'))
    expect(text.view.text.endsWith('and more\n')).toBe(true)
  })

  it('says rightly how much is forgotten, begins with a whole line and ends with the last', () => {
    for (const size of [10, 1000, 7777, 100_000, 1_000_000]) {
      const [text, whole] = [growing(), Buffer.from([...numbered(20_000)].join('').replaceAll(/token=\S+/g, ''))]
      for (let at = 0; at < whole.length; at += size) text.push(whole.subarray(at, at + size))
      const { text: kept, forgotten, bytes } = text.view
      expect(forgotten + kept.length).toBe(bytes)
      expect(kept.length).toBeLessThanOrEqual(LIMIT)
      expect(kept.length).toBeGreaterThan(LIMIT - MORE)
      expect(kept).toBe(whole.toString().slice(forgotten))
      expect(kept.startsWith('line ')).toBe(true)
    }
  })

  it('shows no part of a secret, wherever what it passes over ends', { tags: 'slow' }, () => {
    const secret = 'planted-secret-of-some-length'
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'planted-in-a-key\n'.repeat(40)}-----END RSA PRIVATE KEY-----\n`
    const lines = `use ${secret} now\npassword=${secret}x and\n${key}seen\n`
    const whole = Buffer.from(lines.repeat(60))
    const looks = fc.record({ chunk: fc.integer({ min: 1, max: 9000 }), every: fc.integer({ min: 1, max: 20 }) })
    fc.assert(
      fc.property(looks, fc.boolean(), ({ chunk, every }, framed) => {
        const text = growing(1000, secret)
        // a look reads all that is kept: some hundred are enough of them
        const look = every * Math.ceil(whole.length / chunk / 200)
        let n = 0
        for (let at = 0; at < whole.length; at += chunk) {
          const piece = whole.subarray(at, at + chunk)
          text.push(framed ? frame(1, piece.toString()) : piece)
          if (++n % look === 0) expect(text.view.text).not.toMatch(/planted|secret-of|length|-in-a-key/)
        }
        expect(text.view.text).not.toMatch(/planted|secret-of|length|-in-a-key/)
        expect(text.view.text.endsWith('seen\n')).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('begins after the line in which what it passed over ends, whose beginning nobody knows', () => {
    const secret = `${'planted-'.repeat(200)}end`
    for (const chunk of [100, 1601, 4096, 10_000, 50_000]) {
      const text = growing(10_000, secret)
      const whole = Buffer.from(`use ${secret} now\n`.repeat(100))
      for (let at = 0; at < whole.length; at += chunk) text.push(whole.subarray(at, at + chunk))
      expect(text.view.text).toMatch(/^(use \[redacted\] now\n)+$/)
    }
  })

  it('knows a key that began in what it passed over', () => {
    const text = growing(1000)
    text.push(Buffer.from('-----BEGIN PRIV'))
    text.push(Buffer.from(`ATE KEY-----\n${'planted\n'.repeat(10_000)}`))
    expect(text.view.text).not.toContain('planted')
    text.push(Buffer.from('planted\n'.repeat(10_000)))
    text.push(Buffer.from('-----END PRIVATE KEY-----\nseen\n'))
    expect(text.view.text).not.toContain('planted')
    expect(text.view.text).toContain('seen\n')
  })

  it('cuts a line without end where no secret and no mark of a key is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 60_000 }), (shift, chunk) => {
        const text = growing(200_000, 'abc-DEF-planted')
        const piece = `${'.'.repeat(97)}abc-DEF-planted${'.'.repeat(13)}-----BEGIN PRIVATE KEY-----planted-----END PRIVATE KEY-----`
        const whole = Buffer.from('.'.repeat(shift) + piece.repeat(600))
        for (let at = 0; at < whole.length; at += chunk) text.push(whole.subarray(at, at + chunk))
        expect(text.view.text).not.toMatch(/plant|nted|DEF|abc/)
        expect(text.view.text.length).toBeGreaterThan(20_000)
      }),
      { numRuns: 40 },
    )
  })

  it('keeps the lines of standard output and error apart', () => {
    const text = growing()
    for (const bytes of [frame(1, 'password=hun'), frame(2, 'oh\n'), frame(1, 'ter2\n')]) text.push(bytes)
    expect(text.view.text).toBe('oh\npassword=[redacted]\n')
  })
})
