import { join } from 'node:path'
import { pino } from 'pino'
import { type Bridge, startBridge } from '../../../src/proxy/bridge.ts'
import { readConfig } from '../../../src/proxy/settings/config.ts'
import { scenarioOf } from '../catalogue.ts'

export const OLD_CLIENTS = ['1.18', '1.19', '1.20', '1.21', '1.22'] as const
const PINS = ['1.18', '1.19', '1.20', '1.21', '1.22', '1.24', '1.41'] as const
export const OTHER_ENGINES = ['26.1', '28.5', '28.5-min1.44'] as const

/** A road that calls of one client version take: to which engine, through a bridge or not, pinned to a version or not. */
export interface Way {
  readonly client: string
  readonly engine: string
  /** `direct`: no bridge. `own`: the bridge chooses the target. Otherwise the pin. */
  readonly target: string
}

export const wayName = ({ engine, target }: Way): string =>
  target === 'own' ? engine : target === 'direct' ? `${engine} direct` : `${engine} at ${target}`

/** A version as this table counts: 1.41 is 41. */
const minors = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => `1.${first + i}`)

/**
 * Clients from 1.23 on. Every one of them to 28.5, which serves them all but the first; on the other engines a selection,
 * with every step from 1.23 to 1.51 between the client and the target of some way. Where an engine serves the client's
 * version, its own answer is there to compare with (`direct`); `pins` are other targets that the bridge is held to.
 * `28.5-min1.44` serves no more than 28.5 does, which has been asked.
 */
const LATER: readonly {
  engine: string
  clients: readonly string[]
  direct?: readonly string[]
  pins?: Readonly<Record<string, readonly string[]>>
}[] = [
  {
    engine: '20.10',
    clients: ['1.23', '1.24', '1.30', '1.37', '1.41', '1.44', '1.51'],
    direct: ['1.23', '1.24', '1.30', '1.37', '1.41'],
    pins: {
      '1.23': ['1.41'],
      '1.24': ['1.41'],
      '1.30': ['1.41'],
      '1.37': ['1.24'],
      '1.41': ['1.24', '1.32'],
      '1.44': ['1.40'],
      '1.51': ['1.24'],
    },
  },
  {
    engine: '26.1',
    clients: ['1.23', '1.24', '1.32', '1.40', '1.44', '1.51'],
    direct: ['1.24', '1.32', '1.40', '1.44'],
    pins: { '1.24': ['1.45'], '1.32': ['1.45'], '1.40': ['1.44'], '1.44': ['1.24'], '1.51': ['1.44'] },
  },
  {
    engine: '28.5',
    clients: minors(23, 51),
    direct: minors(24, 51),
    pins: {
      '1.24': ['1.51'],
      '1.30': ['1.44'],
      '1.37': ['1.47'],
      '1.41': ['1.51'],
      '1.44': ['1.51'],
      '1.47': ['1.44'],
      '1.51': ['1.24', '1.44'],
    },
  },
  { engine: '28.5-min1.44', clients: minors(23, 43) },
  {
    engine: 'podman-5.4',
    clients: ['1.24', '1.32', '1.40', '1.41'],
    direct: ['1.24', '1.32', '1.40', '1.41'],
    pins: { '1.40': ['1.24'] },
  },
  {
    engine: 'podman-5.8',
    clients: ['1.24', '1.32', '1.41', '1.44'],
    direct: ['1.24', '1.32', '1.41', '1.44'],
    pins: { '1.44': ['1.24'] },
  },
]

export const laterWays: readonly Way[] = LATER.flatMap(({ engine, clients, direct = [], pins = {} }) =>
  clients.flatMap((client) => {
    const targets = ['own', ...(direct.includes(client) ? ['direct'] : []), ...(pins[client] ?? [])]
    return targets.map((target) => ({ client, engine, target }))
  }),
)

/** The way that this one is measured by. */
export function baseOf(way: Way): Way {
  const { client, engine } = way
  if (scenarioOf(client) === 'newest') return way
  const base = scenarioOf(client) === 'old' ? '20.10' : engine.replace(/-min.*/, '')
  return { client, engine: base, target: 'own' }
}

export const isSameWay = (way: Way, other: Way): boolean =>
  way.client === other.client && way.engine === other.engine && way.target === other.target

/** The way that the others of its client are measured by comes first. */
export function waysOf(client: string): Way[] {
  const to2010 = ['own', 'direct', ...PINS.filter((pin) => pin !== client)]
  return [
    ...to2010.map((target) => ({ client, engine: '20.10', target })),
    ...OTHER_ENGINES.map((engine) => ({ client, engine, target: 'own' })),
  ]
}

/** The newest version of which an engine was asked. */
export const NEWEST_CLIENT = '1.56'

/** Its clients are told that version by the bridge. */
export const newestWays: readonly Way[] = ['20.10', '26.1', '28.5'].map((engine) => ({
  client: NEWEST_CLIENT,
  engine,
  target: 'own',
}))

export const allWays: readonly Way[] = [...laterWays, ...newestWays, ...OLD_CLIENTS.flatMap(waysOf)]

/**
 * `npm run conformance -- --quick`: every explanation is shown at least once, and each engine that is measured by itself is
 * asked. With the ways that these are measured by.
 */
export const quickWays = waysTo([
  ['1.18', '20.10', 'own', 'direct'],
  ['1.18', '28.5-min1.44', 'own'],
  ['1.20', '20.10', 'own', '1.18'],
  ['1.20', '28.5-min1.44', 'own'],
  ['1.22', '20.10', 'own', '1.24'],
  ['1.24', '28.5', 'own', 'direct', '1.51'],
  ['1.24', '28.5-min1.44', 'own'],
  ['1.23', '20.10', 'own', '1.41'],
  ['1.30', '28.5', 'own', '1.44'],
  ['1.40', 'podman-5.4', 'own', 'direct', '1.24'],
  ['1.44', 'podman-5.8', 'own', 'direct', '1.24'],
  ['1.41', '20.10', 'own', 'direct', '1.24'],
  ['1.56', '20.10', 'own'],
  ['1.56', '28.5', 'own'],
])

/** `npm test`: the two that lie farthest apart, a client in between, and each kind of engine. */
export const fewWays = waysTo([
  ['1.18', '20.10', 'own'],
  ['1.18', '28.5-min1.44', 'own'],
  ['1.30', '28.5', 'own', '1.44'],
  ['1.40', 'podman-5.4', 'own', 'direct'],
  ['1.56', '20.10', 'own'],
])

function waysTo(rows: readonly (readonly [client: string, engine: string, ...targets: string[]])[]): readonly Way[] {
  return rows.flatMap(([client, engine, ...targets]) => targets.map((target) => ({ client, engine, target })))
}

/** Bridges before one engine, one a target, made when first asked for. */
export class Bridges {
  readonly #engine: string
  readonly #folder: string
  readonly #name: string
  readonly #made = new Map<string, { bridge: Bridge; socket: string }>()

  constructor(engine: string, folder: string, name: string) {
    this.#engine = engine
    this.#folder = folder
    this.#name = name
  }

  async socketFor({ client, target }: Way): Promise<string> {
    if (target === 'direct') return this.#engine
    const newest = scenarioOf(client) === 'newest'
    const name = newest ? `${target}-newest` : target
    const known = this.#made.get(name)
    if (known !== undefined) return known.socket
    const socket = join(this.#folder, `${this.#name}-${name}.sock`)
    const pin = target === 'own' ? [] : ['--engine-api', target]
    const announced = newest ? ['--announce-api', client] : []
    const config = readConfig(
      ['--listen', `unix://${socket}`, '--engine', `unix://${this.#engine}`, '--grace', '0', ...pin, ...announced],
      {},
    )
    const bridge = await startBridge(config, { log: pino({ level: 'silent' }), audit: { write: () => undefined } })
    this.#made.set(name, { bridge, socket })
    return socket
  }

  async close(): Promise<void> {
    for (const { bridge } of this.#made.values()) await bridge.close()
  }
}
