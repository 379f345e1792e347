import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GrowingText } from '../../src/tools/inspect/shown/growing-text.ts'
import type { StreamKind } from '../../src/tools/inspect/shown/kinds.ts'

const grow = (
  kind: StreamKind,
  chunks: readonly Buffer[],
  { limit = 10_000, secrets = new Set<string>() } = {},
): string[] => {
  const text = new GrowingText(kind, { operation: 'ContainerLogs', limit, secrets })
  return chunks.map((chunk) => {
    text.push(chunk)
    return text.view.text
  })
}

/** A text cut anywhere, in bytes: also within characters. */
const cut = (text: string): fc.Arbitrary<Buffer[]> =>
  fc.array(fc.nat(Buffer.byteLength(text)), { maxLength: 12 }).map((places) => {
    const bytes = Buffer.from(text)
    const ends = [...places.toSorted((a, b) => a - b), bytes.length]
    return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
  })

describe('a stream while it grows', () => {
  const TEXT = 'héllo wörld\nPASSWORD=opensesame done\nuse hunter2-long now\n€ prompt> '

  it('never shows a secret or a part of one, wherever it is cut, and shows the rest', () => {
    fc.assert(
      fc.property(cut(TEXT), (chunks) => {
        const seen = grow('output', chunks, { secrets: new Set(['hunter2-long']) })
        for (const text of seen) expect(text).not.toMatch(/open|sesame|hunt|er2-l/)
        expect(seen.at(-1)).toBe('héllo wörld\nPASSWORD=[redacted] done\nuse [redacted] now\n€ prompt> ')
      }),
    )
  })

  it('takes the frames of logs apart', () => {
    const frame = (stream: number, text: string): Buffer => {
      const head = Buffer.alloc(8)
      head[0] = stream
      head.writeUInt32BE(Buffer.byteLength(text), 4)
      return Buffer.concat([head, Buffer.from(text)])
    }
    const whole = Buffer.concat([frame(1, 'out\n'), frame(2, 'err\n')])
    expect(grow('output', [whole.subarray(0, 3), whole.subarray(3, 11), whole.subarray(11)]).at(-1)).toBe('out\nerr\n')
  })

  it('shows neither colours nor control characters of a terminal as such', () => {
    expect(grow('output', [Buffer.from('\u001b[1;31mred\u001b[0m\u0007\r\n')])).toEqual(['red␇\n'])
  })

  it('shows records a line each, and what is secret in them not', () => {
    const records = '{"status":"x","password":"p4ss"}{"auth":"s3cr"}\n[1]'
    fc.assert(
      fc.property(cut(records), (chunks) => {
        expect(grow('records', chunks).at(-1)).toBe(
          '{"status":"x","password":"[redacted]"}\n{"auth":"[redacted]"}\n[1]\n',
        )
      }),
    )
  })

  it('keeps the end of what has passed, and says how much is gone', () => {
    const text = new GrowingText('output', { operation: undefined, limit: 50, secrets: new Set() })
    for (let i = 0; i < 100; i++) text.push(Buffer.from(`line ${i}\n`))
    const { text: kept, forgotten, bytes } = text.view
    expect(kept.length).toBeLessThanOrEqual(50)
    expect(kept.endsWith('line 99\n')).toBe(true)
    expect(forgotten + kept.length).toBe(bytes)
    expect(text.held).toBeLessThan(5000) // a block of the tail, and the text
  })

  it('does not keep a line without end', () => {
    const text = new GrowingText('output', { operation: undefined, limit: 1000, secrets: new Set() })
    for (let i = 0; i < 100; i++) text.push(Buffer.alloc(10_000, 'x'))
    expect(text.held).toBeLessThanOrEqual(2 * 16 * 1024)
    expect(text.view.bytes).toBe(1_000_000)
  })

  it('gives up on a record that is too large, and counts on', () => {
    const text = new GrowingText('records', { operation: undefined, limit: 1000, secrets: new Set() })
    text.push(Buffer.from(`{"a":"${'x'.repeat(2_000_000)}`))
    text.push(Buffer.from('"}'))
    expect(text.view).toMatchObject({ withheld: 'unreadable', bytes: 2_000_008, text: '' })
  })
})
