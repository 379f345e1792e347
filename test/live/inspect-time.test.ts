import { Agent, get } from 'node:http'
import { expect, test } from 'vitest'
import { Client } from './support/client.ts'
import { onEngines, withBridge } from './support/suites.ts'

/** Seen: 0.15 to 0.22 ms with the built program; 0.8 to 0.9 when each inspect asked the engine twice, which is what this is to find. */
const LIMIT_MS = 0.6
const CALLS = 300
const WARM_UP = 300
/** Other programs make both sides slower: a regression is over the limit each time. */
const ATTEMPTS = 5

type Timed = () => Promise<number>

/** Times one call over a connection that is kept. */
function timed(socketPath: string, path: string): Timed {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return () =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      get({ agent, socketPath, path, headers: { Host: 'docker' } }, (res) => {
        res.resume().on('end', () => resolve(performance.now() - start))
      }).on('error', reject)
    })
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

/** How much longer the second takes, in the median of calls made by turns. */
async function longer(first: Timed, second: Timed, calls: number): Promise<number> {
  const times: [number[], number[]] = [[], []]
  for (let i = 0; i < calls; i++) {
    times[0].push(await first())
    times[1].push(await second())
  }
  return median(times[1]) - median(times[0])
}

await onEngines(['20.10'], (engine) => {
  // Tests run at the level that compares what each change does; this is the default.
  const { socket } = withBridge(engine, ['--audit-level', 'metadata'])
  test.each(['1.19', '1.20', '1.21'])(
    'an inspect of a %s client takes little longer than without a bridge',
    { timeout: 60_000 },
    async (version) => {
      const id = await new Client(socket, version).run({ Cmd: ['sleep', '600'] })
      const path = `/v${version}/containers/${id}/json`
      const [direct, through] = [timed(engine.socket, path), timed(socket, path)]
      await longer(direct, through, WARM_UP)
      const seen: number[] = []
      while (seen.length < ATTEMPTS && !seen.some((ms) => ms <= LIMIT_MS))
        seen.push(await longer(direct, through, CALLS))
      console.log(`an inspect at ${version} takes ${seen.map((ms) => ms.toFixed(2)).join(', ')} ms more`)
      expect(Math.min(...seen)).toBeLessThanOrEqual(LIMIT_MS)
    },
  )
})
