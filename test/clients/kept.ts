import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell } from './page.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The revision by which a cell is kept: the trees of the program and of the clients; `-changed` with uncommitted changes. */
export function revisionNow(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const parts = ['src', 'rules', 'test/clients', 'test/replay', 'test/golden/replay']
  const trees = git('rev-parse', ...parts.map((part) => `HEAD:${part}`)).split('\n')
  const changed = git('status', '--porcelain', '--', ...parts) === '' ? [] : ['changed']
  return [...trees.map((tree) => tree.slice(0, 7)), ...changed].join('-')
}

/** The commit for the pages; `-changed` with uncommitted changes. */
export function commitNow(): string {
  return execFileSync('git', ['describe', '--always', '--dirty=-changed', '--exclude=*'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim()
}

interface Kept {
  readonly revision: string
  readonly cell: Cell
}

/** Cells in a folder, a file each, so that a run in portions gives one page. */
export class KeptCells {
  readonly #folder: string
  readonly #revision: string

  constructor(folder: string, revision: string) {
    this.#folder = folder
    this.#revision = revision
    mkdirSync(folder, { recursive: true })
  }

  keep(cell: Cell): void {
    const { product, release, api = 'auto', note } = cell.client
    const name = [cell.engine.name, product, release, api, note].join('_').replaceAll(/[^A-Za-z0-9._-]/g, '-')
    const kept: Kept = { revision: this.#revision, cell }
    writeFileSync(join(this.#folder, `${name}.json`), `${JSON.stringify(kept, undefined, 1)}\n`)
  }

  /** The cells of this revision, or all; with the number of the others, and the number of revisions of the cells read. */
  read(all = false): { cells: Cell[]; stale: number; revisions: number } {
    const files = readdirSync(this.#folder).filter((file) => file.endsWith('.json'))
    const kept = files.map((file) => JSON.parse(readFileSync(join(this.#folder, file), 'utf8')) as Kept)
    const used = kept.filter(({ revision }) => all || revision === this.#revision)
    const revisions = new Set(used.map(({ revision }) => revision)).size
    return { cells: used.map(({ cell }) => cell), stale: kept.length - used.length, revisions }
  }
}
