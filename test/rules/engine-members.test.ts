import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/api/json/json.ts'
import { isOperationName, type OperationName } from '../../src/api/operations.ts'
import { answered } from '../support/api-documents/bridge.ts'
import { valueAt } from '../support/api-documents/sample.ts'

/** The kind of each path, by operation and version: test/golden/engine-members/README.md. */
type Members = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>

const members = JSON.parse(
  readFileSync(new URL('../golden/engine-members/members.json', import.meta.url), 'utf8'),
) as Members

const NEWEST = 52
const SAMPLES: Readonly<Record<string, JsonValue>> = {
  string: 'x',
  bool: true,
  int: 7,
  array: [{ a: 'x' }],
  map: { k: 'x' },
  object: { k: 'x' },
}

/** Members that the rules show from another version on, with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'NetworkInspect 1.28 Services': 'only with `verbose`, which is not asked for in the name of an older client',
  'VolumeInspect 1.25 Options': 'engines show them at every version, and Compose compares them in files of 2.0 and 2.1',
  'TaskInspect 1.32 Spec.Resources.Limits.GenericResources': 'never set: such resources are reserved, not limited',
  'ServiceInspect 1.32 Spec.TaskTemplate.Resources.Limits.GenericResources': 'never set, as above',
  'ServiceInspect 1.32 PreviousSpec.TaskTemplate.Resources.Limits.GenericResources': 'never set, as above',
}

/** A body with one member and the objects and lists that hold it. */
const withOnly = (path: string, kind: string): JsonValue =>
  path.split('.').reduceRight<JsonValue>((value, step) => {
    if (step === '[]') return [value]
    return step === '{}' ? { key: value } : { [step]: value }
  }, SAMPLES[kind] ?? 'x')

const shownTo = (operation: OperationName, client: number, path: string, kind: string): boolean =>
  valueAt(answered({ operation, client, engine: NEWEST }, withOnly(path, kind)), path) !== undefined

const rows = Object.entries(members).flatMap(([operation, versions]) =>
  Object.entries(versions).flatMap(([version, paths]) =>
    Object.entries(paths).map(([path, kind]) => ({ operation, version, path, kind })),
  ),
)
const inWords = ({ operation, version, path }: (typeof rows)[number]): string => `${operation} ${version} ${path}`

/** A member must be shown to a client of its version, and not to one of the version before. */
function wrong({ operation, version, path, kind }: (typeof rows)[number]): string[] {
  if (!isOperationName(operation)) return [`${operation} is no operation`]
  const since = Number(version.split('.')[1])
  return [
    ...(shownTo(operation, since - 1, path, kind) ? [`shown to a client of 1.${since - 1}`] : []),
    ...(shownTo(operation, since, path, kind) ? [] : [`hidden from a client of ${version}`]),
  ]
}

describe('the members that an answer of a newer engine has', () => {
  it.each(Object.keys(members))('are shown from the version on whose engine had them first: %s', (operation) => {
    const own = rows.filter((row) => row.operation === operation && OTHERWISE[inWords(row)] === undefined)
    expect(own.length).toBeGreaterThan(0)
    const open = own.flatMap((row) => wrong(row).map((how) => `${inWords(row)}: ${how}`))
    expect(open).toEqual([])
  })

  it('have no exception that is no longer needed', () => {
    const needed = new Set(rows.filter((row) => wrong(row).length > 0).map(inWords))
    expect(Object.keys(OTHERWISE).filter((words) => !needed.has(words))).toEqual([])
  })
})
