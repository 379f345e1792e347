/**
 * Makes test/golden/api-documents from the published documents of the API: `node test/support/api-documents/copy.ts DIR`,
 * DIR holding v1.18.md … v1.24.md and v1.25.yaml … v1.55.yaml (github.com/moby/moby, docs/api and api/docs). What stays
 * are facts of types and presence.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Document, documentVersions, type History, historyOf } from './facts.ts'
import { factsOfMarkdown } from './markdown.ts'
import { readSwagger } from './read-swagger.ts'

const [, , source] = process.argv
if (source === undefined) throw new Error('say where the documents are: copy.ts DIR')

const swagger = (minor: number): Document => readSwagger(path.join(source, `v1.${minor}.yaml`))

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
