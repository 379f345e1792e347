import { ProxyError } from '../../../api/errors.ts'
import type { JsonObject } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { BoundChange, Op, PlacedStep } from '../../change.ts'
import type { StepContext } from '../../message.ts'
import { type Edit, everywhere, named } from '../everywhere.ts'
import { type Case, casesAt, literally, refusalOf } from '../sample.ts'

export interface RefusedWhereOptions {
  /** Names the part of an object that an older engine cannot do; undefined if there is none. */
  readonly finds: (object: JsonObject, context: StepContext) => string | undefined
  /** The newer engines' error for it, where they refuse it, too; by default the refusal of a loss. */
  readonly says?: (found: string) => string
  /** Objects that are refused, with what the refusal names. */
  readonly samples: readonly (readonly [object: JsonObject, what: string])[]
  /** Objects that stay. */
  readonly stay?: readonly JsonObject[]
}

/**
 * Refuses a newer client's objects that an older engine cannot honour, or would not check, where a single member's presence
 * does not tell.
 */
export function refusedWhere(
  shape: Shape,
  words: string,
  { finds, says, samples, stay = [] }: RefusedWhereOptions,
): Op {
  const steps = (change: BoundChange): PlacedStep[] =>
    everywhere(shape, 'requestDown', (object, context) => {
      const what = finds(object, context)
      if (what === undefined) return
      if (says !== undefined) throw new ProxyError('validation', says(what))
      context.lose({ what, needs: change.from, change: change.id, onLoss: 'refuse' })
    })
  return {
    words: `${shape.name}: ${words}`,
    ...(says === undefined ? { loss: { what: words, onLoss: ['refuse'] } } : {}),
    steps,
    examples: (change, on) => {
      const refusal = (what: string): RegExp =>
        says === undefined ? refusalOf(what, { version: change.from }) : new RegExp(`^${literally(says(what))}$`)
      const refused = samples.map(([object, what]): Case => [object, refusal(what)])
      return casesAt(shape, 'requestDown', [...refused, ...stay.map((object): Case => [object, object])], on)
    },
  }
}

/**
 * Values of a member that exist from this version on; `container:…` is every value that begins so. A newer client's request
 * with one is refused on an older engine, in the `words` of that engine where they are given.
 */
export function valueAdded(
  shape: Shape,
  member: string,
  values: readonly string[],
  { words }: { readonly words?: (value: string) => string } = {},
): Op {
  const of = (value: string): string => `${named(shape, member)} ${value}`
  const matches = (value: string, wanted: string): boolean =>
    wanted.endsWith('…') ? value.startsWith(wanted.slice(0, -1)) : value === wanted
  const steps = (change: BoundChange): PlacedStep[] => {
    const refuse: Edit = (object, context) => {
      const value = object[member]
      const found = typeof value === 'string' ? values.find((wanted) => matches(value, wanted)) : undefined
      if (found === undefined) return
      if (words !== undefined) throw new ProxyError('loss', words(found))
      context.lose({ what: of(found), needs: change.version, change: change.id, onLoss: 'refuse' })
    }
    return everywhere(shape, 'requestDown', refuse)
  }
  const list = values.map(of).join(', ')
  return {
    words: `${list}: new`,
    adds: { shape: shape.name, member },
    loss: { what: list, onLoss: ['refuse'] },
    steps,
    examples: (change, on) => {
      const refused = values.map((value): Case => {
        const text = words === undefined ? refusalOf(of(value), change) : new RegExp(`^${literally(words(value))}$`)
        return [{ [member]: value.replace('…', 'x') }, text]
      })
      return casesAt(shape, 'requestDown', [...refused, [{ [member]: 'other' }, { [member]: 'other' }]], on)
    },
  }
}
