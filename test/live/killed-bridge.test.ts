import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { bridgeSocket, bridgeTo, LiveBridge } from './support/bridge.ts'
import { Client } from './support/client.ts'
import { startInMemory } from './support/engine-script.ts'
import { onEngines } from './support/suites.ts'
import { type Trip, tripwire } from './support/tripwire.ts'

/** 20.10 refuses the body of a start at 1.24 and later only: pinned there, a start with binds needs another container. */
const FLAGS = ['--engine-api', '1.41']
const PATIENCE_MS = 120_000

/** Each step of making a container anew (rules/emulate/recreate.ts) after which a bridge may be gone. */
const STEPS: readonly (readonly [name: string, trip: Trip, isBack: boolean])[] = [
  ['the old one was set aside', { request: /^POST \S+\/rename\?/, when: 'after' }, true],
  ['the new one was about to be made', { request: /^POST \S+\/containers\/create\?/, when: 'before' }, true],
  ['the new one was made', { request: /^POST \S+\/containers\/create\?/, when: 'after' }, true],
  ['the old one was about to be removed', { request: /^DELETE /, when: 'before' }, true],
  ['the old one was removed', { request: /^DELETE /, when: 'after' }, false],
]

await onEngines(['20.10'], ({ name }) => {
  // One of its own: the bridges of other tests would wait for each container that is left half done.
  const engine = { socket: join(inject('live').folder, 'of-killed-bridges.sock') }
  beforeAll(() => startInMemory(name, engine.socket))
  const direct = Client.ofEngine(engine.socket)
  const namesAbout = async (own: string): Promise<string[]> => {
    const list = (await direct.get('/containers/json?all=1')).json()
    const names = (Array.isArray(list) ? list : []).flatMap((one: { Names?: string[] }) => one.Names ?? [])
    return names.filter((name) => name.includes(own))
  }

  const nameOf = (step: string): string => `killed${STEPS.findIndex(([name]) => name === step)}-${process.pid}`
  const ids = new Map<string, string>()
  let next: LiveBridge | undefined
  afterAll(async () => {
    await next?.stop()
    for (const [step] of STEPS)
      for (const name of await namesAbout(nameOf(step))) await direct.delete(`/containers/${name.slice(1)}?force=1&v=1`)
  })

  test.each(STEPS)('is killed when %s', async (step, trip, isBack) => {
    const own = nameOf(step)
    const hung = bridgeSocket()
    const bridge = new LiveBridge(bridgeSocket(), hung, FLAGS)
    const wire = await tripwire(hung, engine.socket, trip, () => bridge.kill())
    try {
      await bridge.ready()
      // Made past the bridge: the wire is for the steps of the start.
      const id = await direct.create({ Cmd: ['sleep', '600'] }, own)
      ids.set(step, id)
      const start = new Client(bridge.socket, '1.22').post(`/containers/${id}/start`, { Binds: ['/usr:/mnt:ro'] })
      const answered = start.then(
        ({ said }) => said,
        () => 'nothing: the bridge was killed',
      )
      expect(await Promise.race([wire.tripped.then(() => answered), answered])).toBe('nothing: the bridge was killed')
      await wire.tripped
      const left = await namesAbout(own)
      expect(left.some((name) => name.includes('set-aside'))).toBe(isBack)
    } finally {
      await wire.close()
      await bridge.kill().catch(() => undefined)
    }
  })

  // One bridge for all: it waits ten seconds for each, at the same time.
  test.each(STEPS)(
    'killed when %s: the next bridge puts it right, and the client’s start works',
    async (step) => {
      const [own, id] = [nameOf(step), ids.get(step)]
      next ??= await bridgeTo(engine.socket, FLAGS)
      // The bridge holds calls for a container until it is restored.
      const client = new Client(next.socket, '1.22')
      expect((await client.get(`/containers/${own}/json`)).at('Id')).toBe(id)
      expect((await client.post(`/containers/${id}/start`, { Binds: ['/usr:/mnt:ro'] })).said).toBe('204 ')
      expect((await client.get(`/containers/${id}/json`)).at('State', 'Running')).toBe(true)
      expect(await namesAbout(own)).toEqual([`/${own}`])
    },
    PATIENCE_MS,
  )
})
