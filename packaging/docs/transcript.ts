import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { isObject, type JsonObject, parseJson } from '../../src/api/json/json.ts'
import type { Address } from '../../src/http/address.ts'
import { startBridge } from '../../src/proxy/bridge.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { call } from '../../src/tools/demo/client.ts'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'

/** The transcript in the README: the program's own output before the fake engine, which refuses old clients as Engine 29 does. */
export async function transcript(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-docs-'))
  const socket = (name: string): Address => ({ kind: 'unix', path: join(folder, name) })
  const fakeEngine = await startFakeEngine(join(folder, 'engine.sock'))
  const flags = [
    '--listen',
    `unix://${join(folder, 'bridge.sock')}`,
    '--engine',
    `unix://${join(folder, 'engine.sock')}`,
  ]
  const bridge = await startBridge(readConfig([...flags, '--grace', '0', '--state', 'off'], {}), {
    log: pino({ level: 'silent' }),
    audit: { write: () => undefined },
  })
  try {
    const [engine, ours] = [socket('engine.sock'), socket('bridge.sock')]
    return [
      await shown(engine, '/v1.22/containers/json'),
      await shown(ours, '/v1.22/containers/json'),
      await shown(engine, '/v1.44/images/busybox/json', imageMembers),
      await shown(ours, '/v1.18/images/busybox/json', imageMembers),
      await shown(engine, '/v1.44/containers/nosuch/json'),
      await shown(ours, '/v1.22/containers/nosuch/json'),
    ].join('\n')
  } finally {
    await bridge.close()
    await fakeEngine.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A few members, sorted by name, so that the two sides can be compared line by line. */
function imageMembers(image: JsonObject): JsonObject {
  const names = ['Container', 'ContainerConfig', 'Id', 'RepoTags', 'Size', 'VirtualSize']
  return Object.fromEntries(names.filter((name) => name in image).map((name) => [name, brief(image[name])]))
}

const brief = (value: JsonObject[string]): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : isObject(value) ? '{…}' : value ? '[…]' : null

async function shown(address: Address, path: string, pick?: (body: JsonObject) => JsonObject): Promise<string> {
  const { body: bytes } = await call(address, { method: 'GET', url: path })
  const text = bytes.toString().trim()
  const body = pick === undefined ? undefined : parseJson(text)
  const output = pick !== undefined && isObject(body) ? JSON.stringify(pick(body), null, 1) : text
  const name = address.kind === 'unix' ? (address.path.split('/').at(-1) ?? '') : ''
  return `$ curl --unix-socket ${name} http://docker${path}${pick === undefined ? '' : '   # some members'}\n${output}\n`
}
