import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Reply } from '../live/support/client.ts'
import { ANY, type Given, type Row } from './row.ts'

export interface Played {
  readonly row: Row
  readonly age: string
  /** The assertion that failed; undefined if none did. */
  readonly differs: string | undefined
}

interface Names {
  c: string
  n: string
  v: string
  e: string
  /** A text that is unique to the row. */
  readonly u: string
  readonly s: string
}

/** Any answer that ends takes less, even on a busy machine. */
const ROW_MS = 60_000

let count = 0

/** Plays one row as a client of one version, and removes what it made. */
export async function playRow(socket: string, row: Row, age: string): Promise<Played> {
  const client = new Client(socket, age)
  count++
  const u = `${process.pid}-${count}`
  const names: Names = { c: '', n: '', v: '', e: '', u, s: String(count % 250) }
  try {
    await prepare(client, row, names)
    const reply = await Promise.race([ask(client, row, names), tooLate()])
    await remember(reply, row, names)
    return { row, age, differs: difference(reply, row, names) }
  } catch (cause) {
    return { row, age, differs: cause instanceof Error ? cause.message : String(cause) }
  } finally {
    await cleanUp(client, names)
  }
}

async function tooLate(): Promise<never> {
  await sleep(ROW_MS, undefined, { ref: false })
  throw new Error(`no whole answer within ${ROW_MS / 1000} s`)
}

const HAS_CONTAINER: ReadonlySet<Given> = new Set(['created', 'running', 'exited', 'paused', 'exec'])

async function prepare(client: Client, { given = 'nothing', made }: Row, names: Names): Promise<void> {
  const name = `oracle-${names.u}`
  if (HAS_CONTAINER.has(given)) {
    names.c = name
    const config = { Cmd: given === 'exited' ? ['touch', '/made'] : ['sleep', '600'], ...made }
    if (given === 'created') await client.create(config, name)
    else if (given === 'exited') await client.finish(config, name)
    else await client.run(config, name)
    if (given === 'paused') await must(client.post(`/containers/${name}/pause`))
    if (given === 'exec') {
      const exec = await must(client.post(`/containers/${name}/exec`, { Cmd: ['sleep', '1'] }))
      names.e = String(exec.at('Id'))
    }
  } else if (given === 'tagged') await must(client.post(`/images/busybox/tag?repo=${name}&tag=tag1`))
  else if (given === 'volume') {
    names.v = name
    await must(client.post('/volumes/create', { Name: name }))
  } else if (given === 'network') {
    names.n = name
    await must(client.post('/networks/create', { Name: name, Driver: 'bridge' }))
  }
}

async function must(asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked
  if (reply.status >= 400) throw new Error(`before the row: ${reply.said}`)
  return reply
}

const filled = (text: string, names: Names): string =>
  text.replaceAll(/\{([cnveus])\}/g, (_all, key: keyof Names) => names[key])

function ask(client: Client, { asks, body, type }: Row, names: Names): Promise<Reply> {
  const [method = '', path = ''] = filled(asks, names).split(' ', 2)
  if (body === undefined)
    return client.call(
      method,
      path,
      method === 'POST' ? { type: type ?? (path.startsWith('/commit') ? 'application/json' : 'text/plain') } : {},
    )
  const text = filled(typeof body === 'string' ? body : JSON.stringify(body), names)
  const named = type === '' ? {} : { type: type ?? 'application/json' }
  return client.call(method, path, { bytes: Buffer.from(text), ...named })
}

/** Keeps the id or name of the object that the row's own request made. */
async function remember(reply: Reply, { asks }: Row, names: Names): Promise<void> {
  if (reply.status !== 201 || !reply.type?.startsWith('application/json')) return
  if (asks.startsWith('POST /containers/create')) names.c = String(reply.at('Id'))
  if (asks.startsWith('POST /networks/create')) names.n = String(reply.at('Id'))
  if (asks.startsWith('POST /volumes/create')) names.v = String(reply.at('Name'))
}

function difference(reply: Reply, row: Row, names: Names): string | undefined {
  if (reply.status !== row.status)
    return `status ${reply.status}, not ${row.status}: ${reply.text.slice(0, 160).trim()}`
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    const came = reply.head.headers[name]
    if (came !== value) return `${name}: ${came}, not ${value}`
  }
  if (row.words !== undefined && !reply.text.includes(filled(row.words, names)))
    return `says ${JSON.stringify(reply.text.slice(0, 160))}, not ${JSON.stringify(filled(row.words, names))}`
  for (const [path, value] of Object.entries(row.members ?? {})) {
    const came = reply.at(...path.split('.'))
    const wanted = typeof value === 'string' ? filled(value, names) : value
    if (came === undefined || (value !== ANY && String(came) !== String(wanted)))
      return `${path} is ${JSON.stringify(came)}, not ${value === ANY ? 'there' : JSON.stringify(wanted)}`
  }
  return undefined
}

async function cleanUp(client: Client, { c, n, v, u }: Names): Promise<void> {
  if (c !== '') {
    await client.post(`/containers/${c}/unpause`)
    await client.delete(`/containers/${c}?force=1&v=1`)
    await client.delete(`/containers/renamed-${u}?force=1&v=1`)
  }
  if (n !== '') await client.delete(`/networks/${n}`)
  if (v !== '') await client.delete(`/volumes/${v}`)
  await client.delete(`/images/oracle-${u}?force=1`)
}
