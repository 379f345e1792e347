import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { HeldInput } from '../../src/http/client/held-input.ts'
import { ownMemory } from '../support/memory.ts'

it('holds bytes that a client drips behind its request in little more than their size', { tags: 'slow' }, () => {
  const ignore = (): undefined => undefined
  const socket = { pause: ignore, resume: ignore } as unknown as Socket
  const inputs = Array.from({ length: 16 }, () => new HeldInput(socket, { inputPaused: ignore, inputResumed: ignore }))
  const before = ownMemory()
  for (const input of inputs) for (let i = 0; i < 60_000; i++) input.add(Buffer.allocUnsafeSlow(1))
  expect(ownMemory() - before).toBeLessThan(50 << 20)
  expect(inputs.map((input) => input.take().length)).toEqual(inputs.map(() => 60_000))
})
