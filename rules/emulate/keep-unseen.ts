import { ProxyError } from '../../src/api/errors.ts'
import {
  isObject,
  isUnset,
  type JsonValue,
  memberAt,
  numberText,
  parseJson,
  setMember,
  writeJson,
} from '../../src/api/json/json.ts'
import { operationNames, shownBefore } from '../../src/api/operations.ts'
import type { Shape } from '../../src/api/shapes/shape.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { emulated } from '../../src/translate/ops/by-hand.ts'
import { move, type Op } from '../../src/translate/ops.ts'

/**
 * An update replaces a whole spec. A client that reads a spec, edits it and writes it back would remove members that its
 * version does not show: secrets, a read-only root, the lock of a swarm. Makes an op for the updates of all objects that
 * contain one of the shapes.
 */
export function keepsUnseen(shapes: readonly Shape[]): Op[] {
  const shown = shapes.flatMap(({ places }) => places.map(({ operation }) => operation))
  const operations = operationNames.filter((name) => shown.some((operation) => operation === shownBefore[name]))
  if (operations.length === 0) return []
  return [emulated(operations, 'members that the client’s version does not show are kept', { requestUp: keepUnseen })]
}

const DONE = 'keep-unseen'

/** The engine ignores the body of an update then. */
export const isRollback = (query: URLSearchParams): boolean => query.get('rollback') === 'previous'

/** Runs once per call, even if several changes have it: translateResponse applies all of them. */
async function keepUnseen({ path, query, body }: RequestMessage, context: EmulationContext): Promise<void> {
  const { operation, memory } = context
  const showing = shownBefore[operation]
  if (showing === undefined || memory.has(DONE) || !isObject(body)) return
  memory.set(DONE, true)
  if (isRollback(query)) return
  const { status, body: current, error } = await context.engineCall('GET', path.replace(/\/update$/, ''))
  if (status >= 400 && status < 500) return // not found: the update will report it
  if (status === 503) throw new ProxyError('validation', error, { status }) // no swarm, or one without a leader
  if (status !== 200 || !isObject(current))
    throw new ProxyError(
      'loss',
      `what this version does not show of it cannot be kept, for the engine does not tell it: ${error}`,
    )
  // Another version is refused: `update out of sequence` (swarmkit, manager/controlapi).
  const version = memberAt(current['Version'], 'Index')
  if (numberText(version) !== query.get('version')) return
  // Without newer members, even if the client is shown them: it may not know them.
  const shown = context.translateResponse(showing, parseJson(writeJson(current)), 'drop')
  if (!isObject(shown)) return
  // 1.25/service-networks has moved those of the update.
  if (memberAt(current, 'Spec', 'Networks') === undefined) move('Spec.Networks', 'Spec.TaskTemplate.Networks')(shown)
  merge(current['Spec'], shown['Spec'], body)
}

/** Adds to `sent` the members of `current` that were not `shown` to the client. */
function merge(current: JsonValue | undefined, shown: JsonValue | undefined, sent: JsonValue | undefined): void {
  if (!isObject(current) || !isObject(shown) || !isObject(sent)) return
  for (const [name, value] of Object.entries(current)) {
    const before = shown[name]
    const after = sent[name]
    if (after === undefined) {
      if (before === undefined && value !== undefined) setMember(sent, name, value)
    } else if (Array.isArray(value) && Array.isArray(before) && Array.isArray(after))
      mergeElements(value, before, after)
    else merge(value, before, after)
  }
}

/** Restores elements that the client sent unchanged, and merges those of the same name. */
function mergeElements(current: readonly JsonValue[], shown: readonly JsonValue[], sent: JsonValue[]): void {
  if (current.length !== shown.length) return
  const left = new Set(shown.keys())
  const unchanged = Map.groupBy([...left].reverse(), (at) => essenceText(shown[at]))
  const others: JsonValue[] = []
  for (const [i, element] of sent.entries()) {
    const same = unchanged.get(essenceText(element))?.pop()
    if (same === undefined) {
      others.push(element)
      continue
    }
    left.delete(same)
    sent[i] = current[same] ?? null
  }
  const named = Map.groupBy(left, (at) => nameOf(shown[at]))
  for (const element of others) {
    const name = nameOf(element)
    const alike = name === undefined ? undefined : named.get(name)
    const at = alike?.length === 1 ? alike.pop() : undefined
    if (at !== undefined) merge(current[at], shown[at], element)
  }
}

/** The same text whatever the order of members: clients write their own, and omit unset ones. */
function essenceText(value: JsonValue | undefined): string {
  if (Array.isArray(value))
    return value.length === 0 ? '' : `[${value.map((one) => essenceText(one) || 'null').join()}]`
  if (!isObject(value)) return isUnset(value) ? '' : writeJson(value ?? null)
  const members = Object.keys(value).map((name) => [JSON.stringify(name), essenceText(value[name])] as const)
  const set = members.filter(([, text]) => text !== '').map((member) => member.join(':'))
  return set.length === 0 ? '' : `{${set.sort().join()}}`
}

/** The target of a mount, a network or a secret, or the port in the container. */
function nameOf(element: JsonValue | undefined): string | undefined {
  if (!isObject(element)) return undefined
  const { Target, TargetPort, Protocol } = element
  if (Target !== undefined) return writeJson(Target)
  return TargetPort === undefined ? undefined : `${writeJson(TargetPort)}/${writeJson(Protocol ?? 'tcp')}`
}
