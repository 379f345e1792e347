import { readFileSync } from 'node:fs'
import { parseDocument } from 'yaml'
import type { JsonObject } from '../../../src/api/json/json.ts'
import type { Document } from './facts.ts'
import { factsOfSwagger } from './swagger.ts'

/** Up to 1.38 quoted texts go on at the first column, which YAML forbids: they are made one line. */
function mended(text: string): string {
  const open = /^(\s*(?:description|name|summary): "(?:[^"\\\n]|\\.)*)\n\s*/gm
  let next = text
  do {
    text = next
    next = text.replace(open, '$1 ')
  } while (next !== text)
  return text
}

export function readSwagger(file: string): Document {
  const parsed = parseDocument(mended(readFileSync(file, 'utf8')), { uniqueKeys: false })
  if (parsed.errors.length > 0) throw new Error(`${file}: ${parsed.errors[0]?.message}`)
  return factsOfSwagger(parsed.toJS() as JsonObject)
}
