import { once } from 'node:events'
import net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Borrower, BufferLender } from '../../src/http/engine/buffer-lender.ts'
import { Authority } from '../support/certificates.ts'
import { eventually } from '../support/client.ts'
import { socketFolder } from '../support/scripted-engine.ts'

const SIZE = 8 << 20
const ALL = Buffer.alloc(SIZE)
for (let i = 0; i < SIZE; i += 4) ALL.writeUInt32LE(i, i)

describe('reading a connection into the same buffers', () => {
  let folder: Awaited<ReturnType<typeof socketFolder>>
  let server: net.Server
  beforeEach(async () => {
    folder = await socketFolder()
  })
  afterEach(async () => {
    server.close()
    await folder.remove()
  })

  /** A connection to somebody who sends `bytes`, and then ends or goes on. */
  async function connected(bytes: Buffer, then: 'ends' | 'goes on' = 'ends') {
    const path = join(folder.path, 's')
    server = net.createServer().listen(path)
    await once(server, 'listening')
    const lender = new BufferLender((onread) => net.connect({ path, onread }))
    const { socket } = lender
    const [peer] = (await once(server, 'connection')) as [net.Socket]
    peer.write(bytes)
    if (then === 'ends') peer.end()
    return { lender, socket, peer }
  }

  it('gives what comes as data, each chunk in a buffer of its own, until somebody borrows', async () => {
    const { socket } = await connected(ALL)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(socket, 'end')
    expect(Buffer.concat(chunks).equals(ALL)).toBe(true)
  })

  it('lends a few buffers over and over to a borrower that is soon done', async () => {
    const { lender, socket } = await connected(ALL)
    const buffers = new Set<unknown>()
    let size = 0
    lender.lend((chunk, done) => {
      buffers.add(chunk.buffer)
      size += chunk.length
      process.nextTick(done) // as a write does
    })
    socket.resume()
    await once(socket, 'end')
    expect(size).toBe(SIZE)
    expect(buffers.size).toBeLessThan(SIZE / (64 * 1024) / 4)
  })

  it('leaves alone what a borrower is not done with', async () => {
    const { lender, socket } = await connected(ALL)
    const held: Buffer[] = []
    const borrower: Borrower = (chunk) => held.push(chunk)
    lender.lend(borrower)
    socket.resume()
    await once(socket, 'end')
    expect(Buffer.concat(held).equals(ALL)).toBe(true)
  })

  it('keeps the order when it begins to lend while bytes wait in the socket', async () => {
    const { lender, socket, peer } = await connected(Buffer.from('first '), 'goes on')
    await eventually(() => socket.readableLength > 0 || socket.read(0) !== null, 'the first bytes wait in the socket')
    let got = ''
    lender.lend((chunk, done) => {
      got += chunk.toString()
      done()
    })
    peer.end('second')
    await eventually(() => socket.readableLength === 'first second'.length || got !== '', 'the second bytes have come')
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString()
    })
    await once(socket, 'end')
    expect(got).toBe('first second')
  })

  it('reads nothing while the borrower has paused it', async () => {
    const { lender, socket } = await connected(ALL)
    let size = 0
    lender.lend((chunk, done) => {
      size += chunk.length
      done()
      socket.pause()
    })
    socket.resume()
    await eventually(() => size > 0, 'the first bytes')
    const first = size
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(size).toBe(first)
    lender.lend((chunk, done) => {
      size += chunk.length
      done()
    })
    socket.resume()
    await once(socket, 'end')
    expect(size).toBe(SIZE)
  })

  it('does the same over TLS', async () => {
    const pem = new Authority(join(folder.path, 'ca')).issue('engine', join(folder.path, 'engine')).pem()
    server = tls.createServer(pem, (peer) => peer.end(ALL)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as net.AddressInfo
    const where = { host: '127.0.0.1', port, ca: pem.ca }
    const lender = new BufferLender((onread) => {
      const options = { ...where, onread }
      return tls.connect(options)
    })
    const { socket } = lender
    const chunks: Buffer[] = []
    lender.lend((chunk, done) => {
      chunks.push(Buffer.from(chunk))
      process.nextTick(done)
    })
    socket.resume()
    await once(socket, 'end')
    expect(Buffer.concat(chunks).equals(ALL)).toBe(true)
  })
})
