import { chmod, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { EngineFacts } from '../api/engine-facts.ts'
import type { Environment } from '../config/process.ts'
import { reasonOf } from '../config/text.ts'
import { type Address, formatAddress, parseAddress } from '../http/address.ts'
import { askVersion } from './ask.ts'
import { engineMet } from './explain/releases.ts'
import { startFakeEngine } from './fake-engine/engine.ts'

/** Only for `npm start` and `npm run demo`: `enginebridge serve` neither looks for an engine nor starts a fake one. */

/** Replaces the list of addresses, separated by spaces, so that tests do not depend on the machine. */
const CANDIDATES = 'ENGINEBRIDGE_CANDIDATES'

/** Usual addresses of engines, most likely first. */
export function candidates(env: Environment): string[] {
  const instead = env[CANDIDATES]
  if (instead !== undefined) return instead.split(/\s+/).filter(Boolean)
  const runtime = env['XDG_RUNTIME_DIR']
  const all = [
    env['DOCKER_HOST'] ?? '',
    'unix:///var/run/docker.sock',
    runtime === undefined ? '' : `unix://${runtime}/docker.sock`,
    'unix:///run/podman/podman.sock',
  ]
  return [...new Set(all)].filter((address) => address !== '')
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  ECONNREFUSED: 'nothing listens',
  EACCES: 'this user may not connect',
}

/** A folder for sockets that other users cannot enter, created on demand. Rejects one owned by another user. */
export async function privateFolder(): Promise<string> {
  const { uid } = userInfo()
  const folder = join(tmpdir(), `enginebridge-${uid}`)
  await mkdir(folder, { mode: 0o700, recursive: true })
  const found = await lstat(folder)
  if (!found.isDirectory() || (uid !== -1 && found.uid !== uid)) {
    throw new Error(`${folder} belongs to another user; use another socket with --listen unix:///path`)
  }
  await chmod(folder, 0o700)
  return folder
}

export interface LocalEngine {
  readonly address: Address
  readonly facts: EngineFacts
  /** Results of the search that led to the fake engine; undefined with a real engine. */
  readonly missing: readonly string[] | undefined
  close(): Promise<void>
}

/** The first of these engines that answers `GET /version`, or a fake engine. */
export async function localEngine(addresses: readonly string[]): Promise<LocalEngine> {
  const tried: string[] = []
  for (const text of addresses) {
    try {
      const address = parseAddress(text)
      return { address, facts: await askVersion(address), missing: undefined, close: async () => undefined }
    } catch (cause) {
      const reason = reasonOf(cause)
      tried.push(`${text}: ${REASONS[reason] ?? reason}`)
    }
  }
  return fakeEngine(tried)
}

export async function fakeEngine(missing: readonly string[]): Promise<LocalEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-'))
  const engine = await startFakeEngine(join(folder, 'engine.sock'))
  const address = { kind: 'unix', path: engine.path } as const
  const close = (): Promise<void> => engine.close().finally(() => rm(folder, { recursive: true, force: true }))
  return { address, facts: await askVersion(address), missing, close }
}

/** `Podman Engine 5.4.2 at unix:///run/podman/podman.sock`. */
export function nameEngine({ facts, address, missing }: LocalEngine): string {
  if (missing !== undefined) return `the fake engine (it plays an engine ${facts.release})`
  return engineMet(facts, formatAddress(address)).name
}

export function standInNotice(missing: readonly string[]): string {
  const bar = '*'.repeat(78)
  return [
    bar,
    '** NO ENGINE FOUND: this is a STAND-IN, a toy inside this process.',
    '** It behaves like Engine 29 (it refuses every client below API 1.44) and keeps',
    '** containers in memory. Nothing really runs, and all is forgotten at the end.',
    '**',
    '** Looked for an engine at',
    ...missing.map((line) => `**   ${line}`),
    '** Name one with DOCKER_HOST=unix:///path or tcp://host:port.',
    bar,
  ].join('\n')
}
