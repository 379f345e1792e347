import { readFileSync } from 'node:fs'
import { isOperationName, type OperationName } from '../../src/api/operations.ts'
import { type ApiVersion, apiVersion, formatVersion, versionOf } from '../../src/api/version.ts'

/** A row of a table of the specification. Without `versions` it holds in every version. */
export interface Row {
  readonly versions?: string
  /** The changes and deviations that implement it. */
  readonly by?: readonly string[]
}
export interface Field extends Row {
  readonly name: string
  readonly type: 'string' | 'int' | 'bool' | 'array' | 'map' | 'object'
}
export interface Place {
  readonly operation: OperationName
  readonly side: 'request' | 'response'
  readonly path: string
}
export interface FieldTable {
  readonly section: string
  readonly name: string
  readonly places: readonly Place[]
  readonly fields: readonly Field[]
}
export interface Endpoint extends Row {
  readonly operation: OperationName
  readonly method: string
  readonly path: string
  readonly statuses: readonly number[]
}
export interface Parameter extends Row {
  readonly operation: OperationName
  readonly name: string
  readonly type: 'string' | 'int' | 'bool' | 'filters' | 'json'
}
/** A value that only some versions know: an event, a word of an enumeration, a form. */
export interface Value extends Row {
  readonly operation: OperationName
  readonly what: string
  readonly reason?: string
}
export interface Limit {
  readonly what: string
  /** The field that validation names. */
  readonly validation?: string
  readonly reason?: string
}
interface Specification {
  readonly versions: readonly string[]
  readonly endpoints: readonly Endpoint[]
  readonly parameters: readonly Parameter[]
  readonly values: readonly Value[]
  readonly events: readonly Value[]
  readonly limits: readonly Limit[]
  readonly versioning: readonly { readonly what: string; readonly test: string; readonly title: string }[]
  readonly fields: readonly FieldTable[]
}

export const specification = JSON.parse(
  readFileSync(new URL('../golden/specification.json', import.meta.url), 'utf8'),
) as Specification

/** The versions that the specification describes. */
export const described: readonly ApiVersion[] = specification.versions.map(versionOf)
export const LAST: ApiVersion = described.at(-1) ?? apiVersion(22)

/** `1.21+`, `1.22`, `1.18-1.21`. */
export function holdsIn({ versions }: Row, client: ApiVersion): boolean {
  if (versions === undefined) return true
  const [first = '', last = formatVersion(LAST)] = versions.replace('+', '').split('-')
  return versionOf(first) <= client && client <= versionOf(last)
}

/** Tells whether an endpoint exists for a client of a version. */
export function offered(operation: OperationName, client: ApiVersion): boolean {
  const row = specification.endpoints.find((endpoint) => endpoint.operation === operation)
  if (row === undefined || !isOperationName(operation)) throw new Error(`the specification has no ${operation}`)
  return holdsIn(row, client)
}
