import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { documentSlips, madeWrong } from '../golden/api-documents/slips.ts'
import { bodiesOf } from '../support/api-documents/arbitrary.ts'
import { answered, asked, type Between } from '../support/api-documents/bridge.ts'
import { documentVersions } from '../support/api-documents/facts.ts'
import { published } from '../support/api-documents/published.ts'
import { recordedAnswers } from '../support/api-documents/recorded.ts'
import { validatorOf } from '../support/api-documents/schema.ts'
import { acceptedRequests } from '../support/recorded-requests.ts'

const [first, last] = documentVersions.swagger
const minors = Array.from({ length: last - first + 1 }, (_, i) => first + i)
const used = new Set<object>()

/** The errors of a body against the document of a version, without those that are the document's own mistakes. */
function against(operation: OperationName, part: 'request' | 'response', minor: number, body: JsonValue): string[] {
  const valid = validatorOf(operation, part, minor)
  // By way of text, because exact numbers are kept as text. In requests, null means "not set" everywhere.
  const unset = (_name: string, value: unknown): unknown => (value === null ? undefined : value)
  const plain: unknown = JSON.parse(writeJson(body), part === 'request' ? unset : undefined)
  if (valid === undefined || valid(plain)) return []
  const errors = (valid.errors ?? []).map(({ instancePath, message }) => `${operation} ${instancePath} ${message}`)
  return errors.filter((error) => {
    const slip = documentSlips.find(({ says, until = last }) => minor <= until && says.test(error))
    if (slip !== undefined) used.add(slip)
    return slip === undefined
  })
}

describe('answers of real engines, through the bridge', () => {
  const answers = recordedAnswers()

  it.each(minors.map((minor) => [`1.${minor}`, minor] as const))(
    'satisfy the document of the client: %s',
    (_version, client) => {
      const open = new Set<string>()
      let looked = 0
      for (const { operation, version, highest, value, engine } of answers) {
        // The bridge speaks the recorded version to the engine: for older, newer and equal clients.
        if (client > version && client <= highest) continue
        const body = answered({ operation, client, engine: highest, target: version }, value)
        if (body === undefined) continue
        looked++
        for (const error of against(operation, 'response', client, body)) open.add(`${engine}: ${error}`)
      }
      expect(looked).toBeGreaterThan(300)
      expect([...open]).toEqual([])
    },
  )
})

describe('requests that real engines accepted, through the bridge', () => {
  it.each(minors.map((minor) => [`1.${minor}`, minor] as const))(
    'satisfy the document of the engine: %s',
    (_version, engine) => {
      const open = new Set<string>()
      let looked = 0
      for (const { name, operation, engines, body } of acceptedRequests()) {
        const value = jsonOf(body)
        for (const client of new Set(engines.map((one) => Number(/at 1\.(\d+)/.exec(one)?.[1])))) {
          const sent = value === undefined ? undefined : asked({ operation, client, engine }, '', value)?.body
          if (sent === undefined || operation === 'ContainerStart') continue
          looked++
          for (const error of against(operation, 'request', engine, sent)) open.add(`${name} of 1.${client}: ${error}`)
        }
      }
      expect(looked).toBeGreaterThan(50)
      expect([...open]).toEqual([])
    },
  )
})

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined // an engine's own error, which another test covers
    throw cause
  }
}

const OPERATIONS = [
  ['ContainerCreate', 'request'],
  ['ContainerUpdate', 'request'],
  ['ContainerExec', 'request'],
  ['NetworkCreate', 'request'],
  ['NetworkConnect', 'request'],
  ['ServiceCreate', 'request'],
  ['VolumeCreate', 'request'],
  ['ContainerInspect', 'response'],
  ['ImageInspect', 'response'],
  ['ContainerList', 'response'],
  ['ImageList', 'response'],
  ['NetworkInspect', 'response'],
  ['ServiceInspect', 'response'],
  ['SystemInfo', 'response'],
] as const satisfies readonly (readonly [OperationName, 'request' | 'response'])[]

describe('bodies made from one document, through the bridge', () => {
  const saidWrong = (writer: number, error: string): boolean => {
    const slip = madeWrong.find(({ says, until }) => writer <= until && says.test(error))
    if (slip !== undefined) used.add(slip)
    return slip !== undefined
  }

  it.each(OPERATIONS)('%s: a %s satisfies the document of who reads it', (operation, part) => {
    const versions = fc.tuple(fc.constantFrom(...minors), fc.constantFrom(...minors))
    const bodies = minors.map((minor) => bodiesOf(published(minor).get(operation)?.[part] ?? new Map()))
    const bodiesAt = (minor: number): fc.Arbitrary<JsonValue> => bodies[minor - first] ?? fc.constant({})
    const run = versions.chain(([writer, reader]) => {
      return bodiesAt(writer).map((body) => ({ writer, reader, body }))
    })
    fc.assert(
      fc.property(run, ({ writer, reader, body }) => {
        fc.pre(against(operation, part, writer, body).length === 0)
        const between: Between = {
          operation,
          client: part === 'request' ? writer : reader,
          engine: part === 'request' ? reader : writer,
        }
        const got = part === 'request' ? asked(between, '', body)?.body : answered(between, body)
        if (got === undefined) return
        const open = against(operation, part, reader, got).filter((error) => !saidWrong(writer, error))
        expect(open).toEqual([])
      }),
      { numRuns: 300, seed: 7 },
    )
  })
})

describe('the known mistakes of the documents', () => {
  it('are all still needed', () => {
    expect([...documentSlips, ...madeWrong].filter((slip) => !used.has(slip)).map(({ says }) => says.source)).toEqual(
      [],
    )
  })
})
