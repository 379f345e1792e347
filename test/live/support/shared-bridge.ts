import { join } from 'node:path'
import { inject } from 'vitest'
import { bridgeTo, type LiveBridge, type Moment } from './bridge.ts'
import './provided.ts'

/** A bridge for each engine, without flags. They serve all suites of this process (vitest.config.ts: isolate) and end with it. */
const bridges = new Map<string, LiveBridge>()

export const sharedSocket = (engine: string): string =>
  join(inject('live').folder, `shared-${process.pid}-${engine}.sock`)

/** A shared bridge as one suite sees it. */
export class SuiteBridge {
  readonly #bridge: LiveBridge
  readonly #began: Moment

  constructor(bridge: LiveBridge) {
    this.#bridge = bridge
    this.#began = bridge.now()
  }

  /** The audit records of this suite. */
  audit(): readonly Record<string, unknown>[] {
    return this.#bridge.audit(this.#began)
  }

  /** Fails if the bridge ended or, during the suite, did something for which `LiveBridge.stop` fails. */
  stop(): void {
    if (this.#bridge.exited) throw new Error(`the bridge ended: ${this.#bridge.said}`)
    this.#bridge.isWell(this.#began)
  }
}

export async function sharedBridge({ name, socket }: { name: string; socket: string }): Promise<SuiteBridge> {
  let bridge = bridges.get(name)
  if (bridge === undefined || bridge.exited) {
    bridge = await bridgeTo(socket, [], sharedSocket(name))
    bridges.set(name, bridge)
  }
  return new SuiteBridge(bridge)
}
