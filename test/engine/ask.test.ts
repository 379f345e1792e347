import { expect, it } from 'vitest'
import { askForStart } from '../../src/engine/ask.ts'
import type { EngineCall, ResponseSink } from '../../src/http/engine/request.ts'

/** One read can hold hundreds of chunks: each of them would be joined to a beginning of up to 256 MiB. */
it('a call that is aborted because it has enough hears nothing of what had been read with that', async () => {
  let sink: ResponseSink | undefined
  let aborted = 0
  const idle = (): undefined => undefined
  const call: EngineCall = { pause: idle, resume: idle, halfClose: idle, abort: () => void aborted++ }
  const engine = {
    send: (_request: unknown, given: ResponseSink): EngineCall => {
      sink = given
      return call
    },
  }
  const asked = askForStart(engine, { method: 'GET', path: '/events', headers: [], body: null }, { bytes: 3 })
  sink?.head(200, 'OK', [], call)
  for (const piece of ['{}', '[]', '{}', '[]']) sink?.data(Buffer.from(piece), 2)
  expect([(await asked).start.toString(), aborted]).toEqual(['{}[]', 1])
})
