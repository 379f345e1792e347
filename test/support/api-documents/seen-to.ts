import type { JsonValue } from '../../../src/api/json/json.ts'
import type { OperationName } from '../../../src/api/operations.ts'
import { answered, asked, kind } from './bridge.ts'
import { type Difference, published } from './published.ts'
import { sampleAt, sampleOnly, valueAt } from './sample.ts'

/** Whether the rules treat a difference as the documents do. `rulesSay`: the minor version in which it came by the rules. */
export type Verdict = 'agrees' | 'not seen to' | { readonly rulesSay: number }

const FIRST = 18

/** Translates a body that has the difference between the versions on either side of it. */
export function verdictOn(difference: Difference): Verdict {
  const { before, after } = difference
  if (before === undefined) return came(difference)
  const seen = after === undefined ? isMadeUpFor(difference) : isRetyped(difference)
  return seen ? 'agrees' : 'not seen to'
}

/** Compares the first version that has the path by the rules with the documents'. */
function came(difference: Difference): Verdict {
  const since = difference.part === 'response' ? readSince : takenSince
  const own = since(difference, difference.path)
  const holder = difference.path.split('.').slice(0, -1).join('.')
  const held =
    difference.part === 'endpoint' ? FIRST : since({ ...difference, part: holderPart(difference) }, holder, true)
  if (own === held && own !== difference.minor) return 'not seen to'
  return own === difference.minor ? 'agrees' : { rulesSay: own }
}

const holderPart = ({ part }: Difference): Difference['part'] => (part === 'query' ? 'endpoint' : part)

/** The oldest client that gets the path in an answer of an engine of the difference's version. */
function readSince({ operation, minor }: Difference, path: string): number {
  const answers = answersOf(operation, minor)
  const first = answers.findIndex((answer) => valueAt(answer, path) !== undefined)
  return FIRST + (first === -1 ? answers.length : first)
}

type Answers = readonly (JsonValue | undefined)[]
const known = new WeakMap<ReadonlyMap<string, string>, Answers>()

/** The answer to each client version from FIRST to the engine's; translated once for all differences of an operation. */
function answersOf(operation: OperationName, engine: number): Answers {
  const facts = published(engine).get(operation)?.response ?? new Map<string, string>()
  let answers = known.get(facts)
  if (answers === undefined) {
    const body = sampleAt(facts, '')
    if (body === undefined) throw new Error(`the document of 1.${engine} has no answer to ${operation}`)
    const clients = Array.from({ length: engine - FIRST + 1 }, (_, i) => FIRST + i)
    answers = clients.map((client) => answered({ operation, client, engine }, body))
    known.set(facts, answers)
  }
  return answers
}

/** The oldest engine that gets the path in a request of a client of the difference's version. */
function takenSince(difference: Difference, path: string, holds = false): number {
  for (let engine = FIRST; engine <= difference.minor; engine++)
    if (isTaken(difference, path, difference.minor, engine, holds)) return engine
  return difference.minor + 1
}

function isTaken(
  { operation, part, minor }: Difference,
  path: string,
  client: number,
  engine: number,
  holds = false,
): boolean {
  const between = { operation, client, engine }
  if (part === 'endpoint') return asked(between, '') !== undefined
  if (part === 'query') return asked(between, `${path}=x`)?.query.has(path) ?? false
  const facts = published(minor).get(operation)?.request ?? new Map()
  // An object or list counts as sent even if it is empty.
  const empty = facts.get(path)?.startsWith('array') ? [] : {}
  const sent = asked(between, '', sampleOnly(facts, path, holds ? empty : undefined))
  return sent !== undefined && (path === '' || valueAt(sent.body, path) !== undefined)
}

/** An older client gets the member that newer engines leave out; a newer engine does not get the one that only older engines accept. */
function isMadeUpFor(difference: Difference): boolean {
  const { operation, part, path, minor } = difference
  if (part !== 'response') return !isTaken({ ...difference, minor: minor - 1 }, path, minor - 1, minor)
  const body = sampleAt(published(minor).get(operation)?.response ?? new Map(), '') ?? {}
  return valueAt(answered({ operation, client: minor - 1, engine: minor }, body), path) !== undefined
}

const KINDS: Readonly<Record<string, string>> = { int: 'number', bool: 'boolean', map: 'object' }

function isRetyped({ operation, part, path, minor, before = '', after = '' }: Difference): boolean {
  const between = { operation, client: minor - 1, engine: minor }
  if (part === 'response') {
    const body = sampleAt(published(minor).get(operation)?.response ?? new Map(), '') ?? {}
    return kind(valueAt(answered(between, body), path)) === (KINDS[before] ?? before)
  }
  const body = sampleOnly(published(minor - 1).get(operation)?.request ?? new Map(), path)
  return kind(valueAt(asked(between, '', body)?.body, path)) === (KINDS[after] ?? after)
}
