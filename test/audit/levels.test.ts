import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCall } from '../../src/api/read-call.ts'
import { readAuditPolicy } from '../../src/audit/record/policy.ts'
import { Headers } from '../../src/http/headers.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { type Stage, stages } from '../support/bridge.ts'
import { call, eventually } from '../support/client.ts'
import type { Script } from '../support/scripted-engine.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const json = { 'Content-Type': 'application/json' }
const answers: Script = {
  onRequest: (req, res) => {
    req.resume()
    req.on('end', () =>
      res.writeHead(req.url?.includes('missing') ? 404 : 200, json).end('{"message":"from the engine"}'),
    )
  },
}
const EXEC = { method: 'POST', body: '{"Cmd":["true"],"Env":["A=planted"]}' }

describe('audit levels', () => {
  const stage = stages()
  const last = async ({ audit }: Pick<Stage, 'audit'>): Promise<Record<string, unknown>> => {
    await eventually(() => audit.some(({ stage: at }) => at === 'complete' || at === 'failed'), 'the last record')
    return audit.at(-1) ?? {}
  }
  const policy = async (text: string): Promise<string[]> => {
    const path = join(stage.folder(), 'policy.yaml')
    await writeFile(path, text)
    return ['--audit-policy', path]
  }

  it('none writes nothing, and metadata no bodies', async () => {
    const silent = await stage(answers, ['--audit-level', 'none'])
    await call(silent.socket, '/v1.51/containers/x/exec', EXEC)
    const plain = await stage(answers)
    await call(plain.socket, '/v1.51/containers/x/exec', EXEC)
    expect((await last(plain)).requestBody).toBeUndefined()
    expect(await last(plain)).toMatchObject({ level: 'metadata', bytesIn: EXEC.body.length, container: 'x' })
    expect(silent.audit).toEqual([])
  })

  it('request has the body as it was forwarded, requestResponse the answer too, both without secrets', async () => {
    const one = await stage(answers, ['--audit-level', 'request'])
    await call(one.socket, '/v1.51/containers/x/exec', EXEC)
    const shown = { Cmd: ['true'], Env: ['A=[redacted]'] }
    const requestBody = { json: shown, bytes: EXEC.body.length, redacted: true, sha256: sha256(JSON.stringify(shown)) }
    expect(await last(one)).toMatchObject({ level: 'request', requestBody })
    expect((await last(one)).responseBody).toBeUndefined()
    const both = await stage(answers, ['--audit-level', 'requestResponse'])
    await call(both.socket, '/v1.51/containers/x/exec', EXEC)
    const answer = '{"message":"from the engine"}'
    const responseBody = { json: JSON.parse(answer), bytes: answer.length, sha256: sha256(answer) }
    expect(await last(both)).toMatchObject({ requestBody, responseBody })
  })

  it('records the body that the engine got, not the one that the client sent', async () => {
    const one = await stage(answers, ['--audit-level', 'request'])
    await call(one.socket, '/v1.18/containers/x/exec', { method: 'POST', body: '{"Cmd":"true"}' })
    expect(await last(one)).toMatchObject({ requestBody: { json: { Cmd: ['true'] } }, forwarded: { method: 'POST' } })
    expect((await last(one))['applied']).toMatchObject({ request: expect.arrayContaining([expect.any(String)]) })
  })

  it('cuts a body above the limit, marks it and keeps the hash of the whole', async () => {
    const body = JSON.stringify({ Cmd: ['echo', 'x'.repeat(5000)] })
    const one = await stage(answers, ['--audit-level', 'request', '--audit-body-limit', '1KiB'])
    await call(one.socket, '/v1.51/containers/x/exec', { method: 'POST', body })
    const requestBody = { cut: true, text: body.slice(0, 1024), sha256: sha256(body), bytes: body.length }
    expect((await last(one))['requestBody']).toEqual(requestBody)
  })

  it('keeps of an upload its size and hash, never its content', async () => {
    const body = 'tar '.repeat(500_000)
    const one = await stage(answers, ['--audit-level', 'requestResponse'])
    await call(one.socket, '/v1.51/images/load', { method: 'POST', body })
    const requestBody = { withheld: 'stream', sha256: sha256(body), bytes: body.length }
    expect((await last(one))['requestBody']).toEqual(requestBody)
  })

  it('the first rule that fits chooses, by operation, method, name and user agent; the flag where none does', async () => {
    const flags = await policy(`rules:
  - { name: health, level: none, operations: [SystemPing*] }
  - { name: databases, level: request, names: [db-*], methods: [post] }
  - { level: none, userAgents: [watcher/*] }
`)
    const { socket, audit } = await stage(answers, flags)
    await call(socket, '/v1.51/_ping')
    await call(socket, '/v1.51/info', { headers: { 'User-Agent': 'watcher/2.0' } })
    await call(socket, '/v1.51/containers/web-1/exec', EXEC)
    await call(socket, '/v1.51/containers/db-1/exec', EXEC)
    await eventually(() => audit.length === 4, 'two calls')
    expect(audit).toMatchObject([
      ...Array(2).fill({ container: 'web-1', level: 'metadata' }),
      ...Array(2).fill({ container: 'db-1', level: 'request', rule: 'databases' }),
    ])
    expect(audit[0]?.rule).toBeUndefined()
  })

  it('leaves stages out that the policy or a rule omits', async () => {
    const flags = await policy(`omitStages: [received]
rules:
  - { level: metadata, operations: [SystemEvents], omitStages: [complete] }
`)
    const { socket, audit } = await stage(answers, flags)
    await call(socket, '/v1.51/events')
    await call(socket, '/v1.51/info')
    await eventually(() => audit.length > 1, 'two records')
    expect(audit).toMatchObject([
      { stage: 'answered', operation: 'SystemEvents' },
      { stage: 'complete', operation: 'SystemInfo' },
    ])
  })

  it('redacts the values of labels that the policy names', async () => {
    const flags = await policy(`redactLabels: [com.example.*]
rules:
  - { level: request }
`)
    const { socket, audit } = await stage(answers, flags)
    const body = '{"Name":"v","Labels":{"com.example.a":"hidden","other":"shown"}}'
    await call(socket, '/v1.51/volumes/create', { method: 'POST', body })
    const shown = { json: { Name: 'v', Labels: { 'com.example.a': '[redacted]', other: 'shown' } } }
    expect(await last({ audit })).toMatchObject({ rule: 'rule 1', requestBody: shown })
  })

  it.each([
    ['rules: []', /rules/],
    ['rules: [{ level: loud }]', /rules\.0\.level/],
    ['rules: [{ level: none, operations: [Nosuch*] }]', /fits no operation/],
    ['rules: [{ level: none, colour: red }]', /colour/],
    ['rules: [', /cannot read the audit policy/],
  ])('a policy that cannot be used is refused before anything is served: %s', async (text, why) => {
    const [, path = ''] = await policy(text)
    await expect(readAuditPolicy(path, 'metadata')).rejects.toThrow(why)
  })

  it('can be the one that the documentation shows', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/audit.md'), 'utf8')
    const [, shown = ''] = /```yaml\n([^`]+)```/.exec(page) ?? []
    const [, path = ''] = await policy(shown)
    const { treat, redaction, recordsSessions } = await readAuditPolicy(path, 'metadata')
    const headers = new Headers()
    const peer = { listener: 'unix:///run/x.sock', peer: {}, userAgent: undefined, traceparent: undefined, headers }
    const of = (method: string, target: string, names: object): unknown =>
      treat({ call: readCall(method, target), names, peer }).rule
    expect(of('HEAD', '/_ping', {})).toBe('health checks')
    expect(of('POST', '/containers/prod-1/exec', { container: 'prod-1' })).toBe('shells')
    expect(of('DELETE', '/containers/prod-1', { container: 'prod-1' })).toBe('production')
    expect(of('DELETE', '/containers/test-1', { container: 'test-1' })).toBeUndefined()
    expect([redaction.label('com.example.vault.x'), redaction.label('other'), recordsSessions]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('sessions need both the folder and a rule that asks for them', async () => {
    await expect(stage(answers, ['--audit-sessions', stage.folder()])).rejects.toThrow(/needs --audit-policy/)
    const flags = await policy('rules: [{ level: none, sessions: {} }]')
    await expect(stage(answers, flags)).rejects.toThrow(/set --audit-sessions to a directory/)
    expect(readConfig([], {})['audit-level']).toBe('metadata')
  })
})
