import net from 'node:net'
import { finished } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'

/**
 * A refusal that was given while its request was still coming closed the connection at once: who was writing got a broken pipe,
 * and `docker cp` and `docker build` said so instead of what the policy had said.
 */
const stage = stages()
const PIECE = Buffer.alloc(64 << 10, 'x')

/** Writes everything before it looks at what has come back, as clients do that have one thread. */
async function upload(path: string, head: string, pieces: number): Promise<string> {
  const socket = net.connect({ path, allowHalfOpen: true })
  const write = (bytes: Buffer | string): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.write(bytes, (error) => (error ? reject(error) : resolve()))
    return promise
  }
  await write(head)
  for (let piece = 0; piece < pieces; piece++) await write(PIECE)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  await finished(socket, { writable: false })
  socket.destroy()
  return text
}

it.each([
  ['by the policy', 'PUT /v1.44/containers/x/archive?path=/', ['--policy', 'read-only'], 403],
  ['by a limit', 'POST /v1.44/containers/create', ['--max-request-body', '1KiB'], 413],
] as const)('a client whose upload is refused %s reads why', async (_, line, flags, status) => {
  const { socket, engine } = await stage({}, flags)
  const length = `Content-Type: application/json\r\nContent-Length: ${PIECE.length * 64}\r\n`
  const said = await upload(socket, `${line} HTTP/1.1\r\nHost: d\r\n${length}\r\n`, 64)
  expect(said).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*Connection: close[\\s\\S]*"message":`))
  expect(engine.seen).toEqual([])
})

it('a client that goes on writing for ever is cut off', { tags: 'slow' }, async () => {
  const { socket } = await stage({}, ['--policy', 'read-only'])
  const chunked = 'PUT /v1.44/containers/x/archive?path=/ HTTP/1.1\r\nHost: d\r\nTransfer-Encoding: chunked\r\n\r\n'
  const client = net.connect({ path: socket, allowHalfOpen: true })
  client.on('error', () => client.destroy()).resume()
  client.write(chunked)
  const drip = setInterval(() => client.writable && client.write('1\r\nx\r\n'), 20)
  await new Promise((resolve) => client.once('close', resolve))
  clearInterval(drip)
})
