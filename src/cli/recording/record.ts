import { closeSync, openSync, writeSync } from 'node:fs'
import { ownVersion } from '../../config/process.ts'
import { asPlainJson, codeOf } from '../../config/text.ts'
import { formatAddress } from '../../http/address.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { checkEngine } from '../../tools/doctor/engine.ts'
import { engineTls } from '../../tools/doctor/settings.ts'
import { headerLine } from '../../tools/recording/format.ts'
import { recorder } from '../../tools/recording/recorder.ts'
import type { Run } from '../command.ts'
import { type Opening, serve } from '../commands/serve.ts'
import { count } from '../words/text.ts'

/** Readable by its owner only: it has the names of containers and what they run. */
const FILE_MODE = 0o600

function created(file: string): number {
  try {
    return openSync(file, 'wx', FILE_MODE)
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') throw new Error(`${file} already exists: a recording needs a new file`, { cause })
    throw cause
  }
}

/** `enginebridge record FILE`: a bridge that writes down what its clients call. */
export const run: Run = async ({ words: [file = ''], has, settings }, io) => {
  const quiet = [...(has('audit-log') ? [] : ['--audit-log=off']), ...(has('log-level') ? [] : ['--log-level=warn'])]
  const args = [...quiet, ...settings]
  const config = readConfig(args, io.env)
  const { facts, findings } = await checkEngine(config.engine, engineTls(config))
  if (facts === undefined) throw new Error(findings.find(({ level }) => level === 'broken')?.says ?? 'no engine')
  const out = created(file)
  const line = (value: object): void => void writeSync(out, `${asPlainJson(JSON.stringify(value))}\n`)
  let calls = 0
  const observer = recorder((call) => {
    calls++
    line(call)
  })
  try {
    line(headerLine(facts, ownVersion(), new Date()))
    await serve(args, io, (bridge) => io.stdout.write(opened(bridge)), [observer])
    io.stdout.write(`${count(calls, 'call')} in ${file}\n`)
  } finally {
    closeSync(out)
  }
  return 0
}

const opened = ({ addresses, inspect }: Opening): string =>
  [
    `recording what comes in on ${addresses.map(formatAddress).join(', ')}; Ctrl-C ends it\n`,
    ...(inspect === undefined ? [] : [`the inspector shows it at ${inspect.url}\n`]),
  ].join('')
