import { createHash } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually } from '../support/client.ts'

const HEAD_101 = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
const ATTACH = 'POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

/** 16 MB that are nowhere the same, in pieces that fit no buffer: a prime of bytes, some of them tiny. */
const FLOOD = Buffer.alloc(16 << 20)
for (let i = 0; i < FLOOD.length; i += 4) FLOOD.writeUInt32LE(Math.imul(i + 1, 2_654_435_761) >>> 0, i)
const PIECES = [1, 4096, 65_536, 99_991, 300_007]

const hash = (chunks: readonly Buffer[]): string =>
  chunks.reduce((all, chunk) => all.update(chunk), createHash('sha256')).digest('hex')

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

describe('a tunnel at full rate', () => {
  const stage = stages()

  it.each([
    ['as it comes', 0],
    ['in fits and starts', 1],
  ])(
    'gives a client that reads %s what the engine wrote, byte for byte, and counts it',
    async (_how, pauses) => {
      const { socket, audit } = await stage({
        onUpgrade: (_req, duplex) => {
          duplex.write(HEAD_101)
          flood(duplex)
        },
      })
      const client = net.connect({ path: socket })
      client.write(ATTACH)
      const chunks: Buffer[] = []
      client.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (pauses === 0) return
        client.pause()
        setTimeout(() => client.resume(), chunks.length % 7 === 0 ? pauses : 0)
      })
      await once(client, 'end')
      const got = Buffer.concat(chunks)
      const body = got.subarray(got.indexOf('\r\n\r\n') + 4)
      expect(body.length).toBe(FLOOD.length)
      expect(hash([body])).toBe(hash([FLOOD]))
      await eventually(() => audit.length === 3, 'the last record')
      expect(audit.at(-1)).toMatchObject({ bytesOut: FLOOD.length, endedBy: 'engine' })
    },
    30_000,
  )
})
