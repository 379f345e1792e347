import { describe, expect, it } from 'vitest'
import { ReplacedContainers } from '../../src/engine/replaced/replaced-containers.ts'
import type { PrimaryCalls, WorkerCalls } from '../../src/proxy/workers/calls.ts'
import { Claims, peersThrough } from '../../src/proxy/workers/claims.ts'
import { type Channel, Link } from '../../src/proxy/workers/link.ts'
import type { Member } from '../../src/proxy/workers/worker-pool.ts'

const container = { id: 'a'.repeat(64), name: 'web' }
const none = async () => ({ status: 404, headers: [], body: undefined, error: '' }) as never

interface Worker extends Member {
  readonly link: Link<WorkerCalls, PrimaryCalls>
  readonly replacedContainers: ReplacedContainers
  readonly end: () => void
}

/** Both ends of a channel, on which each message takes a turn of the event loop. */
function channels(): { ends: [Channel, Channel]; end: () => void } {
  const state = { connected: true }
  const heard: [((message: unknown) => void)?, ((message: unknown) => void)?] = []
  const channel = (own: 0 | 1): Channel => ({
    get connected() {
      return state.connected
    },
    on: (_event, listener) => {
      heard[own] = (message) => listener(message, undefined)
    },
    send: (message) => {
      setImmediate(() => state.connected && heard[own === 0 ? 1 : 0]?.(message))
      return true
    },
  })
  const end = (): void => {
    state.connected = false
  }
  return { ends: [channel(0), channel(1)], end }
}

/** Workers and their primary, without processes. */
function team(size: number): { workers: Worker[]; leave: (worker: Worker) => void } {
  const up = new Set<Worker>()
  const claims = new Claims(() => [...up])
  const workers = Array.from({ length: size }, (_, number): Worker => {
    const { ends, end } = channels()
    const link = new Link<WorkerCalls, PrimaryCalls>(ends[0])
    const primary = new Link<PrimaryCalls, WorkerCalls>(ends[1])
    const replacedContainers = new ReplacedContainers(none, { peers: peersThrough(primary) })
    const { fromPeers } = replacedContainers
    primary.serve({
      hold: (token, one) => fromPeers.busy(token, one),
      free: (token) => fromPeers.idle(token),
      replaced: (client, engine) => fromPeers.replaced(client, engine),
      forgotten: (engine) => void fromPeers.forgotten(engine),
    })
    const worker: Worker = { worker: number, link, replacedContainers, end }
    const others = (): Worker[] => [...up].filter((other) => other !== worker)
    link.serve({
      claim: (one) => claims.claim(worker, one),
      release: (token) => claims.release(token),
      replaced: (client, engine) => {
        for (const other of others()) other.link.tell('replaced', [client, engine])
      },
      forgotten: (engine) => {
        for (const other of others()) other.link.tell('forgotten', [engine])
      },
    })
    up.add(worker)
    return worker
  })
  const leave = (worker: Worker): void => {
    up.delete(worker)
    worker.end()
    worker.link.close('it has ended')
    claims.left(worker)
  }
  return { workers, leave }
}

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

describe('workers that make a container anew', () => {
  it('do so one at a time; what one made the next knows, and that it is gone', async () => {
    const { workers } = team(4)
    const known = (): Set<string> =>
      new Set(workers.map(({ replacedContainers }) => replacedContainers.toEngine(container.id)))
    const state = { inside: 0, most: 0, done: 0 }
    await Promise.all(
      workers.flatMap(({ replacedContainers }, i) =>
        [0, 1].map((n) =>
          replacedContainers.runExclusively(container, async () => {
            state.most = Math.max(state.most, ++state.inside)
            const before = replacedContainers.toEngine(container.id)
            expect(before === container.id).toBe(state.done === 0)
            await turns(5)
            replacedContainers.replaced(container.id, `${i}${n}`.repeat(32))
            state.inside--
            state.done++
          }),
        ),
      ),
    )
    expect(state).toEqual({ inside: 0, most: 1, done: 8 })
    await turns(5)
    expect(known().size).toBe(1)
    for (const made of known()) workers[0]?.replacedContainers.forget(made)
    await turns(5)
    expect(known()).toEqual(new Set([container.id]))
  })

  it('do so when calls for it wait in all of them, until it is done', async () => {
    const { workers } = team(3)
    const [first, second] = workers as [Worker, Worker]
    const work = Promise.withResolvers<void>()
    const inside = Promise.withResolvers<void>()
    const alone = first.replacedContainers.runExclusively(container, async () => {
      inside.resolve()
      await work.promise
    })
    await inside.promise
    const waits = second.replacedContainers.whenFree('web')
    expect(waits).toBeDefined()
    expect(second.replacedContainers.whenFree('another')).toBeUndefined()
    expect(second.replacedContainers.whenFree()).toBeDefined() // a list of all
    work.resolve()
    await alone
    await waits
    expect(second.replacedContainers.whenFree('web')).toBeUndefined()
  })

  it('know of clients that another has attached to it', async () => {
    const { workers } = team(3)
    const [first, second] = workers as [Worker, Worker]
    const watched = (): Promise<boolean> =>
      first.replacedContainers.runExclusively(container, async () => first.replacedContainers.isWatched(container))
    expect(await watched()).toBe(false)
    const leave = second.replacedContainers.watch('web')
    expect(await watched()).toBe(true)
    leave()
    expect(await watched()).toBe(false)
  })

  it('do not wait for one that has ended with the container', async () => {
    const { workers, leave } = team(3)
    const [first, second] = workers as [Worker, Worker, Worker]
    const inside = Promise.withResolvers<void>()
    void first.replacedContainers.runExclusively(container, () => {
      inside.resolve()
      return new Promise(() => undefined) // it never ends: its process does
    })
    await inside.promise
    const next = second.replacedContainers.runExclusively(container, async () => 'done')
    await turns(10)
    leave(first)
    expect(await next).toBe('done')
    await turns(5)
    expect(second.replacedContainers.whenFree('web')).toBeUndefined()
  })

  it('do not wait for one that ends before it said that calls wait', async () => {
    const { workers, leave } = team(3)
    const [first, , third] = workers as [Worker, Worker, Worker]
    const alone = first.replacedContainers.runExclusively(container, async () => 'done')
    await turns(1)
    leave(third)
    expect(await alone).toBe('done')
  })
})
