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
