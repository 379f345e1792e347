import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readFacts } from '../../src/engine/discovery.ts'
import { ReplacedContainers } from '../../src/engine/replaced/replaced-containers.ts'
import { Headers } from '../../src/http/headers.ts'
import { engine28 } from '../support/scripted-engine.ts'

/** A look-up that the engine did not answer was taken for one that found nothing, for as long as the engine stayed the same. */
it('a look-up of containers with other ids that failed is made again, beside a later call', async () => {
  let [asked, fails] = [0, true]
  const replacedContainers = new ReplacedContainers(
    () => {
      asked++
      return fails
        ? Promise.reject(new Error('gone'))
        : Promise.resolve({ status: 200, headers: new Headers(), body: [], error: '' })
    },
    { pauseMs: 20 },
  )
  const facts = readFacts(engine28)
  expect(await replacedContainers.mapsIds(facts)).toBe(false)
  const first = asked
  expect(replacedContainers.mapsIds(facts)).toBe(false)
  expect(asked, 'not for each call').toBe(first)
  await sleep(30)
  fails = false
  expect(replacedContainers.mapsIds(facts), 'no call waits for it').toBe(false)
  await sleep(30)
  expect(asked).toBeGreaterThan(first)
  const second = asked
  expect(replacedContainers.mapsIds(facts)).toBe(false)
  expect(asked, 'it has been answered').toBe(second)
})
