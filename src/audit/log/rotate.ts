import { existsSync } from 'node:fs'
import { readdir, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { escaped } from '../../config/text.ts'

export interface Rotation {
  /** Bytes; undefined: no limit. */
  readonly size: number | undefined
  /** Milliseconds; undefined: no limit. */
  readonly age: number | undefined
  /** Rotated files to keep; undefined: all. */
  readonly keep: number | undefined
}

/** `audit.log.2026-11-21T12-00-00.123Z`, possibly compressed since; sorts by time. */
const STAMP = String.raw`\.(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)(\.gz|\.zst|\.xz|\.bz2)?$`
const TIME = new RegExp(STAMP)

export function isDue({ size, age }: Rotation, file: { bytes: number; born: number }, coming: number): boolean {
  if (file.bytes === 0 || coming === 0) return false
  if (size !== undefined && file.bytes + coming > size) return true
  return age !== undefined && Date.now() - file.born >= age
}

/** Rotated files of `path`, oldest first. */
export async function rotated(path: string): Promise<string[]> {
  const name = basename(path)
  const stamped = new RegExp(`^${escaped(name)}${STAMP}`)
  const names = await readdir(dirname(path))
  return names
    .filter((other) => stamped.test(other))
    .sort()
    .map((other) => join(dirname(path), other))
}

/** Renames the file to a rotated name after all others, also where the clock was set back, and returns it. */
export async function moveAway(path: string): Promise<string> {
  const [, newest = ''] = TIME.exec((await rotated(path)).at(-1) ?? '') ?? []
  const after = Date.parse(newest.replace(/-(\d\d)-(\d\d)\./, ':$1:$2.')) + 1 || 0
  const target = `${path}.${new Date(Math.max(Date.now(), after)).toISOString().replaceAll(':', '-')}`
  await rename(path, target)
  return target
}

/** Undoes `moveAway`, unless there is another file by now. */
export async function moveBack(moved: string, path: string): Promise<void> {
  if (!existsSync(path)) await rename(moved, path)
}

/** Removes the oldest rotated files beyond `keep`; only names given by `moveAway`. */
export async function prune(path: string, keep: number): Promise<readonly string[]> {
  const old = (await rotated(path)).slice(0, -keep || undefined)
  for (const file of old) await unlink(file)
  return old
}

/** The most recent sibling of `path` (`audit.log.1`, or a rotated file), whose chain continues. */
export async function newestBeside(path: string): Promise<string | undefined> {
  let newest: { path: string; time: number } | undefined
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`) || /\.(gz|zst|xz|bz2)$/.test(name)) continue
    const candidate = join(dirname(path), name)
    const facts = await stat(candidate)
    if (!facts.isFile() || facts.size === 0) continue
    if (newest === undefined || facts.mtimeMs > newest.time) newest = { path: candidate, time: facts.mtimeMs }
  }
  return newest?.path
}
