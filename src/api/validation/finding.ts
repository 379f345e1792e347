import type { EngineFacts } from '../engine-facts.ts'
import { isWithin } from '../version.ts'

/** A part of a request that the specification does not allow at the client's version. */
export interface Finding {
  /** `query all`, `header X-Registry-Auth`, `HostConfig.Binds[0]`; `body` for the whole body. */
  readonly field: string
  /** The requirement, worded to follow the field's name. */
  readonly rule: string
  /** Set if every engine that serves the client's version refuses it and the connected engine would not. */
  readonly refusal: { readonly status: number; readonly text: string } | undefined
}

/**
 * Responses of engines of some versions. `from` and `to` are the versions of clients whose own engine (with that
 * version as its highest) sent it. Only for requests that newer engines serving the version refuse as well: the bridge
 * refuses nothing that 20.10 accepts with the same prefix.
 */
export interface Native {
  readonly from: number
  readonly to: number
  readonly status: number
  readonly text: (value: unknown) => string
  /** The recording or source file that proves it. */
  readonly source: string
  /** The connected engine refuses it itself, so the bridge forwards the call. Absent: it never does. */
  readonly leftTo?: (engine: EngineFacts) => boolean
}

/** A finding before the decision on its refusal, which depends on the connected engine. */
export interface Raw extends Omit<Finding, 'refusal'> {
  readonly native: Native | undefined
  /** The offending value, for messages that quote it. */
  readonly value: unknown
}

/** Suffix of findings about features newer than the client's version. */
export const AND_LATER = ' and later'

export const nativeAt = (natives: readonly Native[], version: number): Native | undefined =>
  natives.find(({ from, to }) => isWithin(version, from, to))

export const whyInWords = ({ field, rule }: Finding): string => `${field} ${rule}`

/**
 * Engines from 1.12 on do not read a start body of at most this many bytes, whatever its content and type (20.10
 * accepts `nonsen`).
 */
export const UNREAD_AT_START = 7
