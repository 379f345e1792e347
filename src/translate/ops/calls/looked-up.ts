import { type ErrorCode, ProxyError } from '../../../api/errors.ts'
import type { JsonObject, JsonValue } from '../../../api/json/json.ts'
import { type Shape, walker } from '../../../api/shapes/shape.ts'
import type { ExamplePart, Op, RequestLeg } from '../../change.ts'
import type { ExampleRow } from '../../example.ts'
import type { EmulationContext, EngineAnswer, RequestMessage, ResponseMessage, StepContext } from '../../message.ts'
import { emulated, type Operations } from '../by-hand.ts'
import { saying } from '../refused.ts'
import { type Case, type Circumstances, casesAt, exactly } from '../sample.ts'

interface LookedUpOptions {
  /** Path and query of the call: `/images/json?all=1`. */
  readonly asks: string
  /** The member that an object lacks, or whether it lacks something. */
  readonly lacks: string | ((object: JsonObject, context: EmulationContext) => boolean)
  /**
   * The members that an object gets, from the body of the answer: undefined or an error where the engine refuses. May edit
   * objects inside the object itself.
   */
  readonly finds: (object: JsonObject, found: JsonValue | undefined) => JsonObject
  /** Objects that lack something, the body of the answer, and what the object gets. */
  readonly samples: readonly (readonly [
    object: JsonObject,
    found: JsonValue,
    gets: JsonObject,
    circumstances?: Circumstances | undefined,
  ])[]
}

/** An answer to a further GET: what is refused may count as not there, what fails may not. */
export async function lookUp(path: string, context: EmulationContext): Promise<EngineAnswer> {
  const answer = await context.engineCall('GET', path)
  if (answer.status < 500) return answer
  throw new ProxyError('engine-broke-off', answer.error, { status: answer.status })
}

/** The body of a further call. A client's call asks each only once. */
export async function bodyOf(path: string, context: EmulationContext): Promise<JsonValue | undefined> {
  if (path === '/info') return context.engineInfo()
  const { memory } = context
  if (!memory.has(path)) memory.set(path, (await lookUp(path, context)).body ?? null)
  return memory.get(path)
}

/** The body of a further call that is not essential; undefined where the policy denies it. */
export const bodyIfAllowed = async (path: string, context: EmulationContext): Promise<JsonValue | undefined> =>
  context.allows('GET', path) ? bodyOf(path, context) : undefined

/** The inspect of the container that the path of the call names. */
export const inspectPath = ({ call }: StepContext): string =>
  `/containers/${encodeURIComponent(call.params['name'] ?? '')}/json`

/** Sends a GET before the call, for later steps (`memory`, by its path): records are translated without further calls. */
export const askedFirst = (
  operations: Operations,
  description: string,
  asks: (context: EmulationContext) => string | undefined,
  leg: RequestLeg = 'requestDown',
): Op => {
  const ask = async (_message: RequestMessage, context: EmulationContext): Promise<void> => {
    const path = asks(context)
    if (path !== undefined) await bodyOf(path, context)
  }
  return emulated(operations, description, { part: 'head', [leg]: ask })
}

/** Members that an older engine shows elsewhere: objects of its answers get them from a further call. */
export function lookedUp(shape: Shape, description: string, { asks, lacks, finds, samples }: LookedUpOptions): Op {
  const isLacking = typeof lacks === 'string' ? (object: JsonObject) => !Object.hasOwn(object, lacks) : lacks
  const fill = (path: string) => {
    const walk = walker(path)
    return async ({ body }: ResponseMessage, context: EmulationContext): Promise<void> => {
      const lacking: JsonObject[] = []
      walk(body, (object) => {
        if (isLacking(object, context)) lacking.push(object)
      })
      if (lacking.length === 0) return
      const found = await bodyOf(asks, context)
      for (const object of lacking) Object.assign(object, finds(object, found))
    }
  }
  const places = shape.places.filter(({ side }) => side === 'response')
  const there: Case[] = typeof lacks === 'string' ? [[{ [lacks]: 'x' }, { [lacks]: 'x' }]] : []
  const filled = samples.map(([object, body, gets, circumstances]): Case => {
    const calls = { [`GET ${asks}`]: { body } }
    return [object, { ...object, ...gets }, { calls, ...circumstances }]
  })
  return {
    description: `${places.map(({ operation }) => operation).join(', ')}: ${description} (with further engine calls)`,
    steps: (change) =>
      places.flatMap(({ operation, path }) =>
        emulated(operation, description, { responseUp: fill(path) }).steps(change),
      ),
    examples: (_change, on) => casesAt(shape, 'responseUp', [...filled, ...there], on),
  }
}

type Found = { readonly status?: number; readonly body: JsonValue }

interface RefusedAsFoundOptions {
  /** The object that decides, with the parameters of the call: `/containers/{name}/json`. Undefined: the call passes. */
  readonly asks: string | ((message: RequestMessage, context: EmulationContext) => string | undefined)
  /** The error, with a status if it is not the code's: `500 no such id`; undefined: the call passes. */
  readonly finds: (
    found: EngineAnswer,
    context: EmulationContext,
    message: RequestMessage,
  ) => string | undefined | Promise<string | undefined>
  readonly says: ErrorCode
  /** `asks` looks at the body. */
  readonly part?: 'head' | 'body'
  /** Calls that pass without the further call. */
  readonly unless?: (context: StepContext) => boolean
  /** Default: calls of newer clients, which an older engine would not refuse. */
  readonly legs?: readonly RequestLeg[]
  /** For the examples: the engine's answer about an object named x, with the text of the error. Only where `asks` is a text. */
  readonly samples?: readonly (readonly [found: Found, text: string])[]
  readonly stay?: readonly Found[]
}

/** Calls that engines of the client's version refuse for the state of an object, which is inspected first. */
export function refusedAsFound(
  operations: Operations,
  description: string,
  { asks, finds, says, unless, legs = ['requestDown'], part = 'head', samples = [], stay = [] }: RefusedAsFoundOptions,
): Op {
  const pathFor = (params: Readonly<Record<string, string>>): string =>
    String(asks).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const refuse = async (message: RequestMessage, context: EmulationContext): Promise<void> => {
    if (unless?.(context)) return
    const path = typeof asks === 'string' ? pathFor(context.call.params) : asks(message, context)
    if (path === undefined) return
    const text = await finds(await context.engineCall('GET', path), context, message)
    if (text !== undefined) throw saying(says, text)
  }
  const params = { name: 'x', id: 'x' }
  const row = (answer: Found, after: RegExp | ExamplePart): ExampleRow => [
    {},
    after,
    { params, calls: { [`GET ${pathFor(params)}`]: answer } },
  ]
  const rows = [...samples.map(([found, text]) => row(found, exactly(text))), ...stay.map((found) => row(found, {}))]
  const onLegs = <T>(value: T): { [L in RequestLeg]?: T } => Object.fromEntries(legs.map((leg) => [leg, value]))
  return emulated(operations, description, { part, ...onLegs(refuse) }, () => onLegs(rows))
}
