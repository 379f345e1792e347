import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Observer } from '../../src/audit/watched.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'

/**
 * A large list is translated in slices. When its client left meanwhile, the work went on to its end, beyond what
 * `--max-calls` counts, and those who watch the call were shown an answer after they had been told that it was over.
 */
const PATIENCE_MS = 60_000
const labels = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`label.${n}`, 'x'.repeat(50)]))
const list = (length: number): string =>
  JSON.stringify(
    Array.from({ length }, (_, i) => ({
      Id: String(i).padStart(64, '0'),
      Status: 'Up',
      State: 'running',
      Labels: labels,
    })),
  )

describe('a client that leaves while its large list is translated', { timeout: 120_000 }, () => {
  const stage = stages()

  it('is shown nothing of it: its call is over for all who watch it, and its record says who left', async () => {
    const seen: string[] = []
    const came = Promise.withResolvers<void>()
    const large = list(20_000)
    const observe: Observer = ({ call: { search } }) => {
      if (search !== '?all=1') return undefined
      let size = 0
      return {
        request: () => undefined,
        response: (side) => void seen.push(side),
        body: (side, chunk) => {
          size += side === 'engineResponse' ? chunk.length : 0
          if (size === large.length) came.resolve()
        },
        stream: () => undefined,
        over: () => void seen.push('over'),
      }
    }
    const { socket, audit } = await stage(
      {
        onRequest: (req, res) => {
          res.setHeader('Content-Type', 'application/json')
          res.end(req.url?.includes('filters=') ? '[]' : large) // no container was made anew
        },
      },
      [],
      { observers: [observe] },
    )
    const client = new RawConnection(socket)
    client.send('GET /v1.22/containers/json?all=1 HTTP/1.1\r\nHost: d\r\n\r\n')
    await came.promise
    client.socket.destroy()
    await once(client.socket, 'close')
    await eventually(() => seen.includes('over'), 'its call is over', PATIENCE_MS)
    // Who works on large lists takes turns: when a later one of the same length is done, so would this one be.
    const { text } = await call(socket, '/v1.22/containers/json')
    expect(JSON.parse(text)).toHaveLength(20_000)
    expect(seen).toEqual(['engineResponse', 'over'])
    expect(audit.find(({ stage: at, query }) => at === 'complete' && query === '?all=1')).toMatchObject({
      endedBy: 'client',
      bytesOut: 0,
    })
  })
})
