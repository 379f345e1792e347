import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import type { AuditRecord } from '../../src/audit/audit.ts'

const published: object = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/audit-record.schema.json'), 'utf8'),
)
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false })
formats.default(ajv)
const validate = ajv.compile(published)

const wrong: string[] = []

/** The errors of a record against the published schema; undefined if it is valid. */
export function complaint(record: unknown): string | undefined {
  return validate(record) ? undefined : ajv.errorsText(validate.errors, { separator: '\n  ', dataVar: 'record' })
}

/** Checks a record as it is written; the sink of every test does this. It must not throw: the bridge would catch it. */
export function checkRecord(record: AuditRecord): void {
  const said = complaint(JSON.parse(JSON.stringify(record)))
  if (said !== undefined) wrong.push(`${said}\n  ${JSON.stringify(record)}`)
}

/** Fails if a record since the last call did not match docs/audit-record.schema.json. */
export function expectRecords(): void {
  expect(wrong.splice(0), 'audit records that the published schema does not allow').toEqual([])
}
