import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { messageOf } from '../../config/text.ts'

/** One thing that is done to the host, and how it is undone. */
export interface Step {
  readonly words: string
  readonly undoWords: string
  /** Why it cannot be done, or could not be undone; undefined: it can. */
  problem(): string | undefined
  /** Why it cannot be undone now. */
  undoProblem(): string | undefined
  do(): void
  undo(): void
}

/** A file of ours, and the folder that it needs. */
export function file(path: string, text: string): Step {
  const folder = dirname(path)
  return {
    words: `write ${path}`,
    undoWords: `remove ${path}`,
    problem: () => (existsSync(path) ? `${path} is there already` : unwritable(folder)),
    undoProblem: () =>
      existsSync(path) && readFileSync(path, 'utf8') !== text
        ? `${path} was changed since; remove it yourself`
        : undefined,
    do: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(path, text, { flag: 'wx', mode: 0o644 })
    },
    undo: () => {
      rmSync(path, { force: true })
      // A folder of drop-ins is nothing without one.
      if (folder.endsWith('.d') && existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
    },
  }
}

/** The folder, or the nearest above it that is there: what is written there can be removed as well. */
function unwritable(folder: string): string | undefined {
  if (!existsSync(folder)) return unwritable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK)
    return undefined
  } catch (cause) {
    return `${folder} cannot be written (${messageOf(cause)})`
  }
}

/** The folder for the bridge's state: systemd creates it, undo removes it. */
export function kept(path: string): Step {
  return {
    words: '',
    undoWords: `remove ${path}`,
    problem: () => (existsSync(path) ? `${path} is there already` : undefined),
    undoProblem: () => undefined,
    do: () => undefined,
    undo: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** A socket keeps its listener under another name: the engine goes on without being started again. */
export function rename(from: string, to: string): Step {
  const isSocket = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true
  return {
    words: `rename the socket ${from} to ${to}; the engine goes on listening on it`,
    undoWords: `rename the socket ${to} to ${from}`,
    problem: () => {
      if (!isSocket(from)) return `${from} is no socket: is the engine running?`
      return existsSync(to) ? `${to} is there already` : undefined
    },
    undoProblem: () => (isSocket(to) ? undefined : `${to} is no socket: is the engine running?`),
    do: () => renameSync(from, to),
    undo: () => renameSync(to, from), // over the bridge's: there is no moment without a socket
  }
}

/** Commands of systemd, one each way; without words, none. Nothing where it is not `live`, the running system. */
export function systemctl(there: readonly string[], back: readonly string[], live: boolean): Step {
  const run = (args: readonly string[]): void => {
    if (!live || args.length === 0) return
    const { status, stderr, error } = spawnSync('systemctl', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`systemctl ${args.join(' ')}: ${(error?.message ?? stderr).trim()}`)
  }
  return {
    words: inWords(there),
    undoWords: inWords(back),
    problem: () => undefined,
    undoProblem: () => undefined,
    do: () => run(there),
    undo: () => run(back),
  }
}

const inWords = (args: readonly string[]): string => (args.length === 0 ? '' : `systemctl ${args.join(' ')}`)

/** All of them, or none: when one fails, those before it are undone, the last one first. */
export function doAll(steps: readonly Step[]): void {
  const done: Step[] = []
  try {
    for (const step of steps) {
      done.push(step)
      step.do()
    }
  } catch (cause) {
    const left = undoAll(done)
    const state = left.length === 0 ? 'everything is as it was' : `not undone: ${left.join('; ')}`
    throw new Error(`${messageOf(cause)} (${state})`, { cause })
  }
}

/** Goes on past what fails, and says what that was. */
export function undoAll(steps: readonly Step[]): string[] {
  return steps.toReversed().flatMap((step) => {
    try {
      step.undo()
      return []
    } catch (cause) {
      return [`${step.undoWords}: ${messageOf(cause)}`]
    }
  })
}
