import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'
import { RawEngine } from '../support/raw-engine.ts'

/**
 * Records of calls that the bridge cut when it stopped said that the client had left. Of a client that left within its body, and of
 * an engine that broke off within its answer, they said nobody; the part of that answer was withheld as "not-json".
 */
const JSON_TYPE = 'Content-Type: application/json\r\n'
const SWITCH = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
const STREAM = `HTTP/1.1 200 OK\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n`
const H = 'HTTP/1.1\r\nHost: d\r\n'
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: tcp\r\n'

const CUT = [
  `POST /v1.44/containers/x/attach ${H}${UPGRADE}\r\n`,
  `GET /v1.44/containers/x/logs ${H}\r\n`,
  `POST /v1.44/containers/x/stop ${H}\r\n`,
  `POST /v1.44/build ${H}Content-Length: 9\r\n\r\nabc`,
]

describe('the last record of a call', () => {
  const stage = stages()
  const make = async (answer: ConstructorParameters<typeof RawEngine>[1], flags: readonly string[] = []) => {
    const engine = new RawEngine(join(stage.folder(), 'raw.sock'), answer)
    await engine.listen()
    return { engine, bridge: await stage.bridge(engine.socket, flags) }
  }

  it('that the bridge cut when it stopped says so', async () => {
    const { engine, bridge } = await make(({ target }) =>
      target.endsWith('attach') ? SWITCH : target.endsWith('logs') ? STREAM : undefined,
    )
    const clients = CUT.map((request) => {
      const client = new RawConnection(bridge.socket)
      client.send(request)
      return client
    })
    await eventually(() => engine.connections.size >= CUT.length, 'all are with the engine')
    await Promise.all(clients.slice(0, 2).map((client) => client.until((text) => text.includes('\r\n\r\n'))))
    await bridge.close()
    await engine.close()
    const ends = bridge.audit.filter(({ stage: at }) => at === 'complete' || at === 'failed')
    expect(ends.map(({ endedBy }) => endedBy)).toEqual(CUT.map(() => 'bridge'))
  })

  it.each(['/v1.44/containers/create', '/v1.44/containers/x/archive?path=/'])(
    'says that the client left within its body: %s',
    async (path) => {
      const { engine, bridge } = await make(() => undefined)
      const client = new RawConnection(bridge.socket)
      client.send(`POST ${path} ${H}${JSON_TYPE}Content-Length: 9\r\n\r\n{"a"`)
      await eventually(() => bridge.audit.length > 0, 'it has come')
      client.socket.destroy()
      await eventually(() => bridge.audit.at(-1)?.['stage'] === 'failed', 'its last record')
      expect(bridge.audit.at(-1)).toMatchObject({ endedBy: 'client', bytesIn: 4 })
      await engine.close()
    },
  )

  it('says that the engine broke off within its answer, of which the part is incomplete', async () => {
    const part = `HTTP/1.1 200 OK\r\n${JSON_TYPE}Content-Length: 9\r\n\r\n{"a"`
    const { engine, bridge } = await make(
      ({ connection }) => {
        connection.end(part)
        return ''
      },
      ['--audit-level', 'requestResponse'],
    )
    const client = new RawConnection(bridge.socket)
    client.send(`GET /v1.44/volumes/x ${H}\r\n`)
    await client.untilEnd()
    await eventually(() => bridge.audit.at(-1)?.['stage'] === 'failed', 'its last record')
    const bodies = { responseBody: { bytes: 4, withheld: 'incomplete' } }
    expect(bridge.audit.at(-1)).toMatchObject({ status: 200, endedBy: 'engine', ...bodies })
    await engine.close()
  })
})
