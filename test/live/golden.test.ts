import { beforeAll, expect, test } from 'vitest'
import type { JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { union } from '../golden/union.ts'
import { recordingOf } from '../support/golden-recording.ts'
import { differences, learn } from '../support/golden-shape.ts'
import type { Reply } from './support/client.ts'
import { asLegacyClients, EVERY_PAIR } from './support/suites.ts'

/** The engine of each version (test/golden/recorded). */
const ENGINES: Readonly<Record<string, string>> = {
  '1.18': '1.6.2',
  '1.19': '1.7.1',
  '1.20': '1.8.3',
  '1.21': '1.9.1',
  '1.22': '1.10.3',
}

/** What was created when the engines were recorded. */
const recorded = {
  Cmd: ['sh', '-c', 'echo out; echo err >&2; echo x > /newfile; exec sleep 600'],
  Labels: { 'com.example.a': 'b' },
  ExposedPorts: { '80/tcp': {} },
  Volumes: { '/data': {} },
}

/** Members that other engines of the age show to this version as well. */
const shownByOthers = (operation: OperationName, version: string): ReadonlySet<string> =>
  new Set(union.flatMap((row) => (row.operation === operation && row.clients.includes(version) ? row.paths : [])))

/** Where an answer differs in members or types from what the engine of the version answered. */
function unlike(
  reply: Reply,
  version: string | undefined,
  exchange: string,
  operation?: OperationName,
): readonly string[] {
  const values = recordingOf(ENGINES[version ?? ''] ?? '', version ?? '').exchanges[exchange]?.values
  if (values === undefined) throw new Error(`no recording of ${exchange}`)
  const seen = learn(values[0])
  const others = operation === undefined ? new Set() : shownByOthers(operation, version ?? '')
  return differences(reply.json() as JsonValue, seen)
    .filter(({ path, problem }) => !(problem === 'new' && others.has(path)))
    .map(({ path, problem }) => `${path}: ${problem}`)
}

await asLegacyClients(EVERY_PAIR, ({ client, own }) => {
  let id = ''
  beforeAll(async () => {
    id = await client.run(recorded, own('golden'))
  })

  test('gets the container list with the members of its engine, and no other', async () => {
    const filters = encodeURIComponent(JSON.stringify({ label: ['com.example.a=b'] }))
    const reply = await client.get(`/containers/json?filters=${filters}`)
    expect(reply.text).toContain(id)
    expect(unlike(reply, client.version, '354-list-all')).toEqual([])
  })

  test('gets a running container with the members of its engine, and no other', async () => {
    const reply = await client.get(`/containers/${id}/json`)
    expect(unlike(reply, client.version, '348-inspect-running', 'ContainerInspect')).toEqual([])
  })

  test('gets a finished exec with the members of its engine, and no other', async () => {
    const Cmd = ['sh', '-c', 'echo o; echo e >&2; exit 3']
    const exec = (await client.post(`/containers/${id}/exec`, { Cmd, AttachStdout: true, AttachStderr: true })).at('Id')
    const { wire } = await client.hijack(`/exec/${exec}/start`, 'upgrade', { Detach: false, Tty: false })
    await wire.rest()
    expect(
      unlike(await client.get(`/exec/${exec}/json`), client.version, '412-exec-inspect-done', 'ExecInspect'),
    ).toEqual([])
  })

  test('gets an image and its history with the members of its engine, and no other', async () => {
    expect(
      unlike(await client.get('/images/busybox/json'), client.version, '060-image-inspect', 'ImageInspect'),
    ).toEqual([])
    expect(unlike(await client.get('/images/busybox/history'), client.version, '068-image-history')).toEqual([])
  })

  test('gets the version with the members of its engine, and no other', async () => {
    expect(unlike(await client.get('/version'), client.version, '003-version')).toEqual([])
  })
})
