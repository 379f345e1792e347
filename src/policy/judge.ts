import { posix } from 'node:path'
import { minimatch } from 'minimatch'
import { isObject, type JsonValue } from '../api/json/json.ts'
import { Ambiguous, Members } from './bodies/members.ts'
import type { Bodies, BodyRule } from './file/rules.ts'

/** A rule on bodies that a request breaks, and what is wrong in words. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly rule: string

  constructor(rule: BodyRule | 'ambiguous' | 'unreadable', reason: string) {
    super(reason)
    this.rule = `bodies.${rule}`
  }
}

/**
 * Looks at one request. Everything that is not surely harmless is a violation: a member of an unexpected type, a name
 * that is neither known nor listed. Throws the first.
 */
export class Judge {
  readonly #bodies: Bodies

  constructor(bodies: Bodies) {
    this.#bodies = bodies
  }

  has(rule: BodyRule): boolean {
    return this.#bodies.has(rule)
  }

  allowed(rule: BodyRule): readonly string[] | undefined {
    return this.#bodies.get(rule)
  }

  /** Refuses under a rule that knows only allow and deny. */
  deny(rule: BodyRule, reason: string): void {
    if (this.#bodies.has(rule)) throw new Violation(rule, reason)
  }

  /** Refuses what the rule's list does not hold; `*` stands for anything within a segment of a path. */
  unlessListed(rule: BodyRule, value: string, reason: string): void {
    const allowed = this.#bodies.get(rule)
    if (allowed === undefined || allowed.some((pattern) => matches(value, pattern))) return
    throw new Violation(rule, reason)
  }

  /** Refuses a path of the host outside the list. An entry that ends in `:ro` asks for a read-only mount. */
  hostPath(path: string, readOnly: boolean, what: string): void {
    const allowed = this.#bodies.get('host-mounts')
    if (allowed === undefined) return
    const clean = cleanPath(path)
    const fits = allowed.some((entry) => {
      const [folder, needsReadOnly] = entry.endsWith(':ro') ? [entry.slice(0, -3), true] : [entry, false]
      return clean !== undefined && isWithin(clean, folder) && (readOnly || !needsReadOnly)
    })
    if (!fits) throw new Violation('host-mounts', `${what} mounts ${JSON.stringify(path)} of the host`)
  }

  /** Refuses a path inside a container outside the list. */
  containerPath(path: string): void {
    const allowed = this.#bodies.get('container-paths')
    if (allowed === undefined) return
    const clean = cleanPath(path.startsWith('/') ? path : `/${path}`) // engines read it from the container's root
    if (clean !== undefined && allowed.some((folder) => isWithin(clean, folder))) return
    throw new Violation('container-paths', `the path ${JSON.stringify(path)} is not listed`)
  }
}

/** No image, option or driver has a longer name; several stars in a pattern take a power of its length. */
const LONGEST = 1024

/** `*` stands for anything within a segment, `**` for several. */
export const matches = (value: string, pattern: string): boolean =>
  value === pattern ||
  (value.length <= LONGEST &&
    minimatch(value, pattern, { dot: true, nobrace: true, noext: true, nocomment: true, nonegate: true }))

/** The path that an engine makes of it; undefined for what is no absolute Unix path. */
function cleanPath(path: string): string | undefined {
  if (!path.startsWith('/') || path.includes('\0') || path.includes('\\')) return undefined
  const clean = posix.normalize(path).replace(/\/$/, '')
  return clean === '' ? '/' : clean
}

function isWithin(clean: string, folder: string): boolean {
  const base = cleanPath(folder)
  if (base === undefined) return false
  return clean === base || clean.startsWith(base === '/' ? '/' : `${base}/`)
}

/** Readers of members that refuse what a sloppy engine could read in another way. */
export const read = {
  /** True for everything but a plain no: engines up to 1.7 took `"true"` and 1 as well. */
  flag: (value: JsonValue | undefined): boolean => value !== undefined && value !== null && value !== false,

  text: (value: JsonValue | undefined, what: string): string => {
    if (value === undefined || value === null) return ''
    if (typeof value !== 'string') throw new Violation('unreadable', `${what} is no text`)
    return value
  },

  /** Engines take one text for a list of one in some places and versions. */
  list: (value: JsonValue | undefined, what: string): readonly JsonValue[] => {
    if (value === undefined || value === null) return []
    if (typeof value === 'string') return value === '' ? [] : [value]
    if (!Array.isArray(value)) throw new Violation('unreadable', `${what} is no list`)
    return value
  },

  texts: (value: JsonValue | undefined, what: string): readonly string[] =>
    read.list(value, what).map((one) => read.text(one, what)),

  object: (value: JsonValue | undefined, what: string): Members | undefined => {
    if (value === undefined || value === null) return undefined
    if (!isObject(value)) throw new Violation('unreadable', `${what} is no object`)
    return new Members(value)
  },

  objects: (value: JsonValue | undefined, what: string): readonly Members[] =>
    read.list(value, what).flatMap((one) => read.object(one, what) ?? []),

  /** A map of texts. */
  options: (value: JsonValue | undefined, what: string): ReadonlyMap<string, string> => {
    const entries = [...(read.object(value, what)?.map() ?? [])]
    return new Map(entries.map(([key, one]) => [key, read.text(one, `${what}.${key}`)]))
  },
}

/** Runs `look` and turns what cannot be read for sure into a violation. */
export function judged(look: () => void): Violation | undefined {
  try {
    look()
    return undefined
  } catch (cause) {
    if (cause instanceof Violation) return cause
    if (cause instanceof Ambiguous) return new Violation('ambiguous', cause.message)
    throw cause
  }
}
