import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, RawConnection } from '../support/client.ts'

describe('body lane and the journey', () => {
  const stage = stages()
  const json =
    (body: unknown, status = 200) =>
    (_req: unknown, res: import('node:http').ServerResponse): void => {
      res.writeHead(status, { 'Content-Type': 'application/json' })
      res.end(typeof body === 'string' ? body : JSON.stringify(body))
    }

  it('keeps every digit of a 64-bit integer', async () => {
    const { socket } = await stage({
      onRequest: json('{"Id":"a","HostConfig":{"Memory":9223372036854771712,"CpuPeriod":0}}'),
    })
    const { text } = await call(socket, '/v1.18/containers/a/json')
    expect(text).toContain('"Memory":9223372036854771712')
    expect(text).not.toContain('CpuPeriod')
  })

  it('keeps members that no table knows, in their order', async () => {
    const { socket } = await stage({
      onRequest: json('{"Zeta":1,"Alpha":{"x":[1,{"y":null}]},"HostConfig":{"Zz":1,"CpuPeriod":0,"Aa":2}}'),
    })
    const { text } = await call(socket, '/v1.18/containers/a/json')
    expect(text).toMatch(/^\{"Zeta":1,"Alpha":\{"x":\[1,\{"y":null\}\]\},"HostConfig":\{"Zz":1,.*"Aa":2/)
  })

  it('takes members out and leaves the others what they are, also when the answer is remembered', async () => {
    const volume = (more: string): string =>
      `{${more}"Name":"v","Zz":{"a":"\u20ac","b":9007199254740993},"Driver":"local"}`
    const { socket } = await stage({
      onRequest: json(`{"Volumes":[${volume('"CreatedAt":"2026-01-01T00:00:00Z",')}],"Warnings":null}\n`),
    })
    for (const _round of ['translated', 'remembered'])
      expect((await call(socket, '/v1.22/volumes')).text).toBe(`{"Volumes":[${volume('')}],"Warnings":null}\n`)
  })

  it('finds members of a request whatever their case, the last one winning, as Go does', async () => {
    let seen = ''
    const { socket } = await stage({
      onRequest: (req, res) => {
        req.on('data', (chunk) => {
          seen += chunk
        })
        req.on('end', () => json({ Id: 'x', Warnings: [] }, 201)(req, res))
      },
    })
    await call(socket, '/v1.18/containers/create', {
      method: 'POST',
      body: '{"Image":"busybox","image":"other","hostconfig":{"dnsoptions":["x"],"memory":8388608}}',
    })
    expect(JSON.parse(seen)).toMatchObject({ Image: 'other', HostConfig: { Memory: 8388608 } })
    expect(seen).not.toMatch(/dnsoptions/i)
  })

  it('sends the engine a plain Host when the client’s is a socket path (command lines 1.6 to 1.9)', async () => {
    const hosts: (string | undefined)[] = []
    const { socket } = await stage({
      onRequest: (req, res) => {
        hosts.push(req.headers.host)
        res.end('OK')
      },
    })
    const client = new RawConnection(socket)
    client.send('GET /v1.18/_ping HTTP/1.1\r\nHost: /var/run/docker.sock\r\n\r\n')
    await client.until((text) => text.endsWith('OK'))
    client.send('POST /v1.18/images/load HTTP/1.1\r\nHost: \r\nContent-Length: 0\r\n\r\n')
    await client.until((text) => text.split('HTTP/1.1 200').length === 3)
    expect(new Set(hosts)).toEqual(new Set(['docker']))
    client.socket.destroy()
  })

  it('refuses a body beyond its limit with 413 and keeps serving', async () => {
    const { socket, engine } = await stage({ onRequest: json({}) })
    const big = await call(socket, '/v1.18/containers/create', {
      method: 'POST',
      body: `{"Image":"${'x'.repeat(17 << 20)}"}`,
    }).catch((cause: Error) => cause)
    expect(big instanceof Error ? 413 : big.status).toBe(413)
    expect(engine.seen).toEqual([])
    expect((await call(socket, '/v1.18/containers/a/json')).status).toBe(200)
  })

  it('lets the engine refuse a body that is no JSON, in its own words', async () => {
    const { socket } = await stage({ onRequest: json({ message: 'invalid character' }, 400) })
    expect(await call(socket, '/v1.18/containers/create', { method: 'POST', body: '{bad' })).toMatchObject({
      status: 500, // as engines of its age said
      text: expect.stringContaining('invalid character'),
    })
  })

  it('keeps __proto__ a member like any other', async () => {
    let seen = ''
    const { socket } = await stage({
      onRequest: (req, res) => {
        req.on('data', (chunk) => {
          seen += chunk
        })
        req.on('end', () => json({ Id: 'x' }, 201)(req, res))
      },
    })
    await call(socket, '/v1.18/containers/create', {
      method: 'POST',
      body: '{"Image":"b","Labels":{"__proto__":"x"},"__proto__":{"HostConfig":{"Privileged":true}}}',
    })
    expect(seen).toContain('"Labels":{"__proto__":"x"}')
    expect(JSON.parse(seen).HostConfig?.Privileged).toBeUndefined()
  })

  it('forwards an endpoint that no table knows, with the prefix adapted and the body untouched', async () => {
    const bodies: string[] = []
    const { socket, engine } = await stage({
      onRequest: (req, res) => {
        let body = ''
        req.on('data', (chunk) => {
          body += chunk
        })
        req.on('end', () => {
          bodies.push(body)
          res.end('new')
        })
      },
    })
    const answer = await call(socket, '/v1.18/brand/new?x=%2F1', { method: 'POST', body: ' {"a" : 1} ' })
    expect([answer.text, engine.seen, bodies]).toEqual(['new', ['POST /v1.44/brand/new?x=%2F1'], [' {"a" : 1} ']])
  })

  it('tells what was lost in a header and in the Warnings of a create', async () => {
    const { socket, audit } = await stage(
      {
        version: { ApiVersion: '1.21', Version: '1.9.1' },
        onRequest: (req, res) => {
          req.resume()
          req.on('end', () => json({ Id: 'x', Warnings: null }, 201)(req, res))
        },
      },
      ['--announce-api', '1.24'],
    )
    const answer = await call(socket, '/v1.24/containers/create', {
      method: 'POST',
      body: '{"Image":"b","Healthcheck":{"Test":["CMD","true"]}}',
    })
    expect(JSON.parse(answer.text)).toEqual({
      Id: 'x',
      Warnings: ['Your engine does not support Healthcheck (API 1.21). Healthcheck discarded.'],
    })
    expect(answer.headers['enginebridge-loss']).toBe('Healthcheck')
    expect(audit.at(-1)).toMatchObject({ losses: [{ what: 'Healthcheck', change: '1.24/healthcheck' }] })
  })

  it('answers OPTIONS itself, and sends CORS headers where they are asked for', async () => {
    const { socket } = await stage({ onRequest: (_req, res) => res.end('OK') }, ['--api-cors-header', '*'])
    const preflight = await call(socket, '/v1.18/info', { method: 'OPTIONS' })
    expect(preflight).toMatchObject({ status: 200, text: '', headers: { 'access-control-allow-origin': '*' } })
    expect((await call(socket, '/v1.44/_ping')).headers['access-control-allow-methods']).toContain('DELETE')
  })
})
