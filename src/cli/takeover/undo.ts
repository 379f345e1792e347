import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../command.ts'
import { undoAll } from './steps.ts'
import { agreed, numbered, readAsked, stepsFor } from './takeover.ts'
import { BRIDGE, findUnit } from './units.ts'

/** `enginebridge takeover undo`: every file as it was before. */
export const undo: Run = async (args, io) => {
  const asked = readAsked(args)
  const service = join(asked.root, 'etc/systemd/system', `${BRIDGE}.service`)
  if (!existsSync(service)) throw new Error(`nothing was taken over: there is no ${service}`)
  const unit = findUnit(asked.root, asked.unit)
  const steps = stepsFor(asked, unit, readFileSync(service, 'utf8'))
  const problems = steps.map((step) => step.undoProblem()).filter((problem) => problem !== undefined)
  if (problems.length > 0) throw new Error(`nothing was done: ${problems.join('; ')}`)
  const lines = numbered(steps.toReversed().map(({ undoWords }) => undoWords))
  io.stdout.write(`${['This goes back:', ...lines, ''].join('\n')}\n`)
  if (!(await agreed(asked, io))) return 1
  const left = undoAll(steps)
  if (left.length > 0) throw new Error(`not undone: ${left.join('; ')}`)
  io.stdout.write('Done. The engine’s socket is the engine’s again.\n')
  return 0
}
