import { isObject, type JsonValue } from '../../../src/api/json/json.ts'
import { differences, learn } from '../../support/golden-shape.ts'
import type { RecordedEngine } from '../catalogue.ts'
import { plainText, type View, withoutFirstGateway } from './view.ts'

/** One difference of an answer from the expected one. */
export interface Difference {
  /** `status`, `type`, `text`, or a member of the body. */
  readonly path: string
  readonly problem: string
}

/** Compares with the answer of the engine of the client's version: status, content type, text of an error, shape. */
export function againstRecorded(view: View, recorded: RecordedEngine, name: string): Difference[] {
  const answer = recorded.answers[name]
  if (answer === undefined) return []
  if (answer.status !== view.status) return [{ path: 'status', problem: `is ${view.status}, was ${answer.status}` }]
  const found: Difference[] = []
  if ((answer.type ?? '') !== view.type && !isEmpty(view))
    found.push({ path: 'type', problem: `is ${view.type}, was ${answer.type ?? ''}` })
  if (answer.text !== undefined && plainText(answer.text) !== view.text)
    found.push({ path: 'text', problem: `is ${cut(view.text)}, was ${cut(plainText(answer.text))}` })
  const was = answer.body === undefined ? undefined : recorded.bodies[answer.body]
  if (was === undefined || view.status === null || view.status >= 400) return found
  const seen = { types: new Set<string>(), objects: 0, members: new Map(), elements: [] }
  for (const value of was) learn(value, '', seen)
  const shape = view.values
    .flatMap((value) => differences(withEachGateway(value), seen))
    .filter((found) => !isZeroLeftOut(found))
  const once = new Map(shape.map((difference) => [difference.path + difference.problem, difference]))
  return [...found, ...[...once.values()].map(({ path, problem }) => ({ path: `body.${path}`, problem }))]
}

/** The content type of an empty answer is not compared: some engines guess it from the first bytes, others set it beforehand. */
const isEmpty = ({ status, values, text }: View): boolean => status === 200 && values.length === 0 && text === ''

const withEachGateway = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(withEachGateway)
  return isObject(value) ? withoutFirstGateway(value) : value
}

/** Left out when zero, by the recorded engines too (container.SizeRootFs, omitempty): others had been created from images. */
const isZeroLeftOut = ({ path, problem }: Difference): boolean =>
  problem === 'missing' && /\.Size(Rw|RootFs)$/.test(path)

/** Compares with the same call on another way: everything. */
export function againstView(view: View, other: View): Difference[] {
  const found: Difference[] = []
  if (view.status !== other.status) return [{ path: 'status', problem: `is ${view.status}, there ${other.status}` }]
  if (view.type !== other.type) found.push({ path: 'type', problem: `is ${view.type}, there ${other.type}` })
  if (view.text !== other.text) found.push({ path: 'text', problem: `is ${cut(view.text)}, there ${cut(other.text)}` })
  const ours = withoutChance(view.plain, other.plain)
  const theirs = withoutChance(other.plain, view.plain)
  const values = new Map(
    unequal(wrapped(ours), wrapped(theirs), 'body').map((difference) => [
      difference.path + difference.problem,
      difference,
    ]),
  )
  return [...found, ...values.values()]
}

/**
 * Events that are compared only if both ways have them. An engine sends `detach` when the client leaves before the container ends. Podman
 * sends events of some restarts and not of others, with a bridge or without: `stop` when the end of the container is not yet noted
 * as it is stopped, `cleanup` when its process comes before the removal (5.4.2).
 */
function withoutChance(plain: readonly JsonValue[], other: readonly JsonValue[]): JsonValue[] {
  const told = new Set([undefined, ...other.map(chanceEvent)])
  return plain.filter((value) => told.has(chanceEvent(value)))
}

function chanceEvent(event: JsonValue): string | undefined {
  if (!isObject(event) || !isObject(event['Actor'])) return undefined
  const { Action: action, Actor: actor } = event
  if (action === 'detach') return action
  const ofPodman = Array.isArray(actor['Attributes']) && actor['Attributes'].includes('podId')
  return ofPodman && (action === 'stop' || action === 'cleanup') ? action : undefined
}

/** The number of records of one kind in a stream is not compared. */
const wrapped = (values: readonly JsonValue[]): JsonValue => (values.length === 1 ? (values[0] ?? null) : [...values])

/** The elements that two lists of named objects share: a missing object is a difference of the call that should have made it. */
function ofBoth(list: readonly JsonValue[], other: readonly JsonValue[]): [JsonValue[], JsonValue[]] {
  const names = (of: readonly JsonValue[]): Set<string> => new Set(of.map(nameOf).filter((name) => name !== undefined))
  const both = names(list).intersection(names(other))
  const kept = (of: readonly JsonValue[]): JsonValue[] => {
    const seen = new Set<string>()
    return of.filter((element) => {
      const name = nameOf(element)
      if (name === undefined) return true
      if (/<name>|<id>/.test(name)) return false // objects without a name cannot be told apart
      return both.has(name) && !seen.has(name) && seen.add(name) !== undefined
    })
  }
  return [kept(list), kept(other)]
}

function nameOf(element: JsonValue): string | undefined {
  if (!isObject(element)) return undefined
  const name = element['Names'] ?? element['Name'] ?? element['RepoTags']
  return name === undefined || name === null ? undefined : JSON.stringify(Array.isArray(name) ? name[0] : name)
}

function unequal(value: JsonValue | undefined, other: JsonValue | undefined, path: string): Difference[] {
  if (JSON.stringify(value) === JSON.stringify(other)) return []
  if (Array.isArray(value) && Array.isArray(other)) {
    const [ours, theirs] = ofBoth(value, other)
    if (ours.length === theirs.length) return ours.flatMap((element, i) => unequal(element, theirs[i], `${path}[]`))
    const found = ofEvents(ours, theirs)
    if (found.length > 0) return found.map((problem) => ({ path, problem }))
  }
  if (isObject(value) && isObject(other)) {
    const names = new Set([...Object.keys(value), ...Object.keys(other)])
    return [...names].flatMap((name) => unequal(value[name], other[name], `${path}.${name}`))
  }
  return [{ path, problem: `is ${cut(JSON.stringify(value))}, there ${cut(JSON.stringify(other))}` }]
}

/** The events that only one of two streams has. */
function ofEvents(ours: readonly JsonValue[], theirs: readonly JsonValue[]): string[] {
  const [has, there] = [ours, theirs].map((events) => new Set(events.map(eventNamed)))
  if (has === undefined || there === undefined || has.has(undefined) || there.has(undefined)) return []
  return [
    ...[...has.difference(there)].map((name) => `has ${name}`),
    ...[...there.difference(has)].map((name) => `lacks ${name}`),
  ]
}

/** Events up to 1.21 have no actor: their status and their members tell them apart. */
function eventNamed(event: JsonValue): string | undefined {
  if (!isObject(event)) return undefined
  if (isObject(event['Actor']))
    return `${event['Type']} ${event['Action']} ${JSON.stringify(event['Actor']['Attributes'])}`
  if (typeof event['status'] !== 'string') return undefined
  return `${event['status']} of ${String(event['from'])} ${JSON.stringify(Object.keys(event))}`
}

const LONG = 160
const cut = (text: string | undefined): string =>
  text === undefined ? 'missing' : text.length > LONG ? `${text.slice(0, LONG)}…` : text
