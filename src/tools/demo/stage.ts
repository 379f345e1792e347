import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listOf, memberAt, parseJson } from '../../api/json/json.ts'
import { createLog } from '../../config/log.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { WatchedCall } from '../inspect/call.ts'
import type { CallDetails } from '../inspect/shown/view.ts'
import { fakeEngine, type LocalEngine, localEngine } from '../local-engine.ts'
import { call } from './client.ts'

/** Bridge and engine of the demo, on private sockets. */
export interface Stage {
  readonly engine: LocalEngine
  /** An image of that engine for creating containers. */
  readonly image: string
  /** Address for the client. */
  readonly bridge: Address
  /** The next call of the client, when it has ended on both sides. */
  next(): Promise<CallDetails>
  close(): Promise<void>
}

/** A socket's path has at most 107 bytes. */
const FOLDER = 'enginebridge-demo-'
const SHOWN = { body: 1 << 20, input: true }

export async function setUp(addresses: readonly string[]): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER))
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const { engine, image } = await engineWithImage(addresses, folder)
    closers.push(engine.close)
    let seen = (_call: CallDetails): void => undefined
    const config = readConfig(
      [
        ...['--listen', `unix://${join(folder, 'bridge.sock')}`, '--engine', formatAddress(engine.address)],
        ...['--grace', '0', '--state', 'off', '--log-level', 'error', '--log-format', 'pretty'],
      ],
      {}, // the demo ignores the environment's settings
    )
    const bridge = await startBridge(config, {
      log: createLog(config),
      audit: { write: () => undefined },
      observers: [
        (watched) => new WatchedCall(0, watched, SHOWN, ({ open, details }) => (open ? undefined : seen(details))),
      ],
    })
    closers.push(bridge.close)
    const [address] = bridge.addresses
    if (address === undefined) throw new Error('the bridge listens nowhere')
    const next = (): Promise<CallDetails> => {
      const { promise, resolve } = Promise.withResolvers<CallDetails>()
      seen = resolve
      return promise
    }
    return { engine, image, bridge: address, next, close }
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
  const { body, status } = await call(address, { method: 'GET', url: '/images/json' })
  const images = status === 200 ? parseJson(body.toString()) : []
  const tags = listOf(images)
    .flatMap((image) => listOf(memberAt(image, 'RepoTags')))
    .filter((name) => typeof name === 'string' && !name.startsWith('<'))
  return tags.map(String).find((tag) => PREFERRED.test(tag)) ?? tags.map(String)[0]
}
