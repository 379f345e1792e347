import { isDeepStrictEqual } from 'node:util'
import { ProxyError } from '../../src/api/errors.ts'
import {
  essence,
  isObject,
  type JsonObject,
  type JsonValue,
  numberText,
  parseJson,
  setMember,
  writeJson,
} from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import type { Shape } from '../../src/api/shapes/shape.ts'
import type { Op } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { emulated } from '../../src/translate/ops.ts'

/** What is replaced as a whole, and what shows it. */
const REPLACED = {
  ServiceUpdate: 'ServiceInspect',
  SwarmUpdate: 'SwarmInspect',
  SecretUpdate: 'SecretInspect',
  ConfigUpdate: 'ConfigInspect',
} as const satisfies Partial<Record<OperationName, OperationName>>
type Replacing = keyof typeof REPLACED
const replacing = Object.keys(REPLACED) as Replacing[]

/**
 * An update replaces the whole of a spec. Whoever reads one, changes it and writes it back would take out what its version
 * does not show: secrets, a read-only root, the lock of a swarm. For the updates of what these shapes are shown in.
 */
export function keepsUnseen(shapes: readonly Shape[]): Op[] {
  const shown = new Set(shapes.flatMap(({ places }) => places.map(({ operation }) => operation)))
  const operations = replacing.filter((operation) => shown.has(REPLACED[operation]))
  if (operations.length === 0) return []
  return [emulated(operations, 'what the client is not shown stays as it is', { requestUp: keepUnseen })]
}

const DONE = 'keep-unseen'

/** Once for a call, whichever changes have it: what is shown is what all of them leave. */
async function keepUnseen({ path, query, body }: RequestMessage, context: EmulationContext): Promise<void> {
  const { operation, memory } = context
  if (!isReplacing(operation) || memory.has(DONE) || !isObject(body)) return
  memory.set(DONE, true)
  if (query.get('rollback')) return // the engine looks at no body then
  const { status, body: current, error } = await context.engineCall('GET', path.replace(/\/update$/, ''))
  if (status >= 400 && status < 500) return // not there, or no swarm: the engine will say so of the update too
  if (status !== 200 || !isObject(current))
    throw new ProxyError(
      'loss',
      `what this version does not show of it cannot be kept, for the engine does not tell it: ${error}`,
    )
  // Of another version it is refused: `update out of sequence` (swarmkit, manager/controlapi).
  const version = isObject(current['Version']) ? current['Version']['Index'] : undefined
  if (numberText(version) !== query.get('version')) return
  const seen = context.translateResponse(REPLACED[operation], copied(current))
  if (isObject(seen)) merge(current['Spec'], seen['Spec'], body)
}

const copied = (value: JsonObject): JsonValue => parseJson(writeJson(value))

const isReplacing = (operation: OperationName): operation is Replacing => operation in REPLACED

/** Gives `said` what `is` has and `seen` has not. */
function merge(is: JsonValue | undefined, seen: JsonValue | undefined, said: JsonValue | undefined): void {
  if (!isObject(is) || !isObject(seen) || !isObject(said)) return
  for (const [name, value] of Object.entries(is)) {
    const saw = seen[name]
    const says = said[name]
    if (says === undefined) {
      if (saw === undefined && value !== undefined) setMember(said, name, value)
    } else if (Array.isArray(value) && Array.isArray(saw) && Array.isArray(says)) mergeElements(value, saw, says)
    else merge(value, saw, says)
  }
}

/** Those that were left as they were seen, and those that are the same thing by their name. */
function mergeElements(is: readonly JsonValue[], seen: readonly JsonValue[], said: JsonValue[]): void {
  if (is.length !== seen.length) return
  const left = new Set(is.keys())
  const others: JsonValue[] = []
  for (const [i, element] of said.entries()) {
    // Clients leave out what is not set when they write.
    const same = [...left].find((at) => isDeepStrictEqual(essence(seen[at]), essence(element)))
    if (same === undefined) {
      others.push(element)
      continue
    }
    left.delete(same)
    said[i] = is[same] ?? null
  }
  for (const element of others) {
    const name = nameOf(element)
    const alike = name === undefined ? [] : [...left].filter((at) => nameOf(seen[at]) === name)
    const [at] = alike
    if (at === undefined || alike.length > 1) continue
    left.delete(at)
    merge(is[at], seen[at], element)
  }
}

/** Where a mount, a network, a secret goes; the port in the container. */
function nameOf(element: JsonValue | undefined): string | undefined {
  if (!isObject(element)) return undefined
  const { Target, TargetPort, Protocol } = element
  if (Target !== undefined) return writeJson(Target)
  return TargetPort === undefined ? undefined : `${writeJson(TargetPort)}/${writeJson(Protocol ?? 'tcp')}`
}
