import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Program, run, waitForHttp } from './programs.ts'
import { nginxUser, tool } from './tools.ts'

/** The answers of the static upstream: those of 20.10 at its own version (test/golden/recorded). */
const RECORDED = join(import.meta.dirname, '..', 'test', 'golden', 'recorded', '20.10@1.41.json')

interface Recorded {
  readonly exchanges: Record<string, { readonly values: readonly unknown[] }>
}

export const SMALL_LIST = 100
/** Reads the recorded answers by the name of their exchange; of a stream, the first record. */
async function recorded(): Promise<(name: string) => unknown> {
  const { exchanges } = JSON.parse(await readFile(RECORDED, 'utf8')) as Recorded
  return (name) => {
    const found = exchanges[name]?.values[0]
    if (found === undefined) throw new Error(`${RECORDED} has no ${name}`)
    return found
  }
}

/** The bodies that are served, by path below the version prefix. */
export async function bodies(): Promise<Map<string, string>> {
  const value = await recorded()
  const listed = value('098-list-all-size') as readonly object[]
  const list = (length: number): string =>
    JSON.stringify(
      Array.from({ length }, (_, i) => ({
        ...listed[i % listed.length],
        Id: createHash('sha256').update(String(i)).digest('hex'),
        Names: [`/bench-${i}`],
      })),
    )
  return new Map([
    ['_ping', 'OK'],
    [
      'version',
      JSON.stringify({ Version: '20.10.24', ApiVersion: '1.41', MinAPIVersion: '1.12', Os: 'linux', Arch: 'amd64' }),
    ],
    ['containers/one/json', `${JSON.stringify(value('106-inspect-full'))}\n`],
    [`containers/json`, `${list(SMALL_LIST)}\n`],
  ])
}

/** nginx with static bodies on a unix socket: fast enough that it never limits a measurement. */
export async function startUpstream(folder: string): Promise<Program & { readonly socket: string }> {
  const root = join(folder, 'bodies')
  const socket = join(folder, 'engine.sock')
  await mkdir(root, { recursive: true })
  for (const [path, body] of await bodies()) await writeFile(join(root, path.replaceAll('/', '_')), body)
  const location = (pattern: string, file: string, type = 'application/json'): string =>
    `location ~ ^(/v1\\.\\d+)?/${pattern}$ { default_type ${type}; root /; try_files ${join(root, file)} =404; }`
  const config = `
    ${nginxUser()} daemon off; master_process off; pid ${join(folder, 'nginx.pid')}; error_log stderr crit;
    events { worker_connections 4096; }
    http {
      access_log off; keepalive_requests 100000000; keepalive_timeout 3600s; etag off; if_modified_since off;
      client_body_temp_path ${join(folder, 'tmp')}; proxy_temp_path ${join(folder, 'tmp')};
      fastcgi_temp_path ${join(folder, 'tmp')}; uwsgi_temp_path ${join(folder, 'tmp')}; scgi_temp_path ${join(folder, 'tmp')};
      open_file_cache max=100; add_header Api-Version 1.41; add_header Ostype linux; add_header Docker-Experimental false;
      server {
        listen unix:${socket} backlog=4096;
        ${location('_ping', '_ping', '"text/plain; charset=utf-8"')}
        ${location('version', 'version')}
        location ~ ^(/v1\\.\\d+)?/containers/one/json$ {
          default_type application/json; root /;
          if ($arg_size = 0) { rewrite ^ /another last; }
          try_files ${join(root, 'containers_one_json')} =404;
        }
        # Another answer each time: what is measured then is a translation, not the memory of one.
        location = /another {
          internal; default_type application/json; root /; sub_filter_types application/json;
          sub_filter '"busybox' '"busybox-$request_id'; sub_filter_once on; try_files ${join(root, 'containers_one_json')} =404;
        }
        location ~ ^(/v1\\.\\d+)?/containers/json$ {
          default_type application/json; root /;
          if ($arg_filters) { return 200 '[]'; }
          try_files ${join(root, 'containers_json')} =404;
        }
      }
    }`
  const file = join(folder, 'upstream.conf')
  await writeFile(file, config)
  const { path, env } = await tool('nginx')
  const program = run('upstream', path, ['-c', file, '-p', folder], env)
  await waitForHttp({ socketPath: socket }, '/_ping', program)
  return { ...program, socket }
}
