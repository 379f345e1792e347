import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { unaccounted } from '../support/api-documents/newest.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'eb-documents-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const document = (minor: number, members: string): string => `
swagger: "2.0"
basePath: "/v1.${minor}"
definitions: {}
paths:
  /info:
    get:
      operationId: SystemInfo
      parameters: []
      responses:
        200: { description: ok, schema: { type: object, properties: { ID: { type: string }${members} } } }
`
const put = (minor: number, members = ''): void =>
  writeFileSync(join(folder, `v1.${minor}.yaml`), document(minor, members))

it('names what the newest document has that no rule and no reason accounts for', () => {
  put(90)
  put(91, ', Shiny: { type: string }')
  expect(unaccounted(folder)).toEqual({ minor: 91, lines: ['+ SystemInfo response Shiny: not seen to'] })
})

it('has nothing to say of a document without a difference', () => {
  put(92)
  put(93)
  expect(unaccounted(folder)).toEqual({ minor: 93, lines: [] })
})

it('says what it looked for where a folder has no document', () => {
  expect(() => unaccounted(folder)).toThrow('v1.NN.yaml was expected')
})
