import { describe, expect, it } from 'vitest'
import { Headers } from '../../src/http/headers.ts'
import { pretty } from '../../src/tools/inspect/page/js/pretty.js'
import { GrowingText } from '../../src/tools/inspect/shown/growing-text.ts'
import { PassingMessage } from '../../src/tools/inspect/shown/message.ts'

const options = (limit: number, ...secrets: string[]): ConstructorParameters<typeof GrowingText>[1] => ({
  operation: 'ContainerAttach',
  limit,
  secrets: new Set(secrets),
})

/** Seconds of processor time: a loaded machine takes no more of it. */
function seconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/**
 * A container that wrote nothing but line ends held up the whole bridge while the inspector was on: each line that came
 * moved all that were kept (a chunk of 64 KiB took more than 90 seconds). So did a line without end whose client had sent
 * a credential that begins as the line goes on.
 */
describe('the inspector, watching what a container writes', () => {
  it('takes a time that grows with the lines, not with their square', () => {
    const text = new GrowingText('output', options(150_000))
    const taken = seconds(() => {
      text.push(Buffer.alloc(150_000, '\n'))
      text.push(Buffer.alloc(20_000, '\n'))
    })
    expect(text.view).toMatchObject({ bytes: 170_000, forgotten: 20_000 })
    expect(text.view.text).toBe('\n'.repeat(150_000))
    expect(taken).toBeLessThan(15) // 2; it was 28 and more
  }, 120_000)

  it('does so for a long line and a long secret that look alike', () => {
    const secret = `${'a'.repeat(16_000)}b`
    const text = new GrowingText('output', options(1 << 20, secret))
    expect(seconds(() => text.push(Buffer.alloc(512 * 1024, 'a')))).toBeLessThan(2) // 0.1; it was 6
    // The end of it may be the beginning of the secret: not shown.
    text.push(Buffer.from(`${'a'.repeat(500)}b `))
    expect(text.view.text).not.toContain('b')
  }, 60_000)
})

/** The bound on its memory did not see records without an end, short lines, and heads. */
describe('what the inspector says that it holds', () => {
  it('counts a record that has not come to its end', () => {
    const text = new GrowingText('records', options(1000))
    text.push(Buffer.from(`{"a":"${'x'.repeat(500_000)}`))
    expect(text.held).toBeGreaterThan(500_000)
  })

  it('counts what is waiting and what was read, whose lines take no more than their characters', () => {
    const text = new GrowingText('output', options(10_000))
    text.push(Buffer.from('\n'.repeat(10_000)))
    expect(text.held).toBeGreaterThanOrEqual(10_000)
    expect(text.view.text).toHaveLength(10_000)
    expect(text.held).toBeGreaterThanOrEqual(20_000)
  })

  it('counts the head of a message', () => {
    const message = new PassingMessage(new Headers([['X-Long', 'x'.repeat(60_000)]]), 'message', options(1000))
    expect(message.held).toBeGreaterThan(60_000)
  })

  it('counts the body of a message that waits for its end, but none that is too large to be kept', () => {
    const message = new PassingMessage(new Headers(), 'message', options(1000))
    message.push(Buffer.alloc(60_000))
    expect(message.held).toBe(60_000)
    message.push(Buffer.alloc(1 << 20))
    expect(message.held).toBe(0)
  })
})

/** A body of a hundred thousand brackets was indented to gigabytes, in the browser of whoever looked at it. */
it('a body that is nested deeply, or closes what it never opened, is shown in lines of bounded length', () => {
  expect(Math.max(...pretty('['.repeat(2000)).map(({ length }) => length))).toBeLessThan(200)
  expect(pretty('[]}}}]').length).toBeGreaterThan(1)
})
