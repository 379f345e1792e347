import type { EngineFacts } from '../engine-facts.ts'
import { isWithin } from '../version.ts'

/** Something in a request that the specification does not allow at the client's version. */
export interface Finding {
  /** `query all`, `header X-Registry-Auth`, `HostConfig.Binds[0]`; `body` for the whole of it. */
  readonly field: string
  /** What it has to be, in words that follow the field. */
  readonly rule: string
  /** Set when every engine that serves the client's version refuses it and the engine behind would not. */
  readonly refusal: { readonly status: number; readonly text: string } | undefined
}

/**
 * How engines of some versions answer. `from` and `to` are the versions of the client whose own engine (the one with that
 * version as its highest) did so. Only for what newer engines that serve the version refuse as well: nobody is refused by
 * the bridge what 20.10 lets pass at the same prefix.
 */
export interface Native {
  readonly from: number
  readonly to: number
  readonly status: number
  readonly text: (value: unknown) => string
  /** The recording or source file that says so. */
  readonly source: string
  /** Whether the engine behind refuses it by itself: then it is left to it. Without this it never does. */
  readonly leftTo?: (engine: EngineFacts) => boolean
}

/** A finding whose refusal is not decided yet: it depends on the engine behind. */
export interface Raw extends Omit<Finding, 'refusal'> {
  readonly native: Native | undefined
  /** What was found, for the texts that quote it. */
  readonly value: unknown
}

/** How findings end that are about what is merely newer than the client's version. */
export const AND_LATER = ' and later'

export const nativeAt = (natives: readonly Native[], version: number): Native | undefined =>
  natives.find(({ from, to }) => isWithin(version, from, to))

export const whyInWords = ({ field, rule }: Finding): string => `${field} ${rule}`

/** Engines from 1.12 on do not read a start's body of so few bytes, whatever it is and is called (20.10 takes `nonsen`). */
export const UNREAD_AT_START = 7
