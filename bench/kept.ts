import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Group } from './result.ts'

/** The last measurement of a group. */
export interface Kept {
  readonly group: Group
  /** The revision of the measured program; with a `+` if its files differed from it. */
  readonly revision: string
  readonly rounds: number
}

const FOLDER = join(import.meta.dirname, 'kept')

export async function keep(name: string, kept: Kept): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, `${name}.json`), JSON.stringify(kept))
}

export const readKept = (names: readonly string[]): Promise<Kept[]> =>
  Promise.all(names.map(async (name) => JSON.parse(await readFile(join(FOLDER, `${name}.json`), 'utf8')) as Kept))

export async function revision(): Promise<string> {
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: import.meta.dirname })).stdout.trim()
  const changed = await git('status', '--porcelain', '--untracked-files=no')
  return `${await git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`
}
