import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { succeed } from '../clients/command.ts'
import { call } from '../support/client.ts'
import { commands, told } from './readme.ts'
import type { Files, Root } from './roots.ts'

/** Checks that every installation must pass. */

const STARTS = 5
const INSPECT = told(/`(--inspect \S+)` serves a page/)

/** Checks the answers to a 1.18 client, which the engine itself refuses. */
export async function servesOldClients(socket: string): Promise<void> {
  const version = await call(socket, '/v1.18/version')
  assert.equal(version.status, 200, version.text)
  assert.ok(!('Components' in JSON.parse(version.text)), version.text) // of 1.35
  const list = await call(socket, '/v1.18/containers/json')
  assert.equal(list.status, 200, list.text)
  assert.ok(Array.isArray(JSON.parse(list.text)), list.text)
}

/** Resolves with the time of the first answer; rejects after a minute, or when the program has exited. */
export async function firstAnswer(socket: string, goesOn: () => boolean): Promise<number> {
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(1)) {
    if (!goesOn()) throw new Error('it ended before it answered')
    if (existsSync(socket) && (await answers(socket))) return performance.now()
  }
  throw new Error(`nothing answers at ${socket}`)
}

const answers = (socket: string): Promise<boolean> =>
  call(socket, '/v1.18/version').then(
    ({ status }) => status === 200,
    () => false, // it does not listen yet
  )

/** Requests the inspector's page with curl, because the machine may have its own network namespace. */
export async function showsInspector(prefix: readonly string[], url: string): Promise<void> {
  const [file = '', ...words] = [...prefix, 'curl', '-sSf', url]
  assert.match(await succeed(file, words, process.env), /<title>enginebridge/)
}

/** Runs README's "Two commands" several times. Returns the shortest time to the first answer in ms: load only adds to it. */
export async function servesByHand(root: Root): Promise<number> {
  let fastest = await oneStart(root, (socket) => looksWell(root, socket))
  for (let left = STARTS; left > 0; left--) fastest = Math.min(fastest, await oneStart(root))
  return fastest
}

async function oneStart(root: Root, look?: (socket: string) => Promise<void>): Promise<number> {
  const socket = root.machine.path('/run/enginebridge.sock')
  const [file = '', ...words] = root.bash(`echo $$ >/tmp/pid; exec ${serve()} ${INSPECT}`)
  const begun = performance.now()
  const program = spawn(file, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += text))
  const ended = once(program, 'exit')
  try {
    const answered = await firstAnswer(socket, () => program.exitCode === null)
    await look?.(socket)
    await root.sh('kill $(cat /tmp/pid)')
    assert.deepEqual(await ended, [0, null])
    assert.ok(!existsSync(socket), 'the socket is left')
    return answered - begun
  } catch (cause) {
    throw new Error(`${String(cause)}\n${said.slice(-1500)}`, { cause })
  }
}

const serve = (): string => commands('Two commands').split('\n')[0] ?? ''

async function looksWell(root: Root, socket: string): Promise<void> {
  await servesOldClients(socket)
  await root.sh(serve().replace('serve', 'doctor'))
  await showsInspector(root.machine.inNetwork(), INSPECT.replace('--inspect tcp:', 'http:'))
}

/** Files that dpkg, rpm, systemd and useradd keep after a purge: databases, logs and backups. */
const RECORDS = [
  /^\/root\/\.rpmdb(?:\/|$)/, // Debian's rpm
  /^\/(?:var\/lib\/(?:dpkg|rpm|systemd)|var\/log\/(?:journal|dpkg\.log|wtmp)|run\/(?:systemd|log))(?:\/|$)/,
  /^\/etc\/(?:passwd|group|shadow|gshadow|subuid|subgid)-$/,
]
const recorded = (path: string): boolean => RECORDS.some((one) => one.test(path))

/** The paths that were added, removed or changed, except those of `RECORDS`. */
export const differences = (before: Files, after: Files): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path) && !recorded(path))
    .sort()

/** The total size of the added files in bytes. */
export const added = (before: Files, after: Files, under = '/'): number =>
  differences(before, after)
    .filter((path) => !before.has(path) && path.startsWith(under))
    .reduce((sum, path) => sum + Number(after.get(path)?.split(' ')[0]), 0)
