import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changes } from '../../../rules/index.ts'
import { listOf, memberAt, parseJson } from '../../api/json/json.ts'
import { createLog } from '../../config/log.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { REPLACES, SET_ASIDE } from '../../translate/replaced/label.ts'
import { fakeEngine, type LocalEngine, localEngine } from '../local-engine.ts'
import { call } from './client.ts'
import { type Exchange, startRelay } from './relay.ts'
import { watched } from './watch.ts'

/** Markers of calls that the bridge makes for itself, besides the version. */
const OWN = [REPLACES, SET_ASIDE]

/** Client, bridge, relay and engine of the demo, on private sockets. */
export interface Stage {
  readonly engine: LocalEngine
  /** An image of that engine for creating containers. */
  readonly image: string
  /** Address for the client. */
  readonly bridge: Address
  /** The engine's calls since the last time. */
  readonly seen: () => Exchange[]
  /** The ids of the changes that had an effect since the last time. */
  readonly applied: () => string[]
  close(): Promise<void>
}

/** A socket's path has at most 107 bytes. */
const FOLDER = 'enginebridge-demo-'

export async function setUp(addresses: readonly string[]): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER))
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const { engine, image } = await engineWithImage(addresses, folder)
    closers.push(engine.close)
    const relay = await startRelay(engine.address, join(folder, 'relay.sock'))
    closers.push(relay.close)
    const applied: string[] = []
    const config = readConfig(
      [
        ...['--listen', `unix://${join(folder, 'bridge.sock')}`, '--engine', formatAddress(relay.address)],
        ...['--grace', '0', '--state', 'off', '--log-level', 'error', '--log-format', 'pretty'],
      ],
      {}, // the demo ignores the environment's settings
    )
    const bridge = await startBridge(config, {
      log: createLog(config),
      audit: { write: () => undefined },
      rules: watched(changes, (id) => applied.push(id)),
    })
    closers.push(bridge.close)
    const [address] = bridge.addresses
    if (address === undefined) throw new Error('the bridge listens nowhere')
    const seen = (): Exchange[] =>
      relay.take().filter(({ url }) => url !== '/version' && !OWN.some((part) => url.includes(part)))
    return { engine, image, bridge: address, seen, applied: () => applied.splice(0), close }
  } catch (cause) {
    await close()
    throw cause
  }
}

const PREFERRED = /(^|\/)(busybox|alpine)(:|$)/

/** The local engine with one of its images; a fake engine if there is no engine, or no usable image. */
async function engineWithImage(
  addresses: readonly string[],
  folder: string,
): Promise<{ engine: LocalEngine; image: string }> {
  const engine = await localEngine(addresses, folder)
  const image = await pickImage(engine.address)
  if (image !== undefined) return { engine, image }
  await engine.close()
  const why = `${formatAddress(engine.address)}: it has no image to make a container of (try: docker pull busybox)`
  return { engine: await fakeEngine(folder, [why]), image: 'busybox' }
}

/** Prefers small images with a shell. */
async function pickImage(address: Address): Promise<string | undefined> {
  const { got, status } = await call(address, { method: 'GET', url: '/images/json' })
  const images = status === 200 ? parseJson(got.toString()) : []
  const tags = listOf(images)
    .flatMap((image) => listOf(memberAt(image, 'RepoTags')))
    .filter((name) => typeof name === 'string' && !name.startsWith('<'))
  return tags.map(String).find((tag) => PREFERRED.test(tag)) ?? tags.map(String)[0]
}
