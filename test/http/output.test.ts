import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { Output } from '../../src/http/output.ts'

it('keeps no more memory than its size for output that waits behind other output', () => {
  const written: Buffer[] = []
  const socket = { writable: true, writableLength: 1, write: (part: Buffer) => written.push(part) > 0 }
  const output = new Output(socket as unknown as Socket)
  for (const part of ['5\r\n', Buffer.from('hello'), '\r\n']) output.add(part)
  output.flush()
  expect(written.map((part) => [part.toString(), part.buffer.byteLength])).toEqual([['5\r\nhello\r\n', 10]])
})

it('takes the same memory for each write that the kernel takes at once, and leaves it to one that waits', () => {
  const written: Buffer[] = []
  const kept: string[] = []
  const socket = {
    writable: true,
    writableLength: 0,
    write: (part: Buffer) => kept.push(part.toString()) > 0 && written.push(part) > 0,
  }
  const output = new Output(socket as unknown as Socket)
  const send = (text: string, taken: boolean): void => {
    output.add(Buffer.from(text))
    output.add('.')
    const { write } = socket
    socket.write = (part) => {
      socket.writableLength = taken ? 0 : part.length
      return write(part)
    }
    output.flush()
    socket.write = write
  }
  send('one', true)
  send('two', true)
  send('waits', false)
  socket.writableLength = 0
  send('later', true)
  expect(kept).toEqual(['one.', 'two.', 'waits.', 'later.'])
  expect(written[2]?.toString()).toBe('waits.')
  expect(written[1]?.buffer).toBe(written[0]?.buffer)
  expect(written[3]?.buffer).not.toBe(written[2]?.buffer)
})
