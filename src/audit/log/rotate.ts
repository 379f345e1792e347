import { readdir, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { escaped } from '../../config/escaped.ts'

export interface Rotation {
  /** Bytes; undefined: size does not matter. */
  readonly size: number | undefined
  /** Milliseconds. */
  readonly age: number | undefined
  /** How many rotated files stay; undefined: all of them. */
  readonly keep: number | undefined
}

/** `audit.log.2026-11-21T12-00-00.123Z`, and what people compress it to: the order of the names is that of time. */
const STAMP = String.raw`\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z(\.gz|\.zst|\.xz|\.bz2)?$`

export function isDue({ size, age }: Rotation, file: { bytes: number; born: number }, coming: number): boolean {
  if (file.bytes === 0 || coming === 0) return false
  if (size !== undefined && file.bytes + coming > size) return true
  return age !== undefined && Date.now() - file.born >= age
}

/** The rotated files of `path`, oldest first. */
export async function rotated(path: string): Promise<string[]> {
  const name = basename(path)
  const stamped = new RegExp(`^${escaped(name)}${STAMP}`)
  const names = await readdir(dirname(path))
  return names
    .filter((other) => stamped.test(other))
    .sort()
    .map((other) => join(dirname(path), other))
}

/** Gives the file its rotated name, one that nothing has, and returns it. */
export async function moveAway(path: string): Promise<string> {
  for (let time = Date.now(); ; time++) {
    const target = `${path}.${new Date(time).toISOString().replaceAll(':', '-')}`
    if (await exists(target)) continue
    await rename(path, target)
    return target
  }
}

/** Removes the oldest rotated files beyond `keep`; only names that `moveAway` gives. */
export async function prune(path: string, keep: number): Promise<readonly string[]> {
  const old = (await rotated(path)).slice(0, -keep || undefined)
  for (const file of old) await unlink(file)
  return old
}

/** The file beside `path` that was written last (`audit.log.1`, or one of ours), for a chain that goes on after it. */
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

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return false
    throw cause
  }
}
