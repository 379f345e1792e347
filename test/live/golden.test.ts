import { beforeAll, expect, test } from 'vitest'
import type { JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { explained } from '../golden/explained.ts'
import { explains } from '../support/golden-explain.ts'
import { recordingOf } from '../support/golden-recording.ts'
import { differences, learn } from '../support/golden-shape.ts'
import type { Reply } from './support/client.ts'
import { asLegacyClients, EVERY_PAIR, type LegacySuite } from './support/suites.ts'

/** The engine of each version (test/golden/recorded). */
const ENGINES: Readonly<Record<string, string>> = {
  '1.18': '1.6.2',
  '1.19': '1.7.1',
  '1.20': '1.8.3',
  '1.21': '1.9.1',
  '1.22': '1.10.3',
}

/** The container of the recordings. */
const recorded = {
  Cmd: ['sh', '-c', 'echo out; echo err >&2; echo x > /newfile; exec sleep 600'],
  Labels: { 'com.example.a': 'b' },
  ExposedPorts: { '80/tcp': {} },
  Volumes: { '/data': {} },
}

/** Engines answer this with control groups of version 2 (the recordings were made with version 1); 1.22 documents null. */
const WITHOUT_OOM_KILL_DISABLE = 'HostConfig.OomKillDisable: is null, was boolean'

/** Differences in members or types from the recorded answer of that version's engine that test/golden does not explain. */
function unlike(reply: Reply, { client, engine }: LegacySuite, exchange: string, operation: OperationName): string[] {
  const version = client.version ?? ''
  const values = recordingOf(ENGINES[version] ?? '', version).exchanges[exchange]?.values
  if (values === undefined) throw new Error(`no recording of ${exchange}`)
  return differences(reply.json() as JsonValue, learn(values[0]))
    .map((difference) => ({ ...difference, scene: 'live', operation, exchange, client: version, engine: engine.name }))
    .filter((finding) => !explained.some((entry) => explains({ ...entry, engines: [engine.name] }, finding)))
    .map(({ path, problem }) => `${path}: ${problem}`)
    .filter((finding) => !(version === '1.22' && finding === WITHOUT_OOM_KILL_DISABLE))
}

await asLegacyClients(EVERY_PAIR, (live) => {
  const { client, own } = live
  let id = ''
  beforeAll(async () => {
    id = await client.run(recorded, own('golden'))
  })

  test('gets the container list with the members of its engine, and no other', async () => {
    const filters = encodeURIComponent(JSON.stringify({ label: ['com.example.a=b'] }))
    const reply = await client.get(`/containers/json?filters=${filters}`)
    expect(reply.text).toContain(id)
    expect(unlike(reply, live, '354-list-all', 'ContainerList')).toEqual([])
  })

  test('gets a running container with the members of its engine, and no other', async () => {
    const reply = await client.get(`/containers/${id}/json`)
    expect(unlike(reply, live, '348-inspect-running', 'ContainerInspect')).toEqual([])
  })

  test('gets a finished exec with the members of its engine, and no other', async () => {
    const Cmd = ['sh', '-c', 'echo o; echo e >&2; exit 3']
    const exec = (await client.post(`/containers/${id}/exec`, { Cmd, AttachStdout: true, AttachStderr: true })).at('Id')
    const { wire } = await client.hijack(`/exec/${exec}/start`, 'upgrade', { Detach: false, Tty: false })
    await wire.rest()
    expect(unlike(await client.get(`/exec/${exec}/json`), live, '412-exec-inspect-done', 'ExecInspect')).toEqual([])
  })

  test('gets an image and its history with the members of its engine, and no other', async () => {
    expect(unlike(await client.get('/images/busybox/json'), live, '060-image-inspect', 'ImageInspect')).toEqual([])
    expect(unlike(await client.get('/images/busybox/history'), live, '068-image-history', 'ImageHistory')).toEqual([])
  })

  test('gets the version with the members of its engine, and no other', async () => {
    expect(unlike(await client.get('/version'), live, '003-version', 'SystemVersion')).toEqual([])
  })
})
