import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject, TestRunner } from 'vitest'
import { bridgeSocket, bridgeTo, type LiveBridge } from './bridge.ts'
import { Client } from './client.ts'
import { startInMemory } from './engine-script.ts'
import { type SuiteBridge, sharedBridge, sharedSocket } from './shared-bridge.ts'
import './provided.ts'

export const DOCKER_ENGINES = ['20.10', '26.1', '28.5', '28.5-min1.44'] as const
/** Debian 12's. */
export const PODMAN_4_3 = 'podman-4.3'
export const PODMAN = 'podman-5.4'
/** Says 1.44, with more of Docker's newer structs. */
export const PODMAN_5_8 = 'podman-5.8'
/** Keeps images with containerd, as Docker 29 does. */
export const CONTAINERD = '28.5-containerd'
export const LEGACY_VERSIONS = ['1.18', '1.19', '1.20', '1.21', '1.22'] as const

const PODMANS = [PODMAN_4_3, PODMAN, PODMAN_5_8] as const
export type EngineName = (typeof DOCKER_ENGINES)[number] | (typeof PODMANS)[number] | typeof CONTAINERD

export interface LiveEngine<Name extends EngineName = EngineName> {
  readonly name: Name
  readonly socket: string
}

/**
 * An engine of this run, started when the first test file asks for it: the script starts it once, under a lock, and
 * finds it running after that.
 */
export async function liveEngine(name: EngineName): Promise<LiveEngine> {
  const socket = join(inject('live').folder, `${name}.sock`)
  await startInMemory(name, socket)
  return { name, socket }
}

/** Starts an engine. If that fails and live tests are not required, it prints the reason and returns false. */
async function available(name: EngineName): Promise<boolean> {
  const { missing, required } = inject('live')
  if (missing !== undefined) {
    if (required) throw new Error(`no real engine can run here: ${missing}`)
    return false
  }
  try {
    await liveEngine(name)
    return true
  } catch (cause) {
    if (required) throw cause
    process.stderr.write(`\n*** LIVE TESTS SKIPPED on ${name}: ${String(cause)} ***\n\n`)
    return false
  }
}

/** A block of tests for each engine, skipped where it cannot run. Await it at a test file's top level. */
export async function onEngines<Name extends EngineName>(
  names: readonly Name[],
  suite: (engine: LiveEngine<Name>) => void,
): Promise<void> {
  for (const name of names) {
    const runs = await available(name)
    const engine = { name, socket: join(inject('live').folder, `${name}.sock`) }
    // On a loaded machine real engines are sometimes too slow: a test has to fail twice.
    describe.skipIf(!runs)(`on ${name}`, { retry: 1 }, () => suite(engine))
  }
}

/**
 * A bridge for the tests of the block that calls this; its containers are removed after them. Without flags it is one that
 * serves other suites as well; with flags, though none stand in the list, it is the block's own.
 */
export function withBridge(engine: LiveEngine): { socket: string; get(): SuiteBridge }
export function withBridge(engine: LiveEngine, flags: readonly string[]): { socket: string; get(): LiveBridge }
export function withBridge(
  engine: LiveEngine,
  flags?: readonly string[],
): { socket: string; get(): LiveBridge | SuiteBridge } {
  const socket = flags === undefined ? sharedSocket(engine.name) : bridgeSocket()
  let bridge: LiveBridge | SuiteBridge | undefined
  beforeAll(async () => {
    bridge = flags === undefined ? await sharedBridge(engine) : await bridgeTo(engine.socket, flags, socket)
  })
  afterAll(async () => {
    if (bridge === undefined) return
    await removeContainers(engine, bridge, socket)
    await bridge.stop()
  })
  const get = (): LiveBridge | SuiteBridge => {
    if (bridge === undefined) throw new Error('the bridge is not up yet')
    return bridge
  }
  return { socket, get }
}

/** Removes the containers that the tests of one bridge left behind, which its audit records name. */
async function removeContainers(engine: LiveEngine, bridge: LiveBridge | SuiteBridge, socket: string): Promise<void> {
  const direct = Client.ofEngine(engine.socket)
  const started = bridge
    .audit()
    .filter(({ operation, stage }) => operation === 'ContainerStart' && stage === 'complete')
  const ids = new Set(started.map(({ container }) => container).filter((id) => typeof id === 'string'))
  const remove = async (id: string): Promise<void> => {
    if (engine.name.startsWith('podman')) await direct.post(`/containers/${id}/kill`) // its forced removal waits for the stop
    const { status } = await direct.delete(`/containers/${id}?force=1&v=1`)
    if (status === 404) await new Client(socket).delete(`/containers/${id}?force=1&v=1`) // the bridge knows replaced ones
  }
  await Promise.all([...ids].map(remove))
}

export interface LegacySuite {
  readonly client: Client
  readonly engine: LiveEngine
  readonly bridge: () => LiveBridge | SuiteBridge
  /** A name that no other test uses: `own('web')`. */
  own(name: string): string
}

/** The client versions to test on each engine. */
export type Matrix = Readonly<Partial<Record<EngineName, readonly string[]>>>

/** For tests that compare with the recording of the client's version. */
export const EVERY_PAIR: Matrix = Object.fromEntries(DOCKER_ENGINES.map((name) => [name, LEGACY_VERSIONS]))

/**
 * Every daemon, and the two that lie farthest apart. 28.5 is that of `28.5-min1.44`; `EVERY_PAIR` and `npm run conformance` play
 * the rest.
 */
export const CORNERS: Matrix = {
  '20.10': ['1.22'],
  '26.1': ['1.19'],
  '28.5-min1.44': ['1.18', '1.21'],
}

/** A suffix for the names of a retry: the objects of the failed try still have theirs. */
const secondTry = (): string => (TestRunner.getCurrentTest()?.result?.retryCount ? '-again' : '')

/** A block of tests for each pair of the matrix, through a bridge. Await it at a test file's top level. */
export async function asLegacyClients(
  matrix: Matrix,
  suite: (live: LegacySuite) => void,
  flags?: readonly string[],
): Promise<void> {
  const engines = [...DOCKER_ENGINES, ...PODMANS].filter((name) => matrix[name] !== undefined)
  await onEngines(engines, (engine) => {
    const { socket, get } = flags === undefined ? withBridge(engine) : withBridge(engine, flags)
    for (const version of matrix[engine.name] ?? []) {
      const own = (name: string): string => `${name}-${version.replace('.', '')}-${process.pid}${secondTry()}`
      describe(`a ${version} client`, () => suite({ client: new Client(socket, version), engine, bridge: get, own }))
    }
  })
}
