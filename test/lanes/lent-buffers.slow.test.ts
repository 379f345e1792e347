import { createHash } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import type { Script } from '../support/scripted-engine.ts'

/** 16 MB that are nowhere the same, written in pieces that fit no buffer. */
const BODY = Buffer.alloc(16 << 20)
for (let i = 0; i < BODY.length; i += 4) BODY.writeUInt32LE(Math.imul(i + 1, 2_654_435_761) >>> 0, i)
const PIECES = [1, 900, 20_000, 65_536, 99_991, 300_007]

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** An archive with a length, or in chunks. */
const script: Script = {
  onRequest: (req, res) => {
    const length = req.url?.includes('length') === true ? { 'Content-Length': String(BODY.length) } : {}
    res.writeHead(200, { 'Content-Type': 'application/x-tar', ...length })
    let at = 0
    let turn = 0
    const more = (): void => {
      while (at < BODY.length) {
        const piece = BODY.subarray(at, at + (PIECES[turn++ % PIECES.length] ?? 1))
        at += piece.length
        if (!res.write(piece)) return
      }
      res.off('drain', more)
      res.end()
    }
    res.on('drain', more)
    more()
  },
}

/** The body of a HTTP/1.0 answer: up to its end, without chunks. */
async function readAll(client: net.Socket, way: string, rests: boolean): Promise<Buffer> {
  client.write(`GET /v1.44/containers/x/archive?path=${way} HTTP/1.0\r\nHost: d\r\n\r\n`)
  const chunks: Buffer[] = []
  client.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (!rests) return
    client.pause()
    setTimeout(() => client.resume(), chunks.length % 7 === 0 ? 2 : 0)
  })
  await once(client, 'end')
  const got = Buffer.concat(chunks)
  return got.subarray(got.indexOf('\r\n\r\n') + 4)
}

describe('a large answer, which is read into the same few buffers again and again', () => {
  const stage = stages()

  it.each([
    ['with a length', 'length', 'reads as it comes', false],
    ['with a length', 'length', 'reads in fits and starts', true],
    ['in chunks', 'chunks', 'reads as it comes', false],
    ['in chunks', 'chunks', 'reads in fits and starts', true],
  ])(
    'reaches byte for byte, %s (%s), a client that %s',
    async (_how, way, _reads, rests) => {
      const { socket } = await stage(script)
      expect(hash(await readAll(net.connect(socket), way, rests))).toBe(hash(BODY))
    },
    30_000,
  )

  it('reaches byte for byte a client over TLS, for whom bytes are written later than they are handed over', async () => {
    const issued = new Authority(join(stage.folder(), 'ca')).issue('bridge', join(stage.folder(), 'bridge'))
    const listen = ['--listen', 'tcp://127.0.0.1:0', '--tls-cert', issued.cert, '--tls-key', issued.key]
    const { bridge } = await stage(script, listen)
    const [port = 0] = bridge.addresses.flatMap((address) => (address.kind === 'tcp' ? [address.port] : []))
    const client = tls.connect({ host: '127.0.0.1', port, ca: issued.pem().ca })
    expect(hash(await readAll(client, 'chunks', true))).toBe(hash(BODY))
  }, 30_000)
})
