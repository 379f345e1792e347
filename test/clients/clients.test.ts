import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type EngineName, onEngines, PODMAN, withBridge } from '../live/support/suites.ts'
import { type Client, cliClients, dockerodeClients, reapedClients } from './catalogue.ts'
import { explanation } from './explained.ts'
import { dockerCommand } from './reaper.ts'
import { EXTRAS, STEPS } from './steps.ts'

const LIMIT_MS = 120_000

/** A command line of Debian's; where its packages cannot be had, none, said loudly. */
async function commandLines(generation: '20.10' | '28.5'): Promise<Client[]> {
  const { missing, required } = inject('live')
  if (missing !== undefined) return []
  try {
    return await cliClients(generation)
  } catch (cause) {
    if (required) throw cause
    process.stderr.write(`\n*** LIVE TESTS SKIPPED with docker ${generation}: ${String(cause)} ***\n\n`)
    return []
  }
}

const [old, legacy] = ['1.18', '1.22'].map((api) => dockerodeClients().find((client) => client.api === api))
const cli20 = (await commandLines('20.10')).find(({ api }) => api === '1.24')
const buildKit = (await commandLines('28.5')).find(({ note }) => note === 'BuildKit')

const reaped = dockerCommand() === undefined ? undefined : reapedClients()[0]

/** Each client on an engine of another age, each engine with a client; `npm run clients` plays all on all. */
const MET: Readonly<Partial<Record<EngineName, readonly (Client | undefined)[]>>> = {
  '20.10': [buildKit],
  '26.1': [old],
  '28.5-min1.44': [legacy, cli20, reaped],
  'podman-5.4': [old, buildKit],
}

await onEngines(['20.10', '26.1', '28.5-min1.44', PODMAN], (engine) => {
  const { socket } = withBridge(engine)
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(inject('live').folder, 'clients-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(
    (MET[engine.name] ?? [])
      .filter((client) => client !== undefined)
      .map((client, i) => ({
        client,
        i,
        title: `${client.product} ${client.release} ${client.note} at ${client.api}`,
      })),
  )(
    '$title creates, starts, reads, attaches, runs, inspects, watches, builds, copies and removes',
    { timeout: LIMIT_MS },
    async ({ client, i }) => {
      const report = await client.run({
        socket,
        engine: engine.socket,
        folder: join(folder, `${i}`),
        name: `suite-${i}-${process.pid}`,
      })
      const failed = [...STEPS, ...EXTRAS].flatMap((step) => {
        const outcome = report[step]
        const red = outcome?.kind === 'fails' && explanation(engine.name, client, step) === undefined
        return red && outcome.kind === 'fails' ? [`${step}: ${outcome.why}`] : []
      })
      expect(failed).toEqual([])
    },
  )
})
