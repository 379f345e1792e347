import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '../../proxy/settings/config.ts'
import { type Config, settings as settingsTable } from '../../proxy/settings/settings.ts'
import { splitArguments } from '../arguments.ts'
import { type Io, type Run, UsageError } from '../command.ts'
import { commandNamed } from '../commands.ts'
import { doAll, file, kept, rename, type Step, systemctl, undoAll } from './steps.ts'
import { asideOf, BRIDGE, dropIn, findUnit, type SocketUnit, STATE, serviceText, socketText } from './units.ts'

interface Asked {
  readonly yes: boolean
  /** `/`, or a tree that is laid out like it: then nothing is started. */
  readonly root: string
  readonly unit: string
  /** Settings of the bridge. */
  readonly settings: readonly string[]
}

/** `enginebridge takeover`: the bridge at the path that every program uses. */
export const run: Run = async (args, io) => {
  const { words, has, value, settings } = splitArguments(args, commandNamed('takeover'))
  const undoes = words[0] === 'undo'
  const unit = value('unit') ?? 'docker.socket'
  const asked: Asked = {
    yes: has('yes'),
    root: resolve(value('root') ?? '/'),
    unit: unit.endsWith('.socket') ? unit : `${unit}.socket`,
    settings: [...words.slice(undoes ? 1 : 0), ...settings],
  }
  if (undoes) return undo(asked, io)
  if (asked.settings.some((word) => /^--(listen|engine)(=|$)/.test(word)))
    throw new UsageError('takeover says --listen and --engine itself')
  const config = configOf(asked)
  if (!existsSync(join(asked.root, 'run/systemd/system')) && asked.root === '/') return byHand(io)
  const steps = stepsFor(withState(asked, config), findUnit(asked.root, asked.unit))
  refuseFor(steps.map((step) => step.problem()))
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

/** Restores the files that were there before. */
async function undo(asked: Asked, io: Io): Promise<number> {
  const service = join(asked.root, 'etc/systemd/system', `${BRIDGE}.service`)
  if (!existsSync(service)) throw new Error(`nothing was taken over: there is no ${service}`)
  const steps = stepsFor(asked, findUnit(asked.root, asked.unit), readFileSync(service, 'utf8'))
  refuseFor(steps.map((step) => step.undoProblem()))
  say(
    io,
    'This goes back:',
    steps.toReversed().map(({ undoWords }) => undoWords),
  )
  if (!(await agreed(asked, io))) return 1
  const left = undoAll(steps)
  if (left.length > 0) throw new Error(`not undone: ${left.join('; ')}`)
  io.stdout.write('Done. The engine’s socket is the engine’s again.\n')
  return 0
}

function refuseFor(problems: readonly (string | undefined)[]): void {
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new Error(`nothing was done: ${found.join('; ')}`)
}

const configOf = ({ settings }: Asked): Config =>
  readConfig([...settings, '--listen', 'unix:///run/x.sock', '--engine', 'unix:///run/y.sock'], {})

/** Flags win over a file: one that names a folder for its state keeps it. */
function withState(asked: Asked, { state }: Config): Asked {
  const says = asked.settings.some((word) => /^--state(=|$)/.test(word)) || state !== settingsTable.state.default
  return says ? asked : { ...asked, settings: ['--state', STATE, ...asked.settings] }
}

/** Asks on a terminal; elsewhere only --yes is consent. */
async function agreed({ yes }: Asked, io: Io): Promise<boolean> {
  if (yes) return true
  const answer = await io.ask('Do this? [y/N] ')
  if (answer !== undefined && /^\s*y(es)?\s*$/i.test(answer)) return true
  io.stdout.write(`Nothing was done.${answer === undefined ? ' Say --yes to do it.' : ''}\n`)
  return false
}

function say(io: Io, title: string, lines: readonly string[]): void {
  const numbered = lines.filter((line) => line !== '').map((line, i) => `  ${i + 1}. ${line}`)
  io.stdout.write(`${[title, ...numbered, ''].join('\n')}\n`)
}

/** In the order in which they are done. `written`: the service as it stands, whose program and settings are of another day. */
function stepsFor({ root, settings }: Asked, unit: SocketUnit, written?: string): readonly Step[] {
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
