import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'

export interface Har {
  readonly log: {
    readonly entries: readonly {
      readonly request: {
        readonly method: string
        readonly url: string
        readonly queryString: readonly object[]
        readonly postData?: { readonly text: string }
      }
      readonly response: { readonly status: number; readonly content: { readonly text?: string } }
    }[]
  }
}

/** The schemas of HTTP Archive 1.2 (npm: har-schema), draft 6; its `$id`s are names, which is all that their `$ref`s need. */
const schemas = createRequire(import.meta.url)('har-schema') as Record<string, { $id: string; $schema?: string }>

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
for (const { $schema, ...schema } of Object.values(schemas)) ajv.addSchema(schema)

export function checkHar(value: unknown): Har {
  const valid = ajv.validate('har.json#', value)
  expect(ajv.errors ?? []).toEqual([])
  expect(valid).toBe(true)
  return value as Har
}
