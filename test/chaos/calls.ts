import { RawConnection } from '../support/client.ts'

/** One way to call, of one of the lanes. `id` is in whatever reaches the engine where it changes something. */
export interface Kind {
  readonly name: string
  readonly changes: boolean
  /** Everything that the client writes at once. */
  readonly bytes: (id: string, close: string) => string
  /** How it goes on once something came back: answers end by themselves, the others are ended by the client. */
  readonly ending: 'ends' | 'leave' | 'echo'
}

const JSON_TYPE = 'Content-Type: application/json\r\n'
const get = (name: string, target: string, ending: Kind['ending'] = 'ends'): Kind => ({
  name,
  changes: false,
  ending,
  bytes: (_id, close) => `GET ${target} HTTP/1.1\r\n${close}\r\n`,
})
const post = (name: string, target: (id: string) => string, body = '', headers = JSON_TYPE): Kind => ({
  name,
  changes: true,
  ending: 'ends',
  bytes: (id, close) =>
    `POST ${target(id)} HTTP/1.1\r\n${close}${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
})
const tunnel = (name: string, target: (id: string) => string, headers: string, body = ''): Kind => ({
  name,
  changes: true,
  ending: 'echo',
  bytes: (id, close) =>
    `POST ${target(id)} HTTP/1.1\r\n${close.replace('Connection: close\r\n', '')}${headers}\r\n${body}`,
})
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: tcp\r\n'

export const kinds: readonly Kind[] = [
  get('ping', '/v1.44/_ping'),
  get('ping without a version', '/_ping'),
  get('list, translated', '/v1.18/containers/json'),
  get('inspect, translated', '/v1.18/containers/x/json'),
  get('version', '/v1.24/version'),
  get('events, translated', '/v1.18/events', 'leave'),
  get('events, untouched', '/v1.51/events', 'leave'),
  get('export', '/v1.44/containers/x/export'),
  get('what no table knows', '/v1.44/foo/json'),
  get('what is refused', '/v1.11/info'),
  post('create, translated', (id) => `/v1.18/containers/create?name=${id}`, '{"Image":"x","Memory":9}'),
  post('create', (id) => `/v1.51/containers/create?name=${id}`, '{"Image":"x","HostConfig":{"Memory":9}}'),
  post('kill', (id) => `/v1.44/containers/${id}/kill`),
  post('stop, old client', (id) => `/v1.18/containers/${id}/stop`),
  post('build', (id) => `/v1.44/build?t=${id}`, 'x'.repeat(200_000), 'Content-Type: application/x-tar\r\n'),
  tunnel('attach', (id) => `/v1.44/containers/${id}/attach?stream=1`, UPGRADE),
  tunnel('attach without asking', (id) => `/v1.18/containers/${id}/attach?stream=1`, ''),
  tunnel(
    'exec',
    (id) => `/v1.44/exec/${id}/start`,
    `${UPGRADE}${JSON_TYPE}Content-Length: 15\r\n`,
    '{"Detach":false}'.slice(0, 15),
  ),
]

export interface Called {
  readonly kind: Kind
  readonly id: string
  /** Undefined: the client left, or was cut off, before there was any. */
  readonly status: number | undefined
  readonly hung: boolean
}

/** No call takes as long: the engine is never away for more than a second. */
const HANGS_MS = 30_000

/** Makes one call. `leaveAfter`: the client is killed then, whatever has come. */
export async function make(socket: string, kind: Kind, id: string, leaveAfter: number | undefined): Promise<Called> {
  const client = new RawConnection(socket)
  const leaving = leaveAfter === undefined ? undefined : setTimeout(() => client.socket.destroy(), leaveAfter)
  client.send(kind.bytes(id, `Host: d\r\nUser-Agent: ${id}\r\nConnection: close\r\n`))
  let hung = false
  try {
    if (kind.ending === 'ends') await client.untilEnd(HANGS_MS)
    else await goOn(client, kind, id)
  } catch {
    hung = !client.ended // what was cut off did not hang
  }
  clearTimeout(leaving)
  client.socket.destroy()
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(client.text)?.[1]
  return { kind, id, hung, status: status === undefined ? undefined : Number(status) }
}

async function goOn(client: RawConnection, { ending }: Kind, id: string): Promise<void> {
  const text = await client.until((said) => said.includes('\r\n\r\n') || client.ended, HANGS_MS)
  const opened = /^HTTP\/1\.1 (?:101|200) /.test(text)
  if (ending === 'leave' || !opened) return
  client.send(`echo ${id}`)
  await client.until((said) => said.includes(`echo ${id}`) || client.ended, HANGS_MS)
  client.finish()
  await client.untilEnd(HANGS_MS)
}
