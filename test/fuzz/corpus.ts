import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from './loop.ts'

const folder = join(import.meta.dirname, 'corpus')
const folderOf = ({ name, corpus }: Target): string => join(folder, corpus ?? name)

/** The inputs that reached something, and those that once broke something: `broke-…`. */
export function corpusOf(target: Target): Buffer[] {
  const own = folderOf(target)
  mkdirSync(own, { recursive: true })
  return readdirSync(own)
    .sort()
    .map((name) => readFileSync(join(own, name)))
}

/** Named by its content, so that no two are the same. */
export function keep(target: Target, input: Buffer, kind: 'new' | 'broke'): string {
  const name = `${kind === 'broke' ? 'broke-' : ''}${createHash('sha256').update(input).digest('hex').slice(0, 16)}`
  mkdirSync(folderOf(target), { recursive: true })
  writeFileSync(join(folderOf(target), name), input)
  return join(folderOf(target), name)
}
