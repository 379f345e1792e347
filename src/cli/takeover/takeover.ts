import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '../../proxy/settings/config.ts'
import { settings as settingsTable } from '../../proxy/settings/settings.ts'
import { type Io, type Run, UsageError } from '../command.ts'
import { type Action, back, backProblems, forward, planOf, problems, takeOver, undo } from './actions.ts'
import { BRIDGE, findUnit, type SocketUnit, STATE, serviceText } from './units.ts'

/** `enginebridge takeover`: the bridge at the path that every program uses. */
export const run: Run = async ({ words, has, value, settings }, io) => {
  const [word] = words
  if (word !== undefined && word !== 'undo') throw new UsageError(`takeover is followed by undo, not by "${word}"`)
  const name = value('unit') ?? 'docker.socket'
  const unitName = name.endsWith('.socket') ? name : `${name}.socket`
  // `/`, or a tree that is laid out like it.
  const root = resolve(value('root') ?? '/')
  if (root === '/' && !existsSync('/run/systemd/system')) return byHand(io)
  const unit = findUnit(root, unitName)
  const undoes = word === 'undo'
  const plan = planOf(root, unit, undoes ? serviceThere(root) : serviceFor(unit, settings))
  const found = undoes ? backProblems(plan) : problems(plan)
  if (found.length > 0) throw new Error(`nothing was done: ${found.join('; ')}`)
  if (!undoes) say(io, 'To put the bridge at the engine’s socket:', forward(plan))
  say(io, undoes ? 'To undo the takeover:' : 'enginebridge takeover undo would:', back(plan))
  if (!has('yes') && !(await agreed(io))) return 1
  if (undoes) undo(plan)
  else takeOver(plan)
  io.stdout.write(`Done. ${undoes ? 'The engine’s socket is the engine’s again.' : TAKEN}\n`)
  return 0
}

const TAKEN = 'Programs that use the engine’s socket go through the bridge from their next connection on.'

const program = (): readonly string[] => [process.execPath, ...process.execArgv, resolve(process.argv[1] ?? '')]

/** The text of the service that a takeover wrote. */
function serviceThere(root: string): string {
  const path = join(root, 'etc/systemd/system', `${BRIDGE}.service`)
  if (!existsSync(path)) throw new Error(`nothing was taken over: there is no ${path}`)
  return readFileSync(path, 'utf8')
}

function say(io: Io, title: string, actions: readonly Action[]): void {
  const lines = actions.map(({ words }, i) => `  ${i + 1}. ${words}`)
  io.stdout.write(`${[title, ...lines, ''].join('\n')}\n`)
}

/** The service with these settings, which can be used. One that names a folder for its state keeps it, also in a file. */
function serviceFor(unit: SocketUnit, settings: readonly string[]): string {
  if (settings.some((word) => /^--(listen|engine)=/.test(word)))
    throw new UsageError('takeover sets --listen and --engine itself')
  const { state, grace } = readConfig([...settings, '--listen=unix:///run/x.sock', '--engine=unix:///run/y.sock'], {})
  const says = settings.some((word) => word.startsWith('--state=')) || state !== settingsTable.state.default
  return serviceText(unit, program(), says ? settings : [`--state=${STATE}`, ...settings], grace)
}

/** Asks on a terminal; elsewhere only --yes is consent. */
async function agreed(io: Io): Promise<boolean> {
  const answer = await io.ask('Do this? [y/N] ')
  if (answer !== undefined && /^\s*y(es)?\s*$/i.test(answer)) return true
  io.stdout.write(`Nothing was done.${answer === undefined ? ' Say --yes to do it.' : ''}\n`)
  return false
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
