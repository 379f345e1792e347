import http from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, RawConnection } from '../support/client.ts'

const at = (version: string) => ({
  ApiVersion: version,
  MinAPIVersion: '1.12',
  Version: 'x',
  Os: 'linux',
  Arch: 'amd64',
})

/** Keeps what reached the engine. */
function keeping(): { bodies: string[]; onRequest: http.RequestListener } {
  const bodies: string[] = []
  return {
    bodies,
    onRequest: (req, res) => {
      let text = ''
      req.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      req.on('end', () => {
        bodies.push(text)
        res.end('ok')
      })
    },
  }
}

describe('validation on the way of a call', () => {
  const stage = stages()

  it('forwards the original bytes of a body that was looked at and not translated', async () => {
    const { bodies, onRequest } = keeping()
    const { socket } = await stage({ version: at('1.22'), onRequest }, ['--validation', 'strict'])
    const body = '{ "Resource" : "/etc",\n "nonesuch": [1.0, 9007199254740993] }'
    const reply = await call(socket, '/v1.22/containers/x/copy', { method: 'POST', body })
    expect(reply.text).toBe('ok')
    expect(bodies).toEqual([body])
  })

  it('writes findings into the audit record of a call that is forwarded, and of one that is refused', async () => {
    const { onRequest } = keeping()
    for (const mode of ['warn', 'strict']) {
      const { socket, audit } = await stage({ version: at('1.22'), onRequest }, ['--validation', mode])
      await call(socket, '/v1.22/containers/create?name=a.b', { method: 'POST', body: '{"Tty":1}' })
      const found = audit.at(-1)?.['findings']
      expect(found).toContainEqual({ field: 'query name', rule: 'must match /?[a-zA-Z0-9_-]+' })
      expect(audit.at(-1)?.['stage']).toBe(mode === 'warn' ? 'complete' : 'failed')
    }
  })

  it('refuses in the form of the client’s version: text before 1.24, JSON from there on', async () => {
    const { onRequest } = keeping()
    const { socket } = await stage({ version: at('1.24'), onRequest }, ['--validation', 'strict'])
    const older = await call(socket, '/v1.22/containers/json?limit=x')
    expect(older.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(older.text).toBe('the request is not valid at API 1.22: query limit must be an integer\n')
    const newer = await call(socket, '/v1.24/containers/json?limit=x')
    expect(JSON.parse(newer.text)).toEqual({
      message: 'the request is not valid at API 1.24: query limit must be an integer',
    })
  })

  it('names every finding of a part in one refusal', async () => {
    const { socket } = await stage({ version: at('1.22') }, ['--validation', 'strict'])
    const { text } = await call(socket, '/v1.22/containers/json?limit=x&all=maybe')
    expect(text).toContain('query limit must be an integer; query all must be 1')
  })

  it('looks at the body of a call that takes the connection over', async () => {
    const { socket, engine } = await stage({ version: at('1.22') }, ['--validation', 'strict'])
    const client = new RawConnection(socket)
    const body = '{"Detach":"no"}'
    client.send(
      `POST /v1.22/exec/abc/start HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    const answer = await client.until((text) => text.endsWith('\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('Detach must be true or false')
    expect(engine.seen).toEqual([])
  })

  it('a JSON body of unknown length is reported, and refused in strict mode; one of an upload is not', async () => {
    const { onRequest } = keeping()
    const send = async (mode: string, path: string, type: string): Promise<{ status: string; findings: unknown }> => {
      const { socket, audit } = await stage({ version: at('1.22'), onRequest }, ['--validation', mode])
      const client = new RawConnection(socket)
      client.send(
        `POST /v1.22${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      )
      const answer = await client.untilEnd()
      return { status: answer.slice(9, 12), findings: audit.at(-1)?.['findings'] }
    }
    const finding = { field: 'header Content-Length', rule: 'should be present on POST with a body' }
    const json = ['/containers/create', 'application/json'] as const
    expect(await send('warn', ...json)).toEqual({ status: '200', findings: [finding] })
    expect(await send('strict', ...json)).toEqual({ status: '400', findings: [finding] })
    expect(await send('off', ...json)).toEqual({ status: '200', findings: undefined })
    expect(await send('strict', '/build', 'application/x-tar')).toEqual({ status: '200', findings: undefined })
  })

  it('looks at the query of an upgrade as well', async () => {
    const { socket, engine } = await stage({ version: at('1.22') }, ['--validation', 'strict'])
    const client = new RawConnection(socket)
    client.send(
      'POST /v1.22/containers/x/attach?stream=maybe HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    )
    expect(await client.until((text) => text.endsWith('\n'))).toContain('query stream must be 1')
    expect(engine.seen).toEqual([])
  })

  it('streams an upload that no table speaks of, without waiting for its end', async () => {
    const arrived = Promise.withResolvers<string>()
    const onRequest: http.RequestListener = (req, res) => {
      req.once('data', (chunk: Buffer) => {
        arrived.resolve(chunk.toString())
        res.end()
      })
    }
    const { socket } = await stage({ version: at('1.22'), onRequest }, ['--validation', 'strict'])
    const upload = http.request({ socketPath: socket, path: '/v1.22/build?t=x', method: 'POST', agent: false })
    upload.on('error', () => undefined) // ended below, before its body was whole
    upload.write('first part')
    expect(await arrived.promise).toBe('first part')
    upload.destroy()
  })

  it('does not read a body of an operation that has no table', async () => {
    const { bodies, onRequest } = keeping()
    const { socket } = await stage({ version: at('1.41'), onRequest }, ['--validation', 'strict'])
    await call(socket, '/v1.41/swarm/init', { method: 'POST', body: '{not json' })
    expect(bodies).toEqual(['{not json'])
  })
})
