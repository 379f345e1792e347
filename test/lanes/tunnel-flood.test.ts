import { createHash } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import { eventually } from '../support/client.ts'
import type { Script } from '../support/scripted-engine.ts'

const HEAD_101 = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
const ATTACH = 'POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

/** 16 MB that do not repeat, written in pieces that fit no buffer. */
const FLOOD = Buffer.alloc(16 << 20)
for (let i = 0; i < FLOOD.length; i += 4) FLOOD.writeUInt32LE(Math.imul(i + 1, 2_654_435_761) >>> 0, i)
const PIECES = [1, 4096, 65_536, 99_991, 300_007]

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function flood(to: NodeJS.WritableStream): void {
  let at = 0
  let turn = 0
  const more = (): void => {
    while (at < FLOOD.length) {
      const piece = FLOOD.subarray(at, at + (PIECES[turn++ % PIECES.length] ?? 1))
      at += piece.length
      if (!to.write(piece)) return
    }
    to.off('drain', more)
    to.end()
  }
  to.on('drain', more)
  more()
}

const script: Script = {
  onUpgrade: (_req, duplex) => {
    duplex.write(HEAD_101)
    flood(duplex)
  },
}

/** Reads a tunnel to its end. */
async function readAll(client: net.Socket, rests: boolean): Promise<Buffer> {
  client.write(ATTACH)
  const chunks: Buffer[] = []
  client.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (!rests) return
    client.pause()
    setTimeout(() => client.resume(), chunks.length % 7 === 0 ? 1 : 0)
  })
  await once(client, 'end')
  const got = Buffer.concat(chunks)
  return got.subarray(got.indexOf('\r\n\r\n') + 4)
}

describe('a tunnel at full rate', () => {
  const stage = stages()

  it.each([
    ['as it comes', false],
    ['in fits and starts', true],
  ])(
    'gives a client that reads %s what the engine wrote, byte for byte, and counts it',
    async (_how, rests) => {
      const { socket, audit } = await stage(script)
      const body = await readAll(net.connect({ path: socket }), rests)
      expect(body.length).toBe(FLOOD.length)
      expect(hash(body)).toBe(hash(FLOOD))
      await eventually(() => audit.length === 3, 'the last record')
      expect(audit.at(-1)).toMatchObject({ bytesOut: FLOOD.length, endedBy: 'engine' })
    },
    30_000,
  )

  it('gives the same to a client over TLS, for whom bytes are written later than they are handed over', async () => {
    const issued = new Authority(join(stage.folder(), 'ca')).issue('bridge', join(stage.folder(), 'bridge'))
    const listen = ['--listen', 'tcp://127.0.0.1:0', '--tls-cert', issued.cert, '--tls-key', issued.key]
    const { bridge } = await stage(script, listen)
    const [port = 0] = bridge.addresses.flatMap((address) => (address.kind === 'tcp' ? [address.port] : []))
    const body = await readAll(tls.connect({ host: '127.0.0.1', port, ca: issued.pem().ca }), false)
    expect(body.length).toBe(FLOOD.length)
    expect(hash(body)).toBe(hash(FLOOD))
  }, 30_000)
})
