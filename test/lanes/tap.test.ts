import { describe, expect, it } from 'vitest'
import { ProxyError } from '../../src/api/errors.ts'
import type { AuditRecord } from '../../src/audit/audit.ts'
import type { MessageSide } from '../../src/audit/observer.ts'
import type { Observer, Watched } from '../../src/audit/watched.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'

/** The facts that an observer got of one call, with its bodies joined. */
interface Seen {
  readonly lane: string | undefined
  readonly requests: string[]
  readonly statuses: string[]
  readonly bodies: Record<MessageSide | 'client' | 'engine', string>
  over: number
}

function recorder(wants: (watched: Watched) => boolean = () => true): { observers: Observer[]; calls: Seen[] } {
  const calls: Seen[] = []
  const observer: Observer = (watched) => {
    if (!wants(watched)) return undefined
    const bodies = {
      clientRequest: '',
      engineRequest: '',
      engineResponse: '',
      clientResponse: '',
      client: '',
      engine: '',
    }
    const seen: Seen = { lane: watched.entry.decision?.lane, requests: [], statuses: [], bodies, over: 0 }
    calls.push(seen)
    return {
      request: (head, byEmulation) =>
        seen.requests.push(`${head.method} ${head.path}${byEmulation ? ' by emulation' : ''}`),
      response: (side, head) => seen.statuses.push(`${side} ${head.status}`),
      body: (side, chunk) => {
        bodies[side] += chunk
      },
      stream: (from, chunk) => {
        bodies[from] += chunk
      },
      over: () => seen.over++,
    }
  }
  return { observers: [observer], calls }
}

const json = { 'Content-Type': 'application/json' }

describe('taps', () => {
  const stage = stages()

  it('see a translated body as the client sent it and as the engine got it, and the answer on both sides', async () => {
    const { observers, calls } = recorder()
    let got = ''
    const { socket } = await stage(
      {
        onRequest: async (req, res) => {
          for await (const chunk of req) got += chunk
          res.writeHead(201, json).end('{"Id":"abc","Warnings":null}')
        },
      },
      [],
      { observers },
    )
    const body = '{"Image":"busybox","Cmd":"true"}'
    const reply = await call(socket, '/v1.18/containers/create?name=a', { method: 'POST', body })
    await eventually(() => calls[0]?.over === 1, 'the end')
    expect(calls).toMatchObject([
      { lane: 'body', requests: ['GET /v1.44/info by emulation', 'POST /v1.44/containers/create?name=a'] },
    ])
    expect(calls[0]?.statuses).toEqual(['engineResponse 201', 'clientResponse 201'])
    expect(calls[0]?.bodies).toMatchObject({ clientRequest: body, engineRequest: got, clientResponse: reply.text })
    expect(calls[0]?.bodies.engineResponse).toBe('{"Id":"abc","Warnings":null}')
    expect(got).not.toBe(body)
  })

  it.each([
    ['pass', '/v1.51/containers/x/exec', '{"Cmd":["true"]}'],
    ['pass', '/v1.51/images/load', 'x'.repeat(300_000)],
  ])('see a body that streams through the %s lane, none of it lost to the engine', async (lane, path, body) => {
    const { observers, calls } = recorder()
    let got = ''
    const { socket, audit } = await stage(
      {
        onRequest: async (req, res) => {
          for await (const chunk of req) got += chunk
          res.writeHead(200, json).end('{}')
        },
      },
      ['--validation', 'off'],
      { observers },
    )
    await call(socket, path, { method: 'POST', body })
    await eventually(() => calls[0]?.over === 1, 'the end')
    expect(calls[0]).toMatchObject({
      lane,
      requests: [`POST ${path}`],
      statuses: ['engineResponse 200', 'clientResponse 200'],
    })
    expect(got === body && calls[0]?.bodies.clientRequest === body && calls[0]?.bodies.engineRequest === body).toBe(
      true,
    )
    expect(calls[0]?.bodies).toMatchObject({ engineResponse: '{}', clientResponse: '{}' })
    expect(audit.at(-1)).toMatchObject({ bytesIn: body.length, bytesOut: 2 })
  })

  it('see the records of a stream before and after their translation', async () => {
    const { observers, calls } = recorder()
    const old = '"status":"start","id":"abc","from":"busybox"'
    const record = `{${old},"Type":"container","Action":"start","Actor":{"ID":"abc","Attributes":{}},"time":1}`
    const { socket } = await stage({ onRequest: (_req, res) => res.writeHead(200, json).end(`${record}\n`) }, [], {
      observers,
    })
    const reply = await call(socket, '/v1.20/events')
    expect(calls[0]).toMatchObject({
      lane: 'records',
      bodies: { engineResponse: `${record}\n`, clientResponse: reply.text },
    })
    expect(reply.text).toBe(`{${old},"time":1}\n`)
  })

  it('see an error of the engine and the text that the client gets', async () => {
    const { observers, calls } = recorder()
    const error = '{"message":"No such container: x"}'
    const { socket } = await stage({ onRequest: (_req, res) => res.writeHead(404, json).end(error) }, [], { observers })
    const reply = await call(socket, '/v1.20/containers/x/json')
    expect(calls[0]).toMatchObject({ statuses: ['engineResponse 404', 'clientResponse 404'] })
    expect(calls[0]?.bodies).toMatchObject({ engineResponse: error, clientResponse: reply.text })
    expect(reply.text).not.toBe(error)
  })

  it('see both heads and the bytes each way of a tunnel', async () => {
    const { observers, calls } = recorder()
    const head = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
    const onUpgrade = (_req: unknown, duplex: import('node:stream').Duplex): void => {
      duplex.write(`${head}hello`)
      duplex.on('data', (chunk) => duplex.end(`echo ${chunk}`))
    }
    const { socket } = await stage({ onUpgrade }, [], { observers })
    const client = new RawConnection(socket)
    client.send('POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    await client.until((text) => text.endsWith('hello'))
    client.send('abc')
    await client.untilEnd()
    client.finish()
    await eventually(() => calls[0]?.over === 1, 'the end')
    expect(calls[0]).toMatchObject({ lane: 'tunnel', statuses: ['engineResponse 101', 'clientResponse 101'] })
    expect(calls[0]?.bodies).toMatchObject({ client: 'abc', engine: 'helloecho abc' })
  })

  it('can refuse a request before any of it has gone to the engine', async () => {
    const observers: Observer[] = [
      () => ({
        request: () => {
          throw new ProxyError('forbidden', 'not today')
        },
        response: () => undefined,
        body: () => undefined,
        stream: () => undefined,
        over: () => undefined,
      }),
    ]
    const { socket, engine } = await stage({ onRequest: (_req, res) => res.end('{}') }, [], { observers })
    for (const path of ['/v1.51/info', '/v1.20/info', '/v1.51/containers/x/logs'])
      expect(await call(socket, path)).toMatchObject({ status: 403 })
    expect(engine.seen).toEqual([])
  })

  it('are asked for by each observer call by call', async () => {
    const { observers, calls } = recorder(({ entry }) => entry.operation === 'SystemInfo')
    const { socket } = await stage({ onRequest: (_req, res) => res.end('{}') }, [], { observers })
    await call(socket, '/v1.51/version')
    await call(socket, '/v1.51/info')
    expect(calls.map(({ requests }) => requests)).toEqual([['GET /v1.51/info']])
  })
})

describe('an audit sink that is waited for', () => {
  const stage = stages()

  it('holds a call until its record is safe, and no other call', async () => {
    const stored = Promise.withResolvers<void>()
    const records: AuditRecord[] = []
    const audit = {
      write: (record: AuditRecord) => (records.push(record) === 1 ? stored.promise : undefined),
    }
    const { socket, engine } = await stage({ onRequest: (_req, res) => res.end('{}') }, [], { audit })
    const held = call(socket, '/v1.51/info')
    await eventually(() => records.length === 1, 'the first record')
    for (let other = 0; other < 3; other++) await call(socket, '/v1.51/version')
    expect(engine.seen).toEqual(Array(3).fill('GET /v1.51/version'))
    stored.resolve()
    expect(await held).toMatchObject({ status: 200 })
    expect(engine.seen.at(-1)).toBe('GET /v1.51/info')
  })

  it('refuses a call whose record cannot be stored with 503, and forwards nothing', async () => {
    const audit = {
      write: ({ stage: at }: AuditRecord) =>
        at === 'received'
          ? Promise.reject(new ProxyError('audit', 'the audit record cannot be written: disk full'))
          : undefined,
    }
    const { socket, engine } = await stage({ onRequest: (_req, res) => res.end('{}') }, [], { audit })
    const reply = await call(socket, '/v1.51/info')
    expect(reply).toMatchObject({ status: 503, headers: { 'enginebridge-error': 'audit' } })
    expect(JSON.parse(reply.text).message).toContain('disk full')
    expect(engine.seen).toEqual([])
  })
})
