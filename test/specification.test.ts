import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changes, deviations } from '../rules/index.ts'
import { untranslated } from '../rules/untranslated.ts'
import type { JsonValue } from '../src/api/json/json.ts'
import { type OperationName, operationNamed } from '../src/api/operations.ts'
import type { Finding } from '../src/api/validation/finding.ts'
import { Validation } from '../src/api/validation/validation.ts'
import { apiVersion, formatVersion } from '../src/api/version.ts'
import { Headers } from '../src/http/headers.ts'
import { described, type Field, holdsIn, LAST, offered, type Row, specification } from './support/specification.ts'
import { answered, asked, at } from './support/specification-run.ts'

const rules = new Map([...changes, ...deviations].map((change) => [change.id, change]))
const left = new Set(Object.keys(untranslated))

/** Tells whether a rule acts on an operation. `untranslated` lists the differences that need no rule, with their reasons. */
function actsOn(id: string, operation: OperationName): boolean {
  const rule = rules.get(id)
  if (rule === undefined) return left.has(id)
  return rule.ops.some((op) => op.steps(rule).some((step) => step.operation === operation))
}

/**
 * Members that confine a container or a command are kept even if an older client sends them (`request: 'keep'`): their rule
 * adds the member and has no step on the way up.
 */
const keptOnPurpose = ({ by = [], name }: Field, operation: OperationName): boolean =>
  by
    .flatMap((id) => rules.get(id) ?? [])
    .some((rule) =>
      rule.ops.some(
        (op) =>
          op.adds?.member === name &&
          !op.steps(rule).some((step) => step.operation === operation && step.leg === 'requestUp'),
      ),
    )

/** The rules that a row names exist and act on its operations; their effect is tested below. */
function expectRules(row: Row, places: readonly OperationName[]): void {
  for (const id of row.by ?? []) {
    const acts = places.some((operation) => actsOn(id, operation))
    expect(acts, `${id} is a rule that acts on ${places.join(', ')}, or has a reason to be none`).toBe(true)
  }
}

const engine = {
  highest: apiVersion(51),
  lowest: apiVersion(44),
  release: '28.5.2',
  os: 'linux',
  arch: 'amd64',
  product: undefined,
}

/** The findings of validation for a request. */
function findings(operation: OperationName, client: number, query: string, body?: JsonValue): readonly Finding[] {
  const found: Finding[] = []
  const who = {
    operation,
    client: apiVersion(client),
    engine,
    report: (more: readonly Finding[]) => found.push(...more),
  }
  const validation = new Validation('warn')
  const look = (): void => {
    validation.request(who, query, new Headers())
    if (body !== undefined) validation.body(who, { text: JSON.stringify(body), value: body })
  }
  // A refusal in the words of an engine of that version is a finding too: `report` got it before the throw.
  try {
    look()
  } catch (cause) {
    if (found.length === 0) throw cause
  }
  return found
}

describe.each(specification.endpoints.map((row) => [row.operation, row] as const))('endpoint %s', (name, row) => {
  it('is an operation with the specification’s method and path', () => {
    expect(operationNamed(name)).toMatchObject({ method: row.method, path: row.path })
  })

  it('has rules that act on it where versions or engines differ', () => {
    if (row.versions !== undefined) expect(row.by ?? []).not.toEqual([])
    expectRules(row, [name])
  })
})

describe.each(specification.parameters.map((row) => [`${row.operation} ${row.name}`, row] as const))(
  'query parameter %s',
  (_name, row) => {
    it('is checked by validation in the versions that have it, and found in others', () => {
      const valid = { string: 'x', int: '1', bool: '1', filters: '{}', json: '{}' }[row.type]
      for (const client of described.filter((version) => offered(row.operation, version))) {
        const required = row.name === 'path' ? '' : 'path=/&'
        const found = findings(row.operation, client, `?${required}${row.name}=${valid}`)
        const about = found.filter(({ field }) => field === `query ${row.name}`)
        // Parameters that engines had before they were documented are not findings.
        const had = row.by?.every((id) => left.has(id)) ?? false
        const expected = holdsIn(row, client) || had ? 'silent' : 'found'
        if (row.type !== 'string' || expected === 'found')
          expect(about.length === 0 ? 'silent' : 'found', formatVersion(client)).toBe(expected)
      }
      if (row.type === 'string') return
      expect(findings(row.operation, LAST, `?path=/&${row.name}=%7Bx`).map(({ field }) => field)).toContain(
        `query ${row.name}`,
      )
    })

    it('has rules that act on it where versions or engines differ', () => expectRules(row, [row.operation]))
  },
)

const WRONG: Record<Field['type'], JsonValue> = { string: { a: 1 }, int: 'x', bool: 'x', array: 5, map: 5, object: 5 }

describe.each(specification.fields.map((table) => [`${table.section}, ${table.name}`, table] as const))(
  'fields of %s',
  (_name, { places, fields }) => {
    const operations = places.map(({ operation }) => operation)
    const answers = places.filter(({ side }) => side === 'response')
    const requests = places.filter(({ side }) => side === 'request')

    it.each(fields.map((field) => [field.name, field] as const))(
      '%s: has rules where versions or engines differ',
      (_member, field) => {
        expectRules(field, operations)
      },
    )

    for (const client of described.filter((version) => operations.some((operation) => offered(operation, version)))) {
      for (const place of answers) {
        const text = `${place.operation} ${place.path}`
        it(`a client of ${formatVersion(client)} reads in ${text} what its version has, and no other`, async () => {
          const seen = at(await answered(place.operation, client), place.path)
          // The version lacks the object that holds this table.
          const there = fields.filter((field) => holdsIn(field, client)).map(({ name }) => name)
          const known = new Set(fields.map(({ name }) => name))
          expect(
            Object.keys(seen ?? {})
              .filter((name) => known.has(name))
              .sort(),
          ).toEqual(there.sort())
        })
      }
      for (const place of requests) {
        it(`a client of ${formatVersion(client)} is ignored in ${place.operation} ${place.path} where it says what is newer`, async () => {
          const newer = fields.filter((one) => !holdsIn(one, client) && holdsIn(one, LAST))
          for (const field of newer.filter((one) => !keptOnPurpose(one, place.operation))) {
            const sent = at(await asked(place, field, client), place.path)
            expect(Object.keys(sent ?? {}), field.name).not.toContain(field.name)
          }
        })
      }
    }

    it.each(requests.map((place) => [`${place.operation} ${place.path}`, place] as const))(
      'are of their type in the requests %s, or validation finds it',
      (_text, { operation, path }) => {
        for (const field of fields.filter((one) => holdsIn(one, LAST))) {
          const member = { [field.name]: WRONG[field.type] }
          const found = findings(operation, LAST, '', path === '' ? member : { [path]: member })
          expect(
            found.some(({ field: where }) => where.includes(field.name)),
            field.name,
          ).toBe(true)
        }
      },
    )
  },
)

describe.each([...specification.values, ...specification.events].map((row) => [row.what, row] as const))(
  '%s',
  (_what, row) => {
    it('has a rule, or is the same in all versions', () => {
      if (row.versions === undefined) expect(row.reason).toBeDefined()
      else expect(row.by ?? []).not.toEqual([])
      expectRules(row, [row.operation])
    })
  },
)

/** A request that breaks each limit. */
const BROKEN: Record<string, readonly [OperationName, string, JsonValue?]> = {
  name: ['ContainerCreate', '?name=a.b'],
  BlkioWeight: ['ContainerCreate', '', { HostConfig: { BlkioWeight: 5 } }],
  MemorySwappiness: ['ContainerCreate', '', { HostConfig: { MemorySwappiness: 101 } }],
  MemorySwap: ['ContainerCreate', '', { HostConfig: { MemorySwap: 5 } }],
  ShmSize: ['ContainerCreate', '', { HostConfig: { ShmSize: -1 } }],
  shmsize: ['ImageBuild', '?shmsize=-1'],
  MaximumRetryCount: [
    'ContainerCreate',
    '',
    { HostConfig: { RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 'x' } } },
  ],
  since: ['ContainerLogs', '?stdout=1&since=x'],
  tail: ['ContainerLogs', '?stdout=1&tail=x'],
  stream: ['ContainerStats', '?stream=x'],
}

describe('limits', () => {
  it.each(specification.limits.map((limit) => [limit.what, limit] as const))('%s', (_what, { validation, reason }) => {
    if (validation === undefined) {
      expect(reason).toMatch(/^\S.{19,}\S$/)
      return
    }
    const [operation, query, body] = BROKEN[validation] ?? expect.fail(`no request breaks ${validation}`)
    expect(
      findings(operation, LAST, query, body)
        .map(({ field }) => field)
        .join(),
    ).toContain(validation)
  })
})

describe('versioning', () => {
  it.each(specification.versioning.map((row) => [row.what, row] as const))(
    '%s has its test',
    (_what, { test, title }) => {
      expect(readFileSync(new URL(`../${test}`, import.meta.url), 'utf8')).toContain(title)
    },
  )
})
