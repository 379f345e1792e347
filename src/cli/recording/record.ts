import { closeSync, openSync, writeSync } from 'node:fs'
import { openAudit } from '../../audit/sink.ts'
import { createLog } from '../../config/log.ts'
import { ownVersion } from '../../config/process.ts'
import { formatAddress } from '../../http/address.ts'
import { startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { lookAtEngine } from '../../tools/doctor/engine.ts'
import { engineTls } from '../../tools/doctor/settings.ts'
import { makeInspector } from '../../tools/inspect/lazily.ts'
import { headerLine } from '../../tools/recording/format.ts'
import { recorder } from '../../tools/recording/recorder.ts'
import type { Run } from '../command.ts'
import { opening } from '../words/opening.ts'
import { count } from '../words/text.ts'

/** Readable by its owner only: it has the names of containers and what they run. */
const FILE_MODE = 0o600

function created(file: string): number {
  try {
    return openSync(file, 'wx', FILE_MODE)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      throw new Error(`${file} is there already: a recording begins a new file`, { cause })
    throw cause
  }
}

/** `enginebridge record FILE`: a bridge that writes down what its clients call. */
export const run: Run = async ({ words, has, settings }, io) => {
  const [file = ''] = words
  const quiet = [...(has('audit-log') ? [] : ['--audit-log=off']), ...(has('log-level') ? [] : ['--log-level=warn'])]
  const config = readConfig([...quiet, ...settings], io.env)
  const { facts, findings } = await lookAtEngine(config.engine, engineTls(config))
  if (facts === undefined) throw new Error(findings.find(({ level }) => level === 'broken')?.says ?? 'no engine')
  const header = headerLine(facts, ownVersion(), new Date())
  const stopping = io.stopping()
  const out = created(file)
  const line = (value: object): void => void writeSync(out, `${JSON.stringify(value)}\n`)
  try {
    line(header)
    let calls = 0
    const log = createLog(config)
    const audit = await openAudit(config, log)
    const observers = [
      recorder((call) => {
        calls++
        line(call)
      }),
    ]
    const bridge = await startBridge(config, { log, audit, observers, inspector: makeInspector })
    io.stdout.write(`recording what comes in on ${bridge.addresses.map(formatAddress).join(', ')}; Ctrl-C ends it\n`)
    if (bridge.inspect !== undefined) io.stdout.write(`the inspector shows it at ${opening(bridge.inspect)}\n`)
    await stopping
    await bridge.close()
    await audit.close()
    io.stdout.write(`${count(calls, 'call')} in ${file}\n`)
  } finally {
    closeSync(out)
  }
  return 0
}
