import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/** Each network was asked for after the one before: 200 took a quarter of a second. */
const stage = stages()
const LATENCY_MS = 40

it('the list of 20 networks of a client of 1.22 asks for eight at a time, and the engine’s time is the engine’s', async () => {
  let [now, most] = [0, 0]
  const { socket, audit } = await stage({
    onRequest: async (req, res) => {
      res.setHeader('Content-Type', 'application/json')
      const [, id] = /networks\/(\w+)$/.exec(req.url ?? '') ?? []
      const networks = Array.from({ length: 20 }, (_, i) => ({ Id: `n${i}`, Name: `n${i}` }))
      if (id === undefined) return void res.end(JSON.stringify(networks))
      most = Math.max(most, ++now)
      await setTimeout(['n7', 'n15', 'n19'].includes(id) ? 1 : LATENCY_MS) // the last of each eight is the first to answer
      now--
      res.end(JSON.stringify({ Id: id, Containers: { [`c-${id}`]: {} } }))
    },
  })
  const listed = JSON.parse((await call(socket, '/v1.22/networks')).text) as { Containers: object }[]
  expect(listed.map(({ Containers }) => Object.keys(Containers))).toEqual(
    Array.from({ length: 20 }, (_, i) => [`c-n${i}`]),
  )
  expect(most).toBe(8)
  const { engine } = (audit.at(-1) as { duration: { engine: number } }).duration
  expect(engine).toBeGreaterThan(2.5 * LATENCY_MS)
})
