import { spawnSync } from 'node:child_process'
import {
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
import { dirname, join } from 'node:path'
import { messageOf } from '../../config/text.ts'
import { asideOf, BRIDGE, dropIn, type SocketUnit, STATE, socketText } from './units.ts'

/** A change to the host, with the words that announce it. */
export interface Action {
  readonly words: string
  readonly run: () => void
}

/** The files that a takeover creates and moves. */
export interface Plan {
  /** Whether this is the running system, where systemctl is called; in another tree files are only written. */
  readonly live: boolean
  /** The engine's socket unit. */
  readonly unit: string
  /** The engine's socket. */
  readonly socket: string
  readonly aside: string
  /** The bridge's state: systemd creates the folder, undo removes it. */
  readonly state: string
  /** Paths and texts of the units. */
  readonly files: readonly (readonly [path: string, text: string])[]
}

/** `service`: the text of the service file; for undo the existing one, which an older program may have written. */
export function planOf(root: string, unit: SocketUnit, service: string): Plan {
  const at = (...path: string[]): string => join(root, ...path)
  const units = at('etc/systemd/system')
  return {
    live: root === '/',
    unit: unit.name,
    socket: at(unit.path),
    aside: at(asideOf(unit.path)),
    state: at(STATE),
    files: [
      [join(units, `${unit.name}.d`, `${BRIDGE}.conf`), dropIn(unit)],
      [join(units, `${BRIDGE}.socket`), socketText(unit)],
      [join(units, `${BRIDGE}.service`), service],
    ],
  }
}

const systemctl = ({ live }: Plan, ...args: readonly string[]): Action => ({
  words: `systemctl ${args.join(' ')}`,
  run: () => {
    if (!live) return
    const { status, stderr, error } = spawnSync('systemctl', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`systemctl ${args.join(' ')}: ${(error?.message ?? stderr).trim()}`)
  },
})

/** systemd forgets a socket whose path changed: as long as the unit counts as started, an engine that starts gets none. */
const release = (plan: Plan): Action => systemctl(plan, '--job-mode=ignore-dependencies', 'stop', plan.unit)

/** In the order in which they are done. The socket keeps its listener under another name: the engine is not started again. */
export const forward = (plan: Plan): readonly Action[] => [
  ...plan.files.map(([path, text]) => ({
    words: `write ${path}`,
    run: () => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: 'wx', mode: 0o644 })
    },
  })),
  systemctl(plan, 'daemon-reload'),
  {
    words: `rename the socket ${plan.socket} to ${plan.aside}; the engine goes on listening on it`,
    run: () => renameSync(plan.socket, plan.aside),
  },
  release(plan),
  systemctl(plan, 'enable', '--now', `${BRIDGE}.socket`),
  systemctl(plan, 'start', `${BRIDGE}.service`),
]

/** Undoes a takeover, also an incomplete one. */
export function back(plan: Plan): readonly Action[] {
  const { socket, aside, state, files } = plan
  // systemctl fails for units that were not written.
  const written = { ...plan, live: plan.live && files.every(([path]) => existsSync(path)) }
  return [
    systemctl(written, 'stop', `${BRIDGE}.service`),
    systemctl(written, 'disable', '--now', `${BRIDGE}.socket`, `${BRIDGE}.service`),
    {
      words: `rename the socket ${aside} to ${socket}`,
      // Replaces the bridge's socket, so that the path always has one.
      run: () => (existsSync(aside) ? renameSync(aside, socket) : undefined),
    },
    { words: `remove ${state}`, run: () => rmSync(state, { recursive: true, force: true }) },
    ...files.map(([path]) => ({ words: `remove ${path}`, run: () => removeUnit(path) })),
    systemctl(plan, 'daemon-reload'),
    release(written),
    // Without waiting: it is refused while the engine runs, which has its socket.
    systemctl(written, '--no-block', 'start', plan.unit),
  ]
}

function removeUnit(path: string): void {
  if (existsSync(path)) rmSync(path)
  // The folder of drop-ins may have been created for this file.
  const folder = dirname(path)
  const isFolder = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  if (folder.endsWith('.d') && isFolder && readdirSync(folder).length === 0) rmdirSync(folder)
}

/** Reasons why a takeover is impossible. */
export function problems({ socket, aside, state, files }: Plan): string[] {
  const taken = [...files.map(([path]) => path), state, aside].filter((path) => existsSync(path))
  return [...notSocket(socket), ...taken.map((path) => `${path} already exists`)]
}

/** Reasons why undo is impossible. */
export function backProblems({ aside, files }: Plan): string[] {
  const changed = files.filter(([path, text]) => existsSync(path) && readFileSync(path, 'utf8') !== text)
  return [...notSocket(aside), ...changed.map(([path]) => `${path} was changed since; remove it yourself`)]
}

const notSocket = (path: string): string[] =>
  lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true
    ? []
    : [`${path} is not a socket: is the engine running?`]

/** Undoes all actions if one fails. */
export function takeOver(plan: Plan): void {
  try {
    for (const { run } of forward(plan)) run()
  } catch (cause) {
    const left = failures(back(plan))
    const state = left.length === 0 ? 'everything is as it was' : `not undone: ${left.join('; ')}`
    throw new Error(`${messageOf(cause)} (${state})`, { cause })
  }
}

export function undo(plan: Plan): void {
  const left = failures(back(plan))
  if (left.length > 0) throw new Error(`not undone: ${left.join('; ')}`)
}

/** Runs all actions; returns the failed ones with their errors. */
const failures = (actions: readonly Action[]): readonly string[] =>
  actions.flatMap(({ words, run }) => {
    try {
      run()
      return []
    } catch (cause) {
      return [`${words}: ${messageOf(cause)}`]
    }
  })
