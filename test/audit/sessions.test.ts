import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'

const head = (type: string): string =>
  `HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.${type}-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`
const frame = (stream: number, text: string): Buffer => {
  const prefix = Buffer.alloc(8)
  prefix[0] = stream
  prefix.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([prefix, Buffer.from(text)])
}
const post = (path: string, body = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

type Event = readonly [seconds: number, code: string, data: string]
interface Cast {
  readonly header: Record<string, unknown>
  readonly events: Event[]
}

/** Reads a file as a player does (docs.asciinema.org/manual/asciicast/v2), and fails where a player would. */
function play(path: string): Cast {
  const text = readFileSync(path, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  const [first = '', ...rest] = text.trimEnd().split('\n')
  const header = JSON.parse(first) as Record<string, unknown>
  expect(header).toMatchObject({ version: 2, width: expect.any(Number), height: expect.any(Number) })
  let before = 0
  const events = rest.map((line): Event => {
    const event = JSON.parse(line) as Event
    expect(event).toHaveLength(3)
    const [seconds, code, data] = event
    expect(seconds).toBeGreaterThanOrEqual(before)
    before = seconds
    expect(code).toMatch(/^[oirm]$/)
    if (code === 'r') expect(data).toMatch(/^\d+x\d+$/)
    expect(typeof data).toBe('string')
    return event
  })
  return { header, events }
}

const said = ({ events }: Cast, code: string): string =>
  events
    .filter(([, of]) => of === code)
    .map(([, , data]) => data)
    .join('')

describe('recorded sessions', () => {
  const stage = stages()
  const set = (rule = 'sessions: {}'): { flags: string[]; folder: string } => {
    const folder = join(stage.folder(), 'sessions')
    mkdirSync(folder, { recursive: true })
    const policy = join(stage.folder(), 'policy.yaml')
    writeFileSync(policy, `rules: [{ level: metadata, operations: [ExecStart, ContainerAttach], ${rule} }]`)
    return { folder, flags: ['--audit-policy', policy, '--audit-sessions', folder] }
  }
  const finished = async (folder: string): Promise<string> => {
    const casts = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.cast'))
    await eventually(() => casts().length === 1, 'the recording has its name')
    return join(folder, casts()[0] ?? '')
  }

  it('show a terminal as it was, resized, characters whole, without what was typed; named by the audit record', async () => {
    const { folder, flags } = set()
    const euro = Buffer.from('€')
    const engine: { socket?: Duplex } = {}
    const { socket, audit } = await stage(
      {
        onUpgrade: (_req, duplex) => {
          engine.socket = duplex
          duplex.write(head('raw'))
          duplex.write(Buffer.concat([Buffer.from('$ '), euro.subarray(0, 1)]))
          duplex.on('data', () => duplex.end(Buffer.concat([euro.subarray(1), Buffer.from('\u001b[1mbye\r\n')])))
        },
        onRequest: (_req, res) => res.end(),
      },
      flags,
    )
    const client = new RawConnection(socket)
    client.send(post('/v1.51/exec/abc/start', '{"Tty":true,"ConsoleSize":[30,100]}'))
    await client.until((text) => text.includes('$ '))
    await call(socket, '/v1.51/exec/abc/resize?h=40&w=120', { method: 'POST' })
    await call(socket, '/v1.51/exec/other/resize?h=1&w=1', { method: 'POST' })
    client.send('secret password\r')
    await client.untilEnd()
    client.finish()
    const path = await finished(folder)
    const cast = play(path)
    expect(cast.header).toMatchObject({ width: 100, height: 30, title: 'POST /exec/abc/start' })
    expect(said(cast, 'o')).toBe('$ €\u001b[1mbye\r\n')
    expect(said(cast, 'r')).toBe('120x40')
    expect(readFileSync(path, 'utf8')).not.toContain('secret')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const complete = audit.find(({ stage: at, operation }) => at === 'complete' && operation === 'ExecStart')
    expect(join(folder, String(complete?.['session']))).toBe(path)
    expect(path).toContain(String(complete?.['auditId']))
  })

  it.each([
    ['that the answer announces', 'multiplexed', '/v1.51/containers/x/attach?stream=1', ''],
    ['that the first bytes tell', 'raw', '/v1.40/containers/x/attach?stream=1', ''],
    ['of an exec without a terminal', 'raw', '/v1.40/exec/abc/start', '{"Tty":false}'],
  ])('take the frames apart %s, wherever chunks end', async (_how, type, path, body) => {
    const { folder, flags } = set()
    const { socket } = await stage(
      {
        onUpgrade: (_req, duplex) => {
          duplex.write(head(type))
          const bytes = Buffer.concat([frame(1, 'out\n'), frame(2, 'err\n'), frame(1, 'more')])
          void (async () => {
            for (const byte of bytes) await new Promise((sent) => duplex.write(Buffer.of(byte), sent))
            duplex.end()
          })()
        },
      },
      flags,
    )
    const client = new RawConnection(socket)
    client.send(post(path, body))
    await client.untilEnd()
    client.finish()
    expect(said(play(await finished(folder)), 'o')).toBe('out\r\nerr\r\nmore')
  })

  it('have a short prompt when it was shown, also where the answer does not announce its form', async () => {
    const { folder, flags } = set()
    const { socket } = await stage(
      {
        onUpgrade: (_req, duplex) => {
          duplex.write(`${head('raw')}$ `)
          duplex.once('data', () => duplex.end('bye\r\n'))
        },
      },
      flags,
    )
    const client = new RawConnection(socket)
    client.send(post('/v1.40/containers/x/attach?stream=1'))
    await client.until((text) => text.endsWith('$ '))
    client.send('exit\r')
    await client.untilEnd()
    client.finish()
    const { events } = play(await finished(folder))
    expect(events.map(([, code, text]) => `${code} ${text}`)).toEqual(['o $ ', 'o bye\r\n'])
  })

  it('have what was typed where the rule asks for it, and end at the limit with a marker', async () => {
    const { folder, flags } = set('sessions: { input: true, limit: 1000 }')
    const { socket } = await stage(
      {
        onUpgrade: (_req, duplex) => {
          duplex.write(head('raw'))
          duplex.once('data', () => duplex.end('x'.repeat(5000)))
        },
      },
      flags,
    )
    const client = new RawConnection(socket)
    client.send(post('/v1.51/exec/abc/start', '{"Tty":true}'))
    await client.until((text) => text.includes('\r\n\r\n'))
    client.send('ls\r')
    await client.untilEnd()
    client.finish()
    const cast = play(await finished(folder))
    expect(said(cast, 'i')).toBe('ls\r')
    expect(cast.events.at(-1)?.slice(1)).toEqual(['m', 'cut: the recording has reached its limit'])
    expect(said(cast, 'o')).toBe('')
  })

  it('are not made of an attach that the engine refuses, nor of what no rule asks for', async () => {
    const { folder, flags } = set()
    const { socket, audit } = await stage(
      {
        onUpgrade: (req, duplex) =>
          req.url?.includes('attach')
            ? duplex.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
            : duplex.end(`${head('raw')}x`),
      },
      flags,
    )
    for (const path of ['/v1.51/containers/x/attach', '/v1.51/session']) {
      const client = new RawConnection(socket)
      client.send(post(path))
      await client.until((text) => text.includes('\r\n\r\n'))
      client.finish()
    }
    await eventually(() => audit.filter(({ stage: at }) => at === 'complete').length === 2, 'both calls are over')
    expect(readdirSync(folder)).toEqual([])
  })
})
