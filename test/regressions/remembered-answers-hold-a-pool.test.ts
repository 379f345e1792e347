import { expect, it } from 'vitest'
import type { EngineFacts } from '../../src/api/engine-facts.ts'
import type { AnyPlan } from '../../src/translate/plans.ts'
import { ResponseCache } from '../../src/translate/run/response-cache.ts'

it('small remembered answers hold no more memory than twice their bytes, not the pool that they were made in', () => {
  const answers = new ResponseCache(1 << 20)
  const asked = { plan: {} as AnyPlan, engine: {} as EngineFacts, url: '/v1.22/containers/one/json' }
  const [came, written] = [Buffer.from('{"a":1}'.padEnd(300)), Buffer.from('{"b":1}'.padEnd(200))]
  expect(came.buffer.byteLength, 'Node made it in its pool').toBeGreaterThan(4096)
  answers.keep(asked, { received: came, written })
  came.write('[')
  written.write('[')
  const found = answers.find(asked, Buffer.from('{"a":1}'.padEnd(300)))
  expect(found?.toString()).toBe('{"b":1}'.padEnd(200))
  expect(found?.buffer.byteLength).toBeLessThanOrEqual(400)
})
