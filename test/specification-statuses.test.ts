import { describe, expect, it } from 'vitest'
import { callsFor, operationOf, recordedEngine } from './conformance/catalogue.ts'
import { stages } from './support/bridge.ts'
import { call, RawConnection } from './support/client.ts'
import { specification } from './support/specification.ts'

/**
 * Every status code of the specification's endpoints. The conformance run checks the bridge for those in the recordings of
 * engines of the time; here a scripted engine answers with the others, which have to reach the client.
 */
const heard = new Set(
  specification.versions.flatMap((version) => {
    const { answers } = recordedEngine(version)
    return callsFor(version).map((one) => `${operationOf(one)} ${answers[one.name]?.status}`)
  }),
)

/** Status codes that no engine answers there, as the recordings and the sources say. */
const NEVER: Readonly<Record<string, string>> = {
  'ContainerLogs 101': 'engines answer logs with 200; --profile spec gives 101 (rules/profile-spec)',
  'ContainerAttachWebsocket 200': 'a websocket opens with 101 (RFC 6455); test/lanes/websocket.test.ts',
}

const pairs = specification.endpoints.flatMap((endpoint) =>
  endpoint.statuses.map((status) => ({ ...endpoint, status, pair: `${endpoint.operation} ${status}` })),
)
const unheard = pairs.filter(({ pair }) => !heard.has(pair) && NEVER[pair] === undefined)

/** The query without which validation refuses a call. */
const QUERIES: Readonly<Record<string, string>> = {
  ContainerArchiveInfo: '?path=/x',
  ContainerArchive: '?path=/x',
  PutContainerArchive: '?path=/x',
  ContainerUpdate: '',
  ExecResize: '?h=1&w=1',
  ImageCreate: '?fromImage=busybox',
  ImageTag: '?repo=a&tag=b',
  ImageSearch: '?term=a',
  ImageGetAll: '?names=a',
}

const HIJACKS: ReadonlySet<string> = new Set(['ContainerAttach', 'ExecStart'])

/** Engines up to 1.12 derive the status 400 from these words (api/server/httputils/errors.go @v1.12.6). */
const ERROR = '{"message":"bad parameter"}'

/** A client that takes the connection over asks for the upgrade before it knows the answer. */
async function statusOf(
  socket: string,
  target: string,
  method: string,
  operation: string,
  body: { readonly body?: string },
): Promise<number> {
  if (!HIJACKS.has(operation)) return (await call(socket, target, { method, ...body })).status
  const client = new RawConnection(socket)
  client.send(
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  )
  await client.until((text) => text.includes('\r\n\r\n'))
  client.socket.destroy()
  return Number(client.text.split(' ')[1])
}

describe('status codes of the specification', () => {
  const stage = stages()

  it('each was heard of an engine of the time, is played below, or has a reason to be neither', () => {
    expect(pairs.length).toBeGreaterThan(150)
    expect(pairs.filter(({ pair }) => heard.has(pair)).length).toBeGreaterThan(130)
    expect(Object.keys(NEVER).filter((pair) => heard.has(pair))).toEqual([])
  })

  it.each(unheard.map((one) => [one.pair, one] as const))(
    '%s of the engine reaches a client of 1.18 and of 1.22',
    async (_pair, { operation, method, path, status }) => {
      const { socket } = await stage({
        // The call asks for an upgrade; an engine that refuses it answers as for any other call.
        onUpgrade: (_req, connection) =>
          connection.end(
            `HTTP/1.1 ${status} Said So\r\nContent-Type: application/json\r\nContent-Length: ${ERROR.length}\r\n\r\n${ERROR}`,
          ),
        onRequest: (req, res) => {
          req.resume()
          req.on('end', () => {
            res.writeHead(status, { 'Content-Type': 'application/json' })
            res.end(status === 204 ? '' : status >= 400 ? ERROR : '{}')
          })
        },
      })
      const target = path.replace(/\{\w+\*{0,2}\}/, 'x') + (QUERIES[operation] ?? '')
      const body = method === 'POST' || method === 'PUT' ? { body: '{"Image":"busybox","Cmd":["true"]}' } : {}
      const got: Record<string, number> = {}
      for (const version of ['1.18', '1.22'])
        got[version] = await statusOf(socket, `/v${version}${target}`, method, operation, body)
      expect(got).toEqual({ '1.18': status, '1.22': status })
    },
  )
})
