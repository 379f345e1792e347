import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '../../proxy/settings/config.ts'
import { type Config, settings } from '../../proxy/settings/settings.ts'
import { type Io, type Run, UsageError } from '../command.ts'
import { doAll, file, kept, rename, type Step, systemctl } from './steps.ts'
import { asideOf, BRIDGE, dropIn, findUnit, type SocketUnit, STATE, serviceText, socketText } from './units.ts'

export interface Asked {
  readonly yes: boolean
  /** `/`, or a tree that is laid out like it: then nothing is started. */
  readonly root: string
  readonly unit: string
  /** Settings of the bridge. */
  readonly settings: readonly string[]
}

/** Takes the flags of the command out of the settings that follow it. */
export function readAsked(args: readonly string[]): Asked {
  const own = { yes: false, root: '/', unit: 'docker.socket' }
  const settings: string[] = []
  for (let i = 0; i < args.length; i++) {
    const [flag = '', inline] = (args[i] ?? '').split(/=(.*)/s)
    if (flag === '--yes') own.yes = true
    else if (flag === '--root' || flag === '--unit') {
      const value = inline ?? args[++i]
      if (value === undefined) throw new UsageError(`${flag} needs a value`)
      if (flag === '--root') own.root = resolve(value)
      else own.unit = value.endsWith('.socket') ? value : `${value}.socket`
    } else settings.push(args[i] ?? '')
  }
  return { ...own, settings }
}

/** `enginebridge takeover`: the bridge at the path that every program uses. */
export const run: Run = async (args, io) => {
  if (args[0] === 'undo') return (await import('./undo.ts')).undo(args.slice(1), io)
  const asked = readAsked(args)
  if (asked.settings.some((word) => /^--(listen|engine)(=|$)/.test(word)))
    throw new UsageError('takeover says --listen and --engine itself')
  const config = configOf(asked)
  if (!existsSync(join(asked.root, 'run/systemd/system')) && asked.root === '/') return byHand(io)
  const steps = stepsFor(withState(asked, config), findUnit(asked.root, asked.unit))
  const problems = steps.map((step) => step.problem()).filter((problem) => problem !== undefined)
  if (problems.length > 0) throw new Error(`nothing was done: ${problems.join('; ')}`)
  say(
    io,
    'This takes the place of the engine’s socket:',
    steps.map(({ words }) => words),
  )
  say(
    io,
    'enginebridge takeover undo goes back:',
    steps.toReversed().map(({ undoWords }) => undoWords),
  )
  if (!(await agreed(asked, io))) return 1
  doAll(steps)
  io.stdout.write('Done. Programs that use the engine’s socket go through the bridge from their next connection on.\n')
  return 0
}

const configOf = ({ settings }: Asked): Config =>
  readConfig([...settings, '--listen', 'unix:///run/x.sock', '--engine', 'unix:///run/y.sock'], {})

/** Flags win over a file: one that names a folder for its state keeps it. */
function withState(asked: Asked, { state }: Config): Asked {
  const says = asked.settings.some((word) => /^--state(=|$)/.test(word)) || state !== settings.state.default
  return says ? asked : { ...asked, settings: ['--state', STATE, ...asked.settings] }
}

/** Asks on a terminal; elsewhere only --yes is consent. */
export async function agreed({ yes }: Asked, io: Io): Promise<boolean> {
  if (yes) return true
  const answer = await io.ask('Do this? [y/N] ')
  if (answer !== undefined && /^\s*y(es)?\s*$/i.test(answer)) return true
  io.stdout.write(`Nothing was done.${answer === undefined ? ' Say --yes to do it.' : ''}\n`)
  return false
}

const say = (io: Io, title: string, lines: readonly string[]): void =>
  io.stdout.write(`${[title, ...numbered(lines), ''].join('\n')}\n`)

export const numbered = (lines: readonly string[]): string[] =>
  lines.filter((line) => line !== '').map((line, i) => `  ${i + 1}. ${line}`)

/** In the order in which they are done. `written`: the service as it stands, whose program and settings are of another day. */
export function stepsFor({ root, settings }: Asked, unit: SocketUnit, written?: string): readonly Step[] {
  const at = (path: string): string => join(root, path)
  const live = root === '/'
  const units = at('etc/systemd/system')
  const program = [process.execPath, ...process.execArgv, resolve(process.argv[1] ?? '')]
  return [
    systemctl([], ['daemon-reload'], live), // once the files are gone again
    file(join(units, `${unit.name}.d`, `${BRIDGE}.conf`), dropIn(unit)),
    file(join(units, `${BRIDGE}.socket`), socketText(unit)),
    file(join(units, `${BRIDGE}.service`), written ?? serviceText(unit, program, settings)),
    systemctl(['daemon-reload'], [], live),
    kept(at(STATE)),
    rename(at(unit.path), at(asideOf(unit.path))),
    systemctl(
      ['enable', '--now', `${BRIDGE}.socket`],
      ['disable', '--now', `${BRIDGE}.socket`, `${BRIDGE}.service`],
      live,
    ),
    systemctl(['start', `${BRIDGE}.service`], ['stop', `${BRIDGE}.service`], live),
  ]
}

function byHand(io: Io): number {
  io.stdout.write(
    [
      'This machine is not run by systemd. By hand:',
      '  1. Let the engine listen beside: "hosts": ["unix:///run/docker-engine.sock"] in /etc/docker/daemon.json,',
      '     or --host in the script that starts it. Start it again.',
      '  2. Let your init system start, after the engine and again whenever it ends:',
      '     enginebridge serve --listen unix:///run/docker.sock --socket-group docker --engine unix:///run/docker-engine.sock',
      'The way back: stop the bridge, take out what you put in, start the engine again.',
      '',
    ].join('\n'),
  )
  return 1
}
