/**
 * Makes test/golden/api-documents from the published documents of the API: `node test/support/api-documents/copy.ts DIR`,
 * DIR holding v1.18.md … v1.24.md and v1.25.yaml … v1.52.yaml (github.com/moby/moby, docs/api and api/docs). What stays
 * are facts of types and presence.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseDocument } from 'yaml'
import type { JsonObject } from '../../../src/api/json/json.ts'
import { type Document, documentVersions, type History, historyOf } from './facts.ts'
import { factsOfMarkdown } from './markdown.ts'
import { factsOfSwagger } from './swagger.ts'

const [, , source] = process.argv
if (source === undefined) throw new Error('say where the documents are: copy.ts DIR')

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

function swagger(minor: number): Document {
  const text = readFileSync(path.join(source ?? '', `v1.${minor}.yaml`), 'utf8')
  const parsed = parseDocument(mended(text), { uniqueKeys: false })
  if (parsed.errors.length > 0) throw new Error(`v1.${minor}.yaml: ${parsed.errors[0]?.message}`)
  return factsOfSwagger(parsed.toJS() as JsonObject)
}

function write(name: keyof typeof documentVersions, read: (minor: number) => Document): void {
  const [first, last] = documentVersions[name]
  const documents = new Map<number, Document>()
  for (let minor = first; minor <= last; minor++) documents.set(minor, read(minor))
  const history: History = historyOf(documents)
  const target = new URL(`../../golden/api-documents/${name}.json`, import.meta.url)
  writeFileSync(target, `${JSON.stringify(history, undefined, 1)}\n`)
}

write('markdown', (minor) => factsOfMarkdown(readFileSync(path.join(source, `v1.${minor}.md`), 'utf8')))
write('swagger', swagger)
