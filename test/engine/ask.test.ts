import { expect, it } from 'vitest'
import { askEngine, askForStart } from '../../src/engine/ask.ts'
import type { EngineCall, ResponseSink } from '../../src/http/engine/request.ts'
import { Headers } from '../../src/http/headers.ts'
import type { Limits } from '../../src/http/limits.ts'

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
  const asked = askForStart(
    engine,
    { method: 'GET', path: '/events', headers: new Headers(), body: null },
    { bytes: 3 },
  )
  sink?.head(200, 'OK', new Headers(), call)
  for (const piece of ['{}', '[]', '{}', '[]']) sink?.data(Buffer.from(piece), 2)
  expect([(await asked).start.toString(), aborted]).toEqual(['{}[]', 1])
})

const LIMITS: Partial<Limits> = { 'max-response-body': 1000 }

/** Podman, of a network that a container is connected to. */
it('what an engine says as text to a call that changes something is no JSON, and no fault', async () => {
  const idle = (): undefined => undefined
  const call: EngineCall = { pause: idle, resume: idle, halfClose: idle, abort: idle }
  const engine = {
    send: (_request: unknown, sink: ResponseSink): EngineCall => {
      sink.head(200, 'OK', new Headers([['Content-Type', 'text/plain; charset=us-ascii']]), call)
      sink.data(Buffer.from('OK\n'), 1)
      sink.end()
      return call
    },
  }
  const asked = (method: string) =>
    askEngine(
      { engine, limits: LIMITS as Limits },
      { method, path: '/networks/n/connect', headers: new Headers(), body: null },
    )
  expect(await asked('POST')).toMatchObject({ status: 200, body: undefined })
  await expect(asked('GET')).rejects.toThrow('not JSON')
})
