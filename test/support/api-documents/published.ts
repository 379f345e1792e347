import { readFileSync } from 'node:fs'
import { isOperationName, type OperationName } from '../../../src/api/operations.ts'
import { type Document, documentOf, documentVersions, type History } from './facts.ts'

const parts = ['query', 'header', 'request', 'response', 'status', 'names'] as const
export type DocumentPart = (typeof parts)[number]

/** The description of an operation in a document: types by path, with definitions resolved. */
export type Described = Readonly<Record<DocumentPart, ReadonlyMap<string, string>>>

const history = (name: keyof typeof documentVersions): History =>
  JSON.parse(readFileSync(new URL(`../../golden/api-documents/${name}.json`, import.meta.url), 'utf8')) as History
const histories = { markdown: history('markdown'), swagger: history('swagger') }

const known = new Map<number, ReadonlyMap<OperationName, Described>>()

/** The operations that the document of a minor version describes. */
export function published(minor: number): ReadonlyMap<OperationName, Described> {
  let operations = known.get(minor)
  if (operations === undefined) {
    const name = minor <= documentVersions.markdown[1] ? 'markdown' : 'swagger'
    operations = flattened(documentOf(histories[name], minor))
    known.set(minor, operations)
  }
  return operations
}

/** Adds a document that is not among the copies, or replaces one. */
export const publish = (minor: number, document: Document): void => void known.set(minor, flattened(document))

function flattened(document: Document): ReadonlyMap<OperationName, Described> {
  const operations = new Map<OperationName, Record<DocumentPart, Map<string, string>>>()
  for (const [scope, facts] of document) {
    const [name = '', part = ''] = scope.split(' ')
    if (!isOperationName(name) || !isPart(part)) continue
    const described = operations.get(name) ?? emptyDescription()
    for (const [path, fact] of facts) resolve(document, path, fact, described[part], [])
    operations.set(name, described)
  }
  return operations
}

const isPart = (text: string): text is DocumentPart => (parts as readonly string[]).includes(text)
const emptyDescription = (): Record<DocumentPart, Map<string, string>> => ({
  query: new Map(),
  header: new Map(),
  request: new Map(),
  response: new Map(),
  status: new Map(),
  names: new Map(),
})

function resolve(
  document: Document,
  path: string,
  fact: string,
  into: Map<string, string>,
  above: readonly string[],
): void {
  if (!fact.startsWith('#')) {
    into.set(path, fact)
    return
  }
  const name = fact.replace(/[?!]/g, '')
  const definition = document.get(name)
  if (definition === undefined) throw new Error(`${name} is not defined`)
  if (above.includes(name)) return // a definition inside itself
  for (const [inner, own] of definition) {
    const whole = [path, inner].filter((one) => one !== '').join('.')
    const marks = inner === '' ? fact.slice(name.length) : ''
    resolve(document, whole, own + marks, into, [...above, name])
  }
}

/** One difference between two neighbouring documents. */
export interface Difference {
  readonly minor: number
  readonly operation: OperationName
  readonly part: 'endpoint' | 'query' | 'request' | 'response'
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const bare = (fact: string | undefined): string | undefined => fact?.replace(/[?!]/g, '')

/** The differences between the documents of a minor version and the one before; of something new, only its outermost path. */
export const differences = (minor: number): Difference[] =>
  differencesBetween(published(minor - 1), published(minor), minor)

type Published = ReadonlyMap<OperationName, Described>

export function differencesBetween(older: Published, newer: Published, minor: number): Difference[] {
  const found: Difference[] = []
  for (const operation of new Set([...older.keys(), ...newer.keys()])) {
    const [before, after] = [older.get(operation), newer.get(operation)]
    const add = (part: Difference['part'], path: string, was?: string, is?: string): void => {
      found.push({ minor, operation, part, path, before: was, after: is })
    }
    if (before === undefined) add('endpoint', '', undefined, 'endpoint')
    else if (after === undefined) add('endpoint', '', 'endpoint', undefined)
    else
      for (const part of ['query', 'request', 'response'] as const)
        for (const path of new Set([...before[part].keys(), ...after[part].keys()])) {
          const [was, is] = [bare(before[part].get(path)), bare(after[part].get(path))]
          if (was === is || (part !== 'query' && insideAnother(path, before[part], after[part]))) continue
          // A value of any kind (interface{}) that a later document describes, or no longer does.
          if (isWithinFree(before[part], path) || isWithinFree(after[part], path)) continue
          add(part, path, was, is)
        }
  }
  return found
}

/** Tells whether the document describes an object without its members. */
const isFree = (facts: ReadonlyMap<string, string>, path: string): boolean =>
  bare(facts.get(path)) === 'object' &&
  ![...facts.keys()].some((other) => other !== path && other.startsWith(path === '' ? '' : `${path}.`))

const isWithinFree = (facts: ReadonlyMap<string, string>, path: string): boolean =>
  path.split('.').some((_, i, steps) => isFree(facts, steps.slice(0, i).join('.'))) || isFree(facts, path)

/** Tells whether an object that holds the path is itself new, gone or of another type. */
function insideAnother(path: string, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): boolean {
  const steps = path.split('.')
  return steps.some((_, i) => {
    const outer = steps.slice(0, i).join('.')
    return outer !== path && bare(before.get(outer)) !== bare(after.get(outer))
  })
}
