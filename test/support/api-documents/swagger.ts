import { isObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts'
import { findOperation } from '../../../src/api/operations.ts'
import type { Document } from './facts.ts'

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {})
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : [])
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  number: 'number',
  boolean: 'bool',
}

/**
 * What a published OpenAPI document (1.25 and later) says, as facts. Prose, examples, formats, enumerations and limits
 * stay behind.
 */
export function factsOfSwagger(document: JsonObject): Document {
  const facts: Document = new Map()
  const reader = new SchemaReader(document)
  for (const [path, methods] of Object.entries(objectOf(document['paths'])))
    for (const [method, operation] of Object.entries(objectOf(methods))) {
      if (method === 'parameters' || !isObject(operation)) continue
      const found = findOperation(method.toUpperCase(), path)
      if (found === undefined) throw new Error(`no operation is ${method.toUpperCase()} ${path}`)
      for (const [scope, own] of reader.operation(operation)) facts.set(`${found.operation.name} ${scope}`, own)
    }
  for (const [name, own] of reader.definitions()) facts.set(`#${name}`, own)
  return facts
}

class SchemaReader {
  readonly #document: JsonObject

  constructor(document: JsonObject) {
    this.#document = document
  }

  *definitions(): Generator<[string, Map<string, string>]> {
    for (const [name, schema] of Object.entries(objectOf(this.#document['definitions']))) {
      const own = new Map<string, string>()
      this.#walk(objectOf(schema), '', own)
      yield [name, own]
    }
  }

  operation(operation: JsonObject): Document {
    const scopes = { status: new Map(), query: new Map(), header: new Map(), request: new Map(), response: new Map() }
    for (const parameter of listOf(operation['parameters']).map((one) => this.#resolved(objectOf(one)))) {
      const name = textOf(parameter['name'])
      const type = SCALARS[textOf(parameter['type'])] ?? textOf(parameter['type'])
      if (parameter['in'] === 'query') scopes.query.set(name, type)
      if (parameter['in'] === 'header') scopes.header.set(name, type)
      if (parameter['in'] === 'body') this.#walk(objectOf(parameter['schema']), '', scopes.request)
    }
    for (const [status, response] of Object.entries(objectOf(operation['responses']))) {
      if (/^\d+$/.test(status)) scopes.status.set(status, 'status')
      const schema = this.#resolved(objectOf(response))['schema']
      if (status.startsWith('2') && isObject(schema)) this.#walk(schema, '', scopes.response)
    }
    return new Map(Object.entries(scopes).filter(([scope, own]) => scope === 'status' || own.size > 0))
  }

  /** The object that a `$ref` stands for; members beside it win. */
  #resolved(schema: JsonObject): JsonObject {
    const reference = textOf(schema['$ref'])
    if (reference === '') return schema
    let found: JsonValue | undefined = this.#document
    for (const step of reference.replace('#/', '').split('/')) found = objectOf(found)[step]
    const { $ref: _, ...own } = schema
    return { ...this.#resolved(objectOf(found)), ...own }
  }

  /** `allOf` is one object with the members of all. */
  #merged(schema: JsonObject): JsonObject {
    const parts = listOf(schema['allOf']).map((part) => this.#merged(this.#resolved(objectOf(part))))
    if (parts.length === 0) return schema
    const members = parts.map((part) => objectOf(part['properties']))
    const properties: JsonObject = Object.assign({}, ...members, objectOf(schema['properties']))
    const required = [...parts, schema].flatMap((part) => listOf(part['required']))
    return { ...Object.assign({}, ...parts), ...schema, properties, required }
  }

  #walk(given: JsonObject, path: string, into: Map<string, string>): void {
    const nullable = given['x-nullable'] === true ? '?' : ''
    const reference = /^#\/definitions\/(.+)$/.exec(textOf(given['$ref']))?.[1]
    if (reference !== undefined) {
      into.set(path, `#${reference}${nullable}`)
      return
    }
    const schema = this.#merged(given)
    const at = (step: string): string => (path === '' ? step : `${path}.${step}`)
    const scalar = SCALARS[textOf(schema['type'])]
    const values = schema['additionalProperties']
    if (scalar !== undefined) {
      into.set(path, scalar + nullable)
    } else if (schema['type'] === 'array') {
      into.set(path, `array${nullable}`)
      this.#walk(objectOf(schema['items']), at('[]'), into)
    } else if (isObject(values)) {
      into.set(path, `map${nullable}`)
      this.#walk(values, at('{}'), into)
    } else {
      into.set(path, `object${nullable}`)
    }
    const required = new Set(listOf(schema['required']))
    for (const [name, member] of Object.entries(objectOf(schema['properties']))) {
      this.#walk(objectOf(member), at(name), into)
      if (required.has(name)) into.set(at(name), `${into.get(at(name))}!`)
    }
  }
}
