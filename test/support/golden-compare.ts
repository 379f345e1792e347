import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import { formatVersion, versionOf } from '../../src/api/version.ts'
import type { Plans } from '../../src/translate/plans.ts'
import { type Recording, recordingOf } from './golden-recording.ts'
import { throughTheBridge } from './golden-run.ts'
import { laterPairs, type ModernEngine, modernEngines, oldEngines, type Scene } from './golden-scenes.ts'
import { type Difference, differences, learn, type Seen } from './golden-shape.ts'

/** One difference between what a client gets and what the engine of its version gave. */
export interface Finding extends Difference {
  readonly scene: string
  readonly operation: string
  readonly client: string
  readonly engine: string
  readonly exchange: string
}

export interface Cell {
  readonly client: string
  /** The engine of the client's version, and the archive that has it. */
  readonly old: string
  readonly measure: 'legacy' | 'modern'
  readonly modern: ModernEngine
  /** The version that the bridge speaks to the engine. */
  readonly target: string
}

/** Every client version on every modern engine. */
export const cells: readonly Cell[] = oldEngines.flatMap(({ engine: old, version: client }) =>
  modernEngines.flatMap((modern): Cell[] => {
    const own = modern.versions.includes(client)
    const lowest = modern.versions[0]
    const target = own ? client : lowest !== undefined && versionOf(lowest) > versionOf('1.22') ? lowest : undefined
    return target === undefined ? [] : [{ client, old, measure: 'legacy', modern, target }]
  }),
)

/** Clients of 1.41 to 1.51. */
export const laterCells: readonly Cell[] = laterPairs.map(({ client, own, engine, target, highest }) => ({
  client,
  old: own,
  measure: 'modern',
  modern: { archive: 'modern', engine, versions: [target], highest },
  target,
}))

/** Compares one scene in one cell. */
export async function compare(
  plans: Plans,
  { client, old, measure, modern, target }: Cell,
  scene: Scene,
): Promise<Finding[]> {
  const real = recordingOf(old, client)
  const engine = recordingOf(modern.engine, target)
  const findings: Finding[] = []
  const { archive, lacks = [] } = modern
  for (const name of archive === 'legacy' ? scene.old : scene.modern) {
    if (lacks.includes(name)) continue
    const answer = engine.exchanges[name]
    if (answer === undefined) throw new Error(`${modern.engine} at ${target} has no recording of ${name}`)
    // The same questions in the same order were put to the old engines and to 20.10.24: compare one by one.
    const names = archive === measure ? [name] : scene.old
    const expected = expectedOf(real, names, scene)
    const allowed = expectedOf(real, measure === 'legacy' ? [...names, ...(scene.also ?? [])] : names, scene)
    // Events are asked for by the time of their recording: the old engine's own window would leave out all of them.
    const asked = scene.operation === 'SystemEvents' ? answer : real.exchanges[names[0] ?? '']
    if (asked === undefined) throw new Error(`${old} has no recording of ${names[0]}`)
    const got = await throughTheBridge(
      {
        plans,
        operation: scene.operation,
        client: versionOf(client),
        target: versionOf(target),
        highest: versionOf(modern.highest),
        engine,
        asked,
      },
      answer,
    )
    if (got.length === 0) throw new Error(`nothing of ${modern.engine}'s ${name} came through: nothing was compared`)
    const where = { scene: scene.name, operation: scene.operation, client, engine: modern.engine, exchange: name }
    for (const difference of distinct(got.flatMap((value) => against(value, expected, allowed))))
      findings.push({ ...where, ...difference })
  }
  return findings
}

/** Events of different kinds have different members. */
const kindOf = (value: JsonValue): string => {
  const kind = isObject(value) ? (value['Type'] ?? '') : ''
  return typeof kind === 'string' ? kind : ''
}

type Expected = ReadonlyMap<string, Seen>

const learnt = new Map<string, Expected>()

function expectedOf(real: Recording, names: readonly string[], scene: Scene): Expected {
  const key = `${real.origin.engine} ${real.origin.version} ${scene.operation} ${names.join()}`
  let expected = learnt.get(key)
  if (expected === undefined) {
    const values = names.flatMap((name) => real.exchanges[name]?.values ?? [])
    if (values.length === 0) throw new Error(`${real.origin.engine} has no recording for ${scene.name}`)
    const kinds = Map.groupBy(values, scene.operation === 'SystemEvents' ? kindOf : () => '')
    expected = new Map([...kinds].map(([kind, of]) => [kind, learnAll(of)]))
    learnt.set(key, expected)
  }
  return expected
}

function learnAll(values: readonly JsonValue[]): Seen {
  const seen = learn(values[0])
  for (const value of values.slice(1)) learn(value, '', seen)
  return seen
}

function against(value: JsonValue, expected: Expected, allowed: Expected): Difference[] {
  const kind = expected.size === 1 ? ([...expected.keys()][0] ?? '') : kindOf(value)
  const seen = expected.get(kind)
  if (seen === undefined) return [{ path: '', problem: `a record of type ${kind}` }]
  const tooMany = new Set(
    differences(value, allowed.get(kind) ?? seen).flatMap(({ path, problem }) => (problem === 'new' ? [path] : [])),
  )
  return differences(value, seen).filter(({ path, problem }) => problem !== 'new' || tooMany.has(path))
}

const distinct = (all: readonly Difference[]): Difference[] => [
  ...new Map(all.map((difference) => [`${difference.path} ${difference.problem}`, difference])).values(),
]

export const cellName = ({ client, modern, target }: Cell): string =>
  `a ${client} client on engine ${modern.engine} at ${formatVersion(versionOf(target))}`
