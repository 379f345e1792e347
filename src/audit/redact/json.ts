import {
  asJson,
  isObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  mapMembers,
  setMember,
} from '../../api/json/json.ts'
import { foldName } from '../../api/json/names.ts'
import { MAX_DEPTH, readFirst } from '../../api/json/reader.ts'
import { isSecret, namesSecret, REDACTED, scrub, takesSecret } from './text.ts'

/** Redaction by policy, in addition to names and patterns. */
export interface Redaction {
  /** Additional secret label names. */
  readonly label: (name: string) => boolean
}

export const usual: Redaction = { label: () => false }

/** How the texts and bodies of a call are redacted. */
export interface Redacting {
  /** Decides which parameters are known and which members are payloads. */
  readonly operation: string | undefined
  /** Receives the secrets that are found, for texts that quote them. */
  readonly secrets: Set<string>
  readonly redaction: Redaction
}

/** Operations with payloads in `Data`. */
const PAYLOADS = /^(?:Secret|Config)/

/** Copies a body without its secrets. Names match case-insensitively, as in Go's encoding/json. */
export function redactJson(value: JsonValue, how: Redacting): JsonValue {
  const walk = new Walk(how)
  // PluginSet's body is a list of NAME=value
  return how.operation === 'PluginSet' ? walk.environment(value) : walk.value(value)
}

class Walk {
  readonly #how: Redacting

  constructor(how: Redacting) {
    this.#how = how
  }

  value(value: JsonValue): JsonValue {
    if (typeof value === 'string') return scrub(value)
    if (Array.isArray(value)) return this.#list(value)
    return isObject(value) ? this.#object(value) : value
  }

  #list(list: readonly JsonValue[]): JsonValue[] {
    const ofCurl = list.some((element) => typeof element === 'string' && /(?:^|\/)curl$/.test(element))
    return list.map((element, i) => {
      const before = list[i - 1]
      const secret = typeof element === 'string' && typeof before === 'string' && takesSecret(before, element, ofCurl)
      return secret ? this.all(element) : this.value(element)
    })
  }

  #object(object: JsonObject): JsonObject {
    const copy: JsonObject = {}
    for (const [name, value] of Object.entries(object)) {
      // Member names can be data: `Labels`, `ExposedPorts`, or a whole body that a client sent as a name.
      if (value !== undefined) setMember(copy, scrub(name), this.#member(name, value))
    }
    return copy
  }

  #member(name: string, value: JsonValue): JsonValue {
    switch (foldName(name)) {
      case 'env':
      case 'envs':
      case 'envmerge': // Podman's create
        return this.environment(value)
      case 'buildargs':
        return this.all(value)
      case 'label': // in filters
      case 'labels':
        return this.#labels(value)
      case 'data':
        return PAYLOADS.test(this.#how.operation ?? '') ? this.all(value) : this.value(value)
      default:
        return isSecret(name, value) ? this.all(value) : this.value(value)
    }
  }

  /** Redacts values, not names: a list of NAME=value, of objects with `Value` (plugins), or a map. */
  environment(value: JsonValue): JsonValue {
    if (!Array.isArray(value)) return this.all(value)
    return value.map((one) => {
      if (typeof one === 'string') return this.#assignment(one)
      if (!isObject(one)) return this.all(one)
      return mapMembers(one, (member, name) =>
        /^(?:name|description|settable)$/i.test(name) ? this.value(member) : this.all(member),
      )
    })
  }

  #assignment(text: string): string {
    const equals = text.indexOf('=')
    if (equals === -1) return text // unset, or inherited from the daemon: only a name
    this.#how.secrets.add(text.slice(equals + 1))
    return `${text.slice(0, equals)}=${REDACTED}`
  }

  /** A map, a list of `name=value`, or the keys of a filter. */
  #labels(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#label(value)
    if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? this.#label(one) : this.value(one)))
    if (!isObject(value)) return this.value(value)
    const copy: JsonObject = {}
    for (const [name, of] of Object.entries(value)) {
      if (of === undefined) continue
      const secret = isSecret(name, of) || this.#how.redaction.label(name)
      setMember(copy, this.#label(name), secret && typeof of !== 'boolean' ? this.all(of) : this.value(of))
    }
    return copy
  }

  #label(text: string): string {
    const equals = text.indexOf('=')
    const name = equals === -1 ? text : text.slice(0, equals)
    if (equals === -1 || !(namesSecret(name) || this.#how.redaction.label(name))) return scrub(text)
    return this.#assignment(text)
  }

  /** Redacts all strings; keeps structure and names. */
  all(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((element) => this.all(element))
    if (isObject(value)) return mapMembers(value, (member) => this.all(member))
    if (typeof value === 'string' && value !== '') {
      this.#how.secrets.add(value)
      return REDACTED
    }
    return isRawNumber(value) || typeof value === 'number' ? REDACTED : value
  }
}

/** JSON too deep or too large to be redacted: none of it is shown. */
export const BEYOND = Symbol('beyond')

/** Parses a text as JSON; undefined if it is none. */
export function jsonIn(text: string): JsonValue | typeof BEYOND | undefined {
  // A shorter text cannot nest too deeply.
  if (text.length > 2 * MAX_DEPTH && readFirst(text, setMember).kind === 'beyond') return BEYOND
  return asJson(text)
}

/** Collects the secrets of a text that may be JSON. */
export function gatherFromText(text: string, how: Redacting): void {
  const body = jsonIn(text)
  if (body !== undefined && body !== BEYOND) redactJson(body, how)
}
