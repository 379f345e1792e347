import http from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/** How much longer the worst query may take than a plain one of the same length. */
const RATIO = 30
const FLOOR_MS = 20

const WORST = {
  'newlines among changes': `changes=${'%0A'.repeat(300_000)}`,
  'a secret that the path nearly quotes': `token=ab${'a'.repeat(20_000)}`,
} as const

/** `POST /commit?changes=%0A%0A…` held every other call for half a minute, refused or not. */
describe('one request with a long query', () => {
  const stage = stages()
  const script = { onRequest: (_req: http.IncomingMessage, res: http.ServerResponse) => void res.end('{}') }

  async function times(
    ask: (query: string) => Promise<unknown>,
    worst: string,
  ): Promise<{ worst: number; plain: number }> {
    const time = async (query: string): Promise<number> => {
      const began = performance.now()
      await ask(query)
      return performance.now() - began
    }
    const plain = `comment=${'a'.repeat(worst.length)}`
    await time(plain)
    return { worst: await time(worst), plain: Math.max(FLOOR_MS, await time(plain)) }
  }

  const path = `/v1.44/commit/%zz${'a'.repeat(400_000)}`
  it.each(Object.entries(WORST))(
    'takes no longer than a plain one: %s, allowed and refused by a policy',
    async (_what, query) => {
      for (const flags of [[], ['--policy', 'read-only']]) {
        const { socket } = await stage(script, flags)
        const where = query.startsWith('token') ? path : '/v1.44/commit'
        const statuses: number[] = []
        const took = await times(async (search) => {
          statuses.push((await call(socket, `${where}?${search}`, { method: 'POST' })).status)
        }, query)
        expect(took.worst / took.plain).toBeLessThan(RATIO)
        expect(new Set(statuses).size).toBe(1)
      }
    },
    120_000,
  )

  it.each([
    ['Host', 'evil.example'],
    ['Origin', 'http://evil.example'],
  ])(
    'takes no longer than a plain one, refused for a foreign %s',
    async (name, value) => {
      const { bridge } = await stage(script, ['--listen', 'tcp://127.0.0.1:0'])
      const tcp = bridge.addresses.find((address) => address.kind === 'tcp')
      const ask = (search: string): Promise<unknown> => {
        const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
        const options = { port: tcp?.port, method: 'POST', path: `/v1.44/commit?${search}`, headers: { [name]: value } }
        http
          .request({ host: '127.0.0.1', agent: false, ...options }, (res) => {
            res.resume().on('end', () => resolve(res.statusCode))
          })
          .on('error', reject)
          .end()
        return promise.then((status) => expect(status).toBe(403))
      }
      const took = await times(ask, WORST['newlines among changes'])
      expect(took.worst / took.plain).toBeLessThan(RATIO)
    },
    120_000,
  )

  it('stands in the record as far as 16 KiB of it go', async () => {
    const { socket, audit } = await stage(script)
    const many = 'comment=abcdefgh&'.repeat(20_000)
    await call(socket, `/v1.44/commit?repo=x&${many}`, { method: 'POST' })
    const query = String(audit.at(-1)?.['query'])
    expect(query.length).toBeLessThan(17 * 1024)
    expect(query).toMatch(/^\?repo=x&comment=abcdefgh&.*&\[cut\]$/)
  })
})
