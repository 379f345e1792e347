import http from 'node:http'
import { describe, expect, it } from 'vitest'
import type { ResponseSink } from '../../src/http/engine/request.ts'
import { CallContext } from '../../src/proxy/emulation-context.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'

/** They waited for ever, whatever --answer-timeout said, and each held a place of --max-calls. */
describe('an engine that is silent to what the bridge reads for a call', () => {
  const stage = stages()

  it.each([
    ['/v1.20/containers/x/start', '{"Binds":["/a:/b"]}'],
    ['/v1.20/containers/x/copy', '{"Resource":"/a"}'],
    ['/v1.20/images/i/tag?repo=a', ''],
    ['/v1.25/services/s/update?version=1', '{}'],
  ])('is given up after --answer-timeout: %s', { tags: 'slow' }, async (path, body) => {
    const { socket } = await stage({ onRequest: () => undefined }, ['--answer-timeout', '1s'])
    const headers = { 'Content-Type': 'application/json' }
    const reply = await call(socket, path, { method: 'POST', headers, body })
    expect([reply.status, reply.headers['enginebridge-error']]).toEqual([504, 'engine-timeout'])
  })

  // With --max-calls these stopped the bridge: a stuck container, and programs that give up after a while.
  it.each(['/v1.20/containers/x/start', '/v1.20/containers/x/copy', '/v1.18/exec/x/json'])(
    'is asked no longer when the client has left: %s',
    async (path) => {
      const open = new Set<unknown>()
      let asked = 0
      const { socket, audit } = await stage({
        onRequest: (req) => {
          asked++
          open.add(req)
          req.on('close', () => open.delete(req))
        },
      })
      const isRead = path.endsWith('json')
      const headers = { 'Content-Type': 'application/json' }
      const request = http.request({ socketPath: socket, path, method: isRead ? 'GET' : 'POST', headers })
      request.on('error', () => undefined)
      request.end(isRead ? undefined : '{"Binds":["/a:/b"],"Resource":"/a"}')
      await eventually(() => asked > 0, 'the engine is asked')
      request.destroy()
      await eventually(() => open.size === 0, 'the engine is asked no longer')
      await eventually(() => audit.some(({ stage }) => stage !== 'received'), 'the call has ended')
      expect(audit.at(-1)).toMatchObject({ endedBy: 'client' })
    },
  )

  it.each([
    ['the bridge', undefined, 1_000],
    ['the client', { method: 'POST' }, 0],
  ])(
    'is waited for once %s has changed something: what was begun is finished, or undone',
    async (_, forwarded, before) => {
      const given: string[] = []
      const exchange = {
        core: { limits: { 'answer-timeout': 1_000, 'max-response-body': 1_000 }, replacedContainers: {} },
        plan: { client: 20, target: 44 },
        call: {},
        facts: { product: undefined },
        left: new AbortController().signal,
        entry: { forwarded, timing: { engineResponded: () => undefined } },
        sendFurther: ({ method }: { method: string }, sink: ResponseSink, _judged: boolean, timeoutMs: number) => {
          given.push(`${method} ${timeoutMs}`)
          queueMicrotask(() => sink.end())
          return { abort: () => undefined }
        },
      }
      const context = new CallContext(exchange as never)
      for (const method of ['GET', 'HEAD', 'POST', 'GET', 'DELETE']) await context.engineCall(method, '/volumes/v')
      expect(given).toEqual([`GET ${before}`, `HEAD ${before}`, 'POST 0', 'GET 0', 'DELETE 0'])
    },
  )
})
