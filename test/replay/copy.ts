import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Exchange, REPLAY_FOLDER, type Recording, withoutIds } from './exchange.ts'

/**
 * Makes the compact copies of test/golden/replay from a folder of recordings: `node test/replay/copy.ts FOLDER`.
 * Older clients are spoken for at an Engine 29's lowest version; the newest that its two stores have both been recorded
 * at answers clients that are newer.
 */
interface Recorded {
  readonly request: { readonly method: string; readonly path: string; readonly body?: string }
  readonly response: {
    readonly status: number | null
    readonly headers: readonly (readonly [string, string])[]
    readonly body?: string
    readonly body_base64?: string
  }
}

/** Long streams are cut after this many characters, at the end of a line; request bodies beyond it are tar archives. */
const LONG = 12_000

/** Of the connection, of the moment, or said for the engine as a whole. */
const LEFT_OUT = new Set(
  ['Date', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Content-Type'].concat(
    'Api-Version',
    'Docker-Experimental',
    'Ostype',
    'Server',
  ),
)

function compact(file: string, name: string): Exchange[] {
  const { request, response } = JSON.parse(readFileSync(file, 'utf8')) as Recorded
  if (response.status === null) return []
  const type = response.headers.find(([header]) => header === 'Content-Type')?.[1]
  const body = request.body === undefined || request.body.length > LONG ? undefined : request.body
  const text = response.body === undefined ? undefined : cut(response.body, type)
  const headers = Object.fromEntries(response.headers.filter(([header]) => !LEFT_OUT.has(header)))
  return [
    {
      name,
      method: request.method,
      path: withoutIds(request.path.replace(/^\/v[0-9.]+(?=\/)/, '')),
      ...(body === undefined || body === '' ? {} : { body }),
      status: response.status,
      ...(type === undefined ? {} : { type }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(text === undefined || text === '' ? {} : { text }),
      ...(response.body_base64 === undefined ? {} : { base64: response.body_base64 }),
    },
  ]
}

function cut(text: string, type: string | undefined): string {
  if (text.length <= LONG || type !== 'application/json' || text.startsWith('[')) return text
  return text.slice(0, text.lastIndexOf('\n', LONG) + 1)
}

function folderOf(root: string, engine: string, version: string): Exchange[] {
  const folder = join(root, engine, version)
  const files = readdirSync(folder).sort()
  return files.flatMap((file) => compact(join(folder, file), file.replace(/^\d+-|\.json$/g, '')))
}

function headersOf(root: string, engine: string, version: string): Map<string, string> {
  const file = readFileSync(join(root, engine, version, '003-version.json'), 'utf8')
  return new Map((JSON.parse(file) as Recorded).response.headers)
}

function write(name: string, recording: Recording): void {
  const lines = recording.exchanges.map((exchange) => ` ${JSON.stringify(exchange)}`)
  const { exchanges: _written, ...head } = recording
  const text = `${JSON.stringify(head).slice(0, -1)},"exchanges":[\n${lines.join(',\n')}\n]}\n`
  writeFileSync(join(REPLAY_FOLDER, `${name}.recorded.json`), text)
}

const [root] = process.argv.slice(2)
if (root === undefined) throw new Error('usage: node test/replay/copy.ts FOLDER-OF-RECORDINGS')
mkdirSync(REPLAY_FOLDER, { recursive: true })
for (const engine of ['29', '29-overlayfs', '29.1.4', '29.1.4-overlayfs'])
  for (const version of ['1.44', '1.52']) {
    const arrays = folderOf(root, '29-arrays', version)
    const own = folderOf(root, engine, version)
    const headers = headersOf(root, engine, version)
    const refused = own.filter(({ name, status }) => {
      const accepted = arrays.find((one) => one.name === name)
      return status >= 400 && accepted !== undefined && accepted.status < 400
    })
    // What the scalar Cmd of the recorder left without a container was recorded a second time, with arrays.
    const kept = own.map((one) => (refused.includes(one) ? (arrays.find(({ name }) => name === one.name) ?? one) : one))
    const creates = refused.filter(({ path }) => path.startsWith('/containers/create'))
    write(`${engine}@${version}`, {
      origin: `${engine} and 29-arrays at ${version}`,
      version,
      lowest: '1.44',
      highest: headers.get('Api-Version') ?? '',
      server: headers.get('Server') ?? '',
      exchanges: [...creates, ...kept],
    })
  }
for (const version of ['1.18', '1.20', '1.22', '1.24', '1.30', '1.41'])
  write(`20.10@${version}`, {
    origin: `20.10 at ${version}`,
    version,
    lowest: '1.12',
    highest: '1.41',
    server: '',
    exchanges: folderOf(root, '20.10', version).map(({ text, base64, ...rest }) =>
      rest.name.startsWith('create-') || rest.status >= 400
        ? { ...rest, ...(text === undefined ? {} : { text }) }
        : rest,
    ),
  })
