import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { endEngines, whyNoEngines } from './engine-script.ts'
import './provided.ts'

const PREFIX = join(tmpdir(), 'enginebridge-live-')

/**
 * Once per run. Engines start when the first test asks for them and serve the whole run; they end here, whatever the
 * tests did. `ENGINEBRIDGE_LIVE=off` leaves the live tests out, `required` fails them where engines cannot run.
 */
export default function setup(project: TestProject): () => void {
  const wish = process.env['ENGINEBRIDGE_LIVE'] ?? ''
  const missing = wish === 'off' ? 'ENGINEBRIDGE_LIVE=off' : whyNoEngines()
  const required = wish === 'required'
  if (wish === 'off') {
    process.stderr.write('live tests left out: ENGINEBRIDGE_LIVE=off\n')
  } else if (missing !== undefined) {
    const verdict = required ? 'LIVE TESTS FAIL' : 'LIVE TESTS SKIPPED'
    process.stderr.write(`\n*** ${verdict}, no real engine can run here: ${missing} ***\n\n`)
  } else {
    endEngines(deadRun)
    const left = readdirSync(tmpdir()).map((name) => join(tmpdir(), name))
    for (const path of left.filter(deadRun)) rmSync(path, { recursive: true, force: true })
  }
  const folder = mkdtempSync(`${PREFIX}${process.pid}-`)
  project.provide('live', { folder, missing, required })
  const cleanUp = (): void => {
    if (missing === undefined) endEngines((socket) => socket.startsWith(`${folder}/`))
    rmSync(folder, { recursive: true, force: true })
  }
  const ended = (): void => {
    cleanUp()
    process.exit(128 + 15)
  }
  process.once('SIGTERM', ended) // vitest would leave without a tear-down
  return () => {
    process.off('SIGTERM', ended)
    cleanUp()
  }
}

/** Whether a path belongs to a run of these tests that was killed before it could clean up. */
function deadRun(path: string): boolean {
  if (!path.startsWith(PREFIX)) return false
  const pid = Number.parseInt(path.slice(PREFIX.length), 10)
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'ESRCH'
  }
}
