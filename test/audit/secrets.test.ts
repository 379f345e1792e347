import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type Operation, operationNamed, operationNames } from '../../src/api/operations.ts'
import { scrub } from '../../src/audit/redact/text.ts'
import { openAudit } from '../../src/audit/sink.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { complaint } from '../support/audit-schema.ts'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import type { Script } from '../support/scripted-engine.ts'
import { plantedFor, plantedHeaders, plantedQuery } from './planted.ts'

const MARK = 'PLANTED'
const json = { 'Content-Type': 'application/json' }
const HEAD_101 = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

/** All that a request said, as an engine might quote it. */
const quoted = (url: string | undefined, headers: readonly string[], body: string): string =>
  JSON.stringify({
    message: `cannot do ${[...new URL(url ?? '', 'http://d').searchParams].flat().join(' ')} ${headers.join(' ')} ${body}`,
  })

/** An engine that gives secrets back: in its answers, and, when it is told to fail, in its errors. */
const indiscreet = (version: string, fails: boolean): Script => ({
  version: { ApiVersion: version, MinAPIVersion: version, Version: '0', Os: 'linux', Arch: 'amd64' },
  onRequest: async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    const secret = /\/(secrets|configs)/.test(req.url ?? '') ? 'SecretInspect' : 'ContainerInspect'
    const own = plantedFor(operationNamed(secret), (place) => `${MARK}.answer.${place}`)
    if (req.headers['content-type'] !== json['Content-Type']) body = '' // engines do not quote archives
    if (fails) res.writeHead(400, json).end(quoted(req.url, req.rawHeaders, body))
    else if (req.method === 'DELETE') res.writeHead(204).end()
    else res.writeHead(200, json).end(body === '' ? JSON.stringify(own) : body)
  },
  onUpgrade: (req, duplex) => {
    const error = quoted(req.url, req.rawHeaders, '')
    if (fails)
      duplex.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${error.length}\r\n\r\n${error}`,
      )
    else duplex.end(`${HEAD_101}${MARK}.output`)
  },
})

function pathOf({ path, response }: Operation, version: string, query: string): string {
  const named = path.replace(/\{\w+\*{0,2}\}/, response === 'hijack' ? 'abc' : 'thing')
  return `/v${version}${named}${query}`
}

async function play(socket: string, version: string, operation: Operation): Promise<void> {
  const plant = (place: string): string => `${MARK}.${operation.name}.${place.replaceAll(' ', '_')}`
  const url = pathOf(operation, version, plantedQuery(plant))
  const type = operation.request === 'stream' ? { 'Content-Type': 'application/x-tar' } : json
  const headers = { ...plantedHeaders(plant), ...type }
  const body = operation.request === 'none' ? undefined : JSON.stringify(plantedFor(operation, plant))
  if (operation.response !== 'hijack') {
    await call(socket, url, { method: operation.method, headers, ...(body === undefined ? {} : { body }) })
    return
  }
  const client = new RawConnection(socket)
  const lines = Object.entries({
    ...headers,
    Connection: 'Upgrade',
    Upgrade: 'tcp',
    'Content-Length': body?.length ?? 0,
  })
  client.send(
    `${operation.method} ${url} HTTP/1.1\r\nHost: d\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n${body ?? ''}`,
  )
  await client.until(() => client.ended || answered(client.text))
  client.finish()
}

/** Whether an answer with a length is whole. */
function answered(text: string): boolean {
  const head = text.indexOf('\r\n\r\n')
  const length = /\r\nContent-Length: (\d+)/i.exec(text.slice(0, head))?.[1]
  return head !== -1 && length !== undefined && Buffer.byteLength(text.slice(head + 4)) >= Number(length)
}

describe('secrets', () => {
  const stage = stages()

  it.each([
    ['1.51', '1.51', 'warn', false],
    ['1.51', '1.51', 'warn', true],
    ['1.22', '1.51', 'warn', false],
    ['1.22', '1.51', 'warn', true],
    ['1.51', '1.22', 'warn', true],
    ['1.22', '1.22', 'strict', false],
  ] as const)(
    'of a client of %s before an engine of %s (validation %s, engine fails: %s) reach neither audit nor log, over every operation',
    { tags: 'slow' },
    async (client, engine, validation, fails) => {
      const file = join(stage.folder(), 'audit.log')
      const policy = join(stage.folder(), 'policy.yaml')
      await writeFile(policy, 'redactLabels: [com.example.vault]\nrules: [{ level: requestResponse }]')
      const flags = [
        '--audit-policy',
        policy,
        '--audit-log',
        file,
        '--audit-body-limit',
        '1MiB',
        '--announce-api',
        '1.51',
      ]
      let logged = ''
      const log = pino({ level: 'trace' }, { write: (line: string) => (logged += line) })
      const audit = await openAudit(readConfig(flags, {}), log)
      const { socket, engine: scripted } = await stage(
        indiscreet(engine, fails),
        [...flags, '--validation', validation],
        { audit, log },
      )
      for (const name of operationNames) await play(socket, client, operationNamed(name))
      await eventually(() => audit.status().every(({ waiting }) => waiting === 0), 'all is written')
      await audit.close()
      const text = await readFile(file, 'utf8')
      const records: Record<string, unknown>[] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      const seen = new Set(records.filter(({ stage: at }) => at !== 'received').map(({ operation }) => operation))
      expect([...operationNames].filter((name) => !seen.has(name))).toEqual([])
      expect(records.map(complaint).filter((said) => said !== undefined)).toEqual([])
      // That there was something to find: names stay, secrets were sent on, bodies are on record.
      expect(text.includes('PASSWORD=[redacted]')).toBe(true)
      expect(validation === 'strict' || scripted.seen.some((line) => line.includes(MARK))).toBe(true)
      expect([...new Set(text.match(/PLANTED[\w.-]*/g))]).toEqual([])
      expect([...new Set(logged.match(/PLANTED[\w.-]*/g))]).toEqual([])
    },
  )

  it.each([
    ['a URL', 'fetching https://user:hunter2@example/x failed', 'hunter2'],
    ['an option', 'exec: mysql --password=hunter2 -u root', 'hunter2'],
    ['an option and its argument', 'run --api-token hunter2', 'hunter2'],
    ['JSON in a text', 'cannot read {\\"password\\":\\"hunter2\\"}', 'hunter2'],
    ['a private key', '-----BEGIN EC PRIVATE KEY-----\nhunter2\n-----END EC PRIVATE KEY-----', 'hunter2'],
    ['a known value', 'invalid value "hunter2"', 'hunter2'],
  ])('in texts are taken out of %s', (_what, text, secret) => {
    expect(scrub(text, ['hunter2'])).not.toContain(secret)
    if (_what !== 'a known value') expect(scrub(text)).not.toContain(secret)
  })

  it.each([['a-'], ['a'], ['token '], ['token='], ['a://'], ['--'], ['#(nop) ENV '], ['-----BEGIN '], ['Basic ']])(
    'take no longer to look for than the text is long: a megabyte of %j',
    (part) => {
      const text = part.repeat((1 << 20) / part.length)
      const started = performance.now()
      scrub(text)
      expect(performance.now() - started).toBeLessThan(5_000)
    },
    30_000,
  )
})
