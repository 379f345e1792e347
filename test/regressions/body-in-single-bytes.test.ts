import { expect, it } from 'vitest'
import { BodyCapture } from '../../src/audit/record/body.ts'

const BYTES = 400_000
/** An object for each byte takes a hundred times its size. */
const MAX_GROWTH = 8 << 20

it('a body for the record, or for the inspector, that comes in single bytes takes little more than its size', () => {
  const capture = new BodyCapture('message')
  const byte = Buffer.from('1')
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < BYTES; i++) capture.push(byte)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(MAX_GROWTH)
  const context = { operation: undefined, limit: BYTES, redaction: { label: () => false }, secrets: new Set<string>() }
  expect(capture.record(context, { complete: true, plain: true })).toMatchObject({ bytes: BYTES })
})
