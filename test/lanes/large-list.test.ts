import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const element = (i: number): Record<string, unknown> => ({
  Id: String(i).padStart(64, '0'),
  Names: [`/c${i}`],
  Status: 'Up 5 minutes',
  State: 'running',
  Labels: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`label.${n}`, 'x'.repeat(50)])),
  Mounts: [],
})
const list = (length: number): Record<string, unknown>[] => Array.from({ length }, (_, i) => element(i))

describe('a large list that has to be translated', () => {
  const stage = stages()

  it('does not hold up other calls: they are answered while it is worked on', async () => {
    const large = JSON.stringify(list(6000))
    const sent = Promise.withResolvers<void>()
    const { socket } = await stage({
      onRequest: (req, res) => {
        if (req.url?.endsWith('/_ping')) {
          res.end('OK')
          return
        }
        res.setHeader('Content-Type', 'application/json')
        // Nor was any container made anew, or the list would be translated at once.
        res.end(req.url?.includes('filters=') ? '[]' : large)
        void once(res, 'finish').then(() => sent.resolve())
      },
    })
    await call(socket, '/v1.22/_ping')
    const state = { over: false }
    const listed = call(socket, '/v1.22/containers/json').finally(() => {
      state.over = true
    })
    await sent.promise
    let answered = 0
    while (!state.over) {
      expect((await call(socket, '/v1.22/_ping')).text).toBe('OK')
      answered++
    }
    const { text } = await listed
    expect(JSON.parse(text)).toHaveLength(6000)
    expect(text).not.toContain('"State"')
    expect(answered).toBeGreaterThan(3)
  })

  it('ends as a small one does when an element late in it is broken: what came is passed on whole', async () => {
    const broken = (length: number): string => `${JSON.stringify(list(length)).slice(0, -2)},"b":nope}]`
    const bodies = [broken(5), broken(3000), broken(3000).slice(0, -1)]
    const { socket } = await stage({
      onRequest: (req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(req.url?.includes('filters=') ? '[]' : bodies[0])
      },
    })
    const small = await call(socket, '/v1.22/containers/json')
    for (const body of [...bodies]) {
      bodies[0] = body
      const { status, headers, text } = await call(socket, '/v1.22/containers/json')
      expect([status, headers['content-type']]).toEqual([small.status, small.headers['content-type']])
      expect(text).toBe(body)
    }
  })

  it('is what the engine says now, whatever was remembered of the one before and of other questions', async () => {
    const state = { list: list(2000) }
    const { socket } = await stage({
      onRequest: (req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.end(req.url?.includes('filters=') ? '[]' : JSON.stringify(state.list))
      },
    })
    const shown = async (version: string, query = ''): Promise<Record<string, unknown>[]> =>
      JSON.parse((await call(socket, `/v${version}/containers/json${query}`)).text)
    const expected = (): object[] => state.list.map(({ State: _state, Mounts: _mounts, ...rest }) => rest)
    expect(await shown('1.22')).toEqual(expected())
    state.list = state.list.with(1000, { ...state.list[1000], Status: 'Exited (0) 1 second ago' })
    expect(await shown('1.22')).toEqual(expected())
    expect(await shown('1.24')).toEqual(state.list)
    expect((await shown('1.18', '?size=1'))[7]).toHaveProperty('SizeRw', 0)
    state.list = state.list.slice(5)
    expect(await shown('1.22')).toEqual(expected())
    expect((await shown('1.18', '?size=0'))[7]).not.toHaveProperty('SizeRw')
  })
})
