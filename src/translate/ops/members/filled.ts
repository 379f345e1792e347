import type { JsonValue } from '../../../api/json/json.ts'
import type { Shape } from '../../../api/shapes/shape.ts'
import type { Op } from '../../change.ts'
import { type Derived, derive, type Edit, everywhere, isPlain, named } from '../everywhere.ts'
import { type Case, casesAt } from '../sample.ts'

/** A member that is there, and not null, from this version on (`responseUp`), or was up to it (`responseDown`). */
export function filled(
  shape: Shape,
  member: string,
  value: Derived,
  { legs = ['responseDown'] }: { readonly legs?: readonly ('responseDown' | 'responseUp')[] } = {},
): Op {
  const fill: Edit = (object, context, whole) => {
    const wanted = derive(value, object, context, whole)
    if (wanted !== undefined) object[member] ??= wanted
  }
  const cases: Case[] = isPlain(value)
    ? [{}, { [member]: null }].map((before): Case => [before, { [member]: value }])
    : []
  const there = { [member]: 'said' }
  return {
    words: `${named(shape, member)} is always there`,
    adds: { shape: shape.name, member },
    steps: () => legs.flatMap((leg) => everywhere(shape, leg, fill)),
    examples: (_change, on) => legs.flatMap((leg) => casesAt(shape, leg, [...cases, [there, there]], on)),
  }
}

/** A member that is left out from this version on where it has this value, or up to it (`before`). */
export function leftOut(
  shape: Shape,
  member: string,
  empty: JsonValue,
  { before = false }: { readonly before?: boolean } = {},
): Op {
  const omit: Edit = (object) => {
    if (object[member] === empty) delete object[member]
  }
  const [without, within] = before
    ? (['responseDown', 'responseUp'] as const)
    : (['responseUp', 'responseDown'] as const)
  const fill = filled(shape, member, empty, { legs: [within] })
  const cases: Case[] = [
    [{ [member]: empty }, {}],
    [{ [member]: 'said' }, { [member]: 'said' }],
  ]
  return {
    words: `${named(shape, member)} is left out when ${before ? 'unset, before' : 'unset'}`,
    adds: { shape: shape.name, member },
    steps: (change) => [...everywhere(shape, without, omit), ...fill.steps(change)],
    examples: (change, on) => [...casesAt(shape, without, cases, on), ...(fill.examples?.(change, on) ?? [])],
  }
}
