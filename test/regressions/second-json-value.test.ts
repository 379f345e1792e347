import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const JSON_TYPE = { 'Content-Type': 'application/json' }
const READER = 'unexpected content after JSON'
const AUTH = 'invalid X-Registry-Auth header: multiple JSON documents not allowed'

/**
 * Engines from 23.0 on refuse a second value behind the JSON of a request, those before read the first alone; of a login
 * they do so from 29.2 on. The bridge left logins as they came, and swarms and plugins, whose bodies nothing looked at.
 */
describe('a second value behind the JSON of a request', () => {
  const stage = stages()

  const CASES: readonly [path: string, client: string, engine: string, expected: string][] = [
    ['/auth', '1.52', '1.53', 'first alone'],
    ['/auth', '1.24', '1.56', 'first alone'],
    ['/auth', '1.53', '1.52', AUTH],
    ['/auth', '1.56', '1.41', AUTH],
    ['/auth', '1.51', '1.52', 'as it came'],
    ['/auth', '1.53', '1.56', 'as it came'],
    ['/swarm/join', '1.41', '1.42', 'first alone'],
    ['/swarm/join', '1.42', '1.41', READER],
    ['/swarm/join', '1.42', '1.56', 'as it came'],
    ['/plugins/p/set', '1.41', '1.56', 'first alone'],
    ['/networks/create', '1.30', '1.42', 'first alone'],
    ['/containers/c/exec', '1.44', '1.41', READER],
    ['/containers/c/start', '1.44', '1.41', 'as it came'],
  ]
  it.each(CASES)('POST %s of a client of %s to an engine of %s: %s', async (path, client, highest, expected) => {
    const received: string[] = []
    const version = { ApiVersion: highest, MinAPIVersion: '1.24', Version: '0.0.0' }
    const onRequest = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk)
      if (req.method === 'POST') received.push(Buffer.concat(chunks).toString())
      res.writeHead(200, JSON_TYPE).end('{}')
    }
    const { socket } = await stage({ version, onRequest }, ['--announce-api', '1.56', '--validation', 'off'])
    const body = '{"a":1} {"b":2}'
    const answer = await call(socket, `/v${client}${path}`, { method: 'POST', headers: JSON_TYPE, body })
    if (expected === 'as it came') expect(received).toEqual([body])
    else if (expected === 'first alone') expect(received.map((text) => Object.keys(JSON.parse(text))).length).toBe(1)
    else expect([answer.status, answer.text, received]).toEqual([400, `{"message":"${expected}"}\n`, []])
  })
})
