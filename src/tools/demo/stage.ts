import { listOf, memberAt, parseJson } from '../../api/json/json.ts'
import type { Watched } from '../../audit/watched.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { WatchedCall } from '../inspect/call.ts'
import type { CallDetails } from '../inspect/shown/view.ts'
import { fakeEngine, type LocalEngine, localEngine } from '../local-engine.ts'
import { privateBridge } from '../private-bridge.ts'
import { call } from './client.ts'

/** Bridge and engine of the demo. */
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

const SHOWN = { body: 1 << 20, input: true }

export async function setUp(addresses: readonly string[]): Promise<Stage> {
  const { engine, image } = await engineWithImage(addresses)
  let seen = (_call: CallDetails): void => undefined
  const observer = (watched: Watched): WatchedCall =>
    new WatchedCall(0, watched, SHOWN, ({ open, details }) => (open ? undefined : seen(details)))
  const quiet = ['--state', 'off', '--log-level', 'error', '--log-format', 'pretty']
  const flags = ['--engine', formatAddress(engine.address), ...quiet]
  try {
    // The demo ignores the environment's settings.
    const bridge = await privateBridge(flags, {}, { observers: [observer] })
    const next = (): Promise<CallDetails> => {
      const { promise, resolve } = Promise.withResolvers<CallDetails>()
      seen = resolve
      return promise
    }
    return { engine, image, bridge: bridge.address, next, close: () => bridge.close().finally(engine.close) }
  } catch (cause) {
    await engine.close()
    throw cause
  }
}

const PREFERRED = /(^|\/)(busybox|alpine)(:|$)/

/** The local engine with one of its images; a fake engine if there is no engine, or no usable image. */
async function engineWithImage(addresses: readonly string[]): Promise<{ engine: LocalEngine; image: string }> {
  const engine = await localEngine(addresses)
  const image = await pickImage(engine.address)
  if (image !== undefined) return { engine, image }
  await engine.close()
  const why = `${formatAddress(engine.address)}: it has no image to make a container of (try: docker pull busybox)`
  return { engine: await fakeEngine([why]), image: 'busybox' }
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
