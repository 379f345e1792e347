import { posix } from 'node:path'
import { minimatch } from 'minimatch'
import { isObject, type JsonValue } from '../api/json/json.ts'
import { Members, Violation } from './bodies/members.ts'
import type { Bodies, BodyRule } from './file/rules.ts'

/**
 * Judges a request: anything not known to be harmless is a violation, including unexpected types and unknown members.
 * Throws the first violation.
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

  /** Throws a Violation if the rule is in force. */
  deny(rule: BodyRule, reason: string): void {
    if (this.#bodies.has(rule)) throw new Violation(rule, reason)
  }

  /** Denies values that the rule's list does not have; `*` matches within a segment of a path. */
  unlessListed(rule: BodyRule, value: string, reason: string): void {
    const allowed = this.#bodies.get(rule)
    if (!allowed?.some((pattern) => matches(value, pattern))) this.deny(rule, reason)
  }

  /** Denies host paths outside the list. An entry ending in `:ro` allows read-only mounts. */
  hostPath(path: string, readOnly: boolean, what: string): void {
    const folders = (this.#bodies.get('host-mounts') ?? []).flatMap((entry) => {
      if (!entry.endsWith(':ro')) return entry
      return readOnly ? entry.slice(0, -':ro'.length) : []
    })
    if (!isWithin(path, folders)) this.deny('host-mounts', `${what} mounts ${JSON.stringify(path)} of the host`)
  }

  /** Denies container paths outside the list. */
  containerPath(path: string): void {
    const absolute = path.startsWith('/') ? path : `/${path}` // engines resolve it from the container's root
    if (!isWithin(absolute, this.#bodies.get('container-paths') ?? []))
      this.deny('container-paths', `the path ${JSON.stringify(path)} is not listed`)
  }
}

/** Above the length of any name. Patterns with several stars take polynomial time; seccomp profiles are long. */
const LONGEST = 1024

/** `*` matches within a segment, `**` across segments. */
export const matches = (value: string, pattern: string): boolean =>
  value === pattern ||
  ((value.length <= LONGEST || pattern.indexOf('*') === pattern.lastIndexOf('*')) &&
    minimatch(value, pattern, { dot: true, nobrace: true, noext: true, nocomment: true, nonegate: true }))

/** Normalizes a path like engines; undefined unless it is an absolute Unix path. */
function cleanPath(path: string): string | undefined {
  if (!path.startsWith('/') || path.includes('\0') || path.includes('\\')) return undefined
  const clean = posix.normalize(path).replace(/\/$/, '')
  return clean === '' ? '/' : clean
}

function isWithin(path: string, folders: readonly string[]): boolean {
  const clean = cleanPath(path)
  if (clean === undefined) return false
  return folders
    .map(cleanPath)
    .some((base) => base !== undefined && `${clean}/`.startsWith(base === '/' ? '/' : `${base}/`))
}

/** Typed reads that deny values a lenient engine could interpret differently. */
export const read = {
  /** Anything but absent, null or false: engines up to 1.7 also accept `"true"` and 1. */
  flag: (value: JsonValue | undefined): boolean => value !== undefined && value !== null && value !== false,

  text: (value: JsonValue | undefined, what: string): string => {
    if (value === undefined || value === null) return ''
    if (typeof value !== 'string') throw new Violation('unreadable', `${what} is not a string`)
    return value
  },

  /** In places engines accept a string as a list of one. */
  list: (value: JsonValue | undefined, what: string): readonly JsonValue[] => {
    if (value === undefined || value === null) return []
    if (typeof value === 'string') return value === '' ? [] : [value]
    if (!Array.isArray(value)) throw new Violation('unreadable', `${what} is not a list`)
    return value
  },

  texts: (value: JsonValue | undefined, what: string): readonly string[] =>
    read.list(value, what).map((one) => read.text(one, what)),

  object: (value: JsonValue | undefined, what: string): Members | undefined => {
    if (value === undefined || value === null) return undefined
    if (!isObject(value)) throw new Violation('unreadable', `${what} is not an object`)
    return new Members(value)
  },

  objects: (value: JsonValue | undefined, what: string): readonly Members[] =>
    read.list(value, what).flatMap((one) => read.object(one, what) ?? []),

  /** A map of strings. */
  options: (value: JsonValue | undefined, what: string): ReadonlyMap<string, string> => {
    const entries = read.object(value, what)?.entries ?? []
    return new Map(entries.map(([key, one]) => [key, read.text(one, `${what}.${key}`)]))
  },
}
