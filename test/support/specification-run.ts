import { changes, deviations } from '../../rules/index.ts'
import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { operationNamed } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { type ApiVersion, apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { EmulationContext, TranslationPolicy } from '../../src/translate/message.ts'
import { Plans } from '../../src/translate/plans.ts'
import { runWithoutEngine } from '../../src/translate/run/steps.ts'
import { asWritten } from './as-written.ts'
import { type Field, holdsIn, LAST, type Place, specification } from './specification.ts'
import { contextWith, linux } from './step-context.ts'

const policy: TranslationPolicy = { newerFields: 'drop', losses: 'warn', profile: 'spec', announce: undefined }
const plans = new Plans({ changes: [...changes, ...deviations], shapes }, policy)

/** An engine of today that no longer speaks any version of the specification. */
const TARGET = apiVersion(44)
const HIGHEST = apiVersion(51)

/** The engine's names of members for which the specification has neutral ones. */
const WIRE: Readonly<Record<string, string>> = { EngineRootDir: 'DockerRootDir', EngineVersion: 'DockerVersion' }

const SAMPLE: Record<Field['type'], JsonValue> = { string: 'x', int: 5, bool: true, array: [], map: {}, object: {} }
const SPECIAL: Readonly<Record<string, JsonValue>> = {
  networks: { eth0: { rx_bytes: 1 } },
  Type: 'container',
  status: 'start',
  Action: 'start',
  Actor: { ID: 'c1', Attributes: {} },
}

export const sample = ({ name, type }: Field): JsonValue => structuredClone(SPECIAL[name] ?? SAMPLE[type])

/** Makes the object at a path of a message, and returns it: `[]` is a single element, `{}` a single value. */
function made(root: JsonObject, path: string): JsonObject {
  let object = root
  const steps = path === '' ? [] : path.split('.')
  for (const [i, step] of steps.entries()) {
    const list = steps[i + 1] === '[]'
    if (step === '[]') continue
    const name = step === '{}' ? 'bridge' : step
    let next = object[name]
    if (list) {
      if (!Array.isArray(next) || next.length === 0) next = object[name] = [{}]
      next = next[0]
    } else if (!isObject(next)) next = object[name] = {}
    if (isObject(next)) object = next
  }
  return object
}

/** The object at a path of a message, or undefined. */
export function at(body: JsonValue | undefined, path: string): JsonObject | undefined {
  let value = body
  for (const step of path === '' ? [] : path.split('.')) {
    if (Array.isArray(value)) value = value[0]
    else if (isObject(value) && step !== '[]') value = step === '{}' ? Object.values(value)[0] : value[step]
  }
  return isObject(value) ? value : undefined
}

/** A full answer of today's engine, with every member that the last version of the specification has. */
function body(operation: OperationName): JsonValue {
  const root: JsonObject = {}
  let list = false
  for (const { places, fields } of specification.fields)
    for (const place of places.filter((one) => one.operation === operation && one.side === 'response')) {
      const path = place.path.replace(/^\[\]\.?/, '')
      list ||= path !== place.path
      const object = made(root, path)
      for (const field of fields.filter((one) => holdsIn(one, LAST)))
        object[WIRE[field.name] ?? field.name] ??= sample(field)
    }
  return list ? [root] : root
}

function contextOf(operation: OperationName, client: ApiVersion): EmulationContext {
  return contextWith({
    ...{ operation, client, target: TARGET, engine: { ...linux(HIGHEST, TARGET), release: '28.5.2' }, policy },
    call: { params: { name: 'c', id: 'e' }, query: new URLSearchParams('size=1&digests=1') },
    engineCall: async () => ({ status: 200, headers: new Headers(), body: { Id: 'c1' }, error: '' }),
  })
}

/** The answer that a client gets. */
export async function answered(operation: OperationName, client: ApiVersion): Promise<JsonValue | undefined> {
  const { response } = plans.get(operation, { client, target: TARGET, highest: HIGHEST })
  const context = contextOf(operation, client)
  const message = { status: 200, headers: new Headers(), body: body(operation) }
  for (const step of [...response.head, ...response.body]) await step.run(message, context)
  return asWritten(message.body)
}

/** The value of one field that the engine gets of a client's request; undefined if the call is refused. */
export async function asked(place: Place, field: Field, client: ApiVersion): Promise<JsonValue | undefined> {
  const { request } = plans.get(place.operation, { client, target: TARGET, highest: HIGHEST })
  const { method, path } = operationNamed(place.operation)
  const root: JsonObject = {}
  made(root, place.path)[field.name] = sample(field)
  const message = {
    method,
    path,
    params: {},
    query: new URLSearchParams(),
    headers: new Headers(),
    body: root as JsonValue,
  }
  try {
    runWithoutEngine(request.steps, message, contextOf(place.operation, client))
  } catch (cause) {
    if (cause instanceof ProxyError) return undefined
    throw cause
  }
  return message.body
}
