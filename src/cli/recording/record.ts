import { ownVersion } from '../../config/process.ts'
import { formatAddress } from '../../http/address.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { checkEngine } from '../../tools/doctor/engine.ts'
import { engineTls } from '../../tools/doctor/settings.ts'
import { headerLine } from '../../tools/recording/format.ts'
import { recorder } from '../../tools/recording/recorder.ts'
import type { Run } from '../command.ts'
import { type Opening, serve } from '../commands/serve.ts'
import { count } from '../words/text.ts'
import { RecordingFile } from './file.ts'

/** `enginebridge record FILE`: a bridge that writes down what its clients call. */
export const run: Run = async ({ words: [file = ''], has, settings }, io) => {
  const quiet = [...(has('audit-log') ? [] : ['--audit-log=off']), ...(has('log-level') ? [] : ['--log-level=warn'])]
  const args = [...quiet, ...settings]
  const config = readConfig(args, io.env)
  const { facts, findings } = await checkEngine(config.engine, engineTls(config))
  if (facts === undefined) throw new Error(findings.find(({ level }) => level === 'broken')?.says ?? 'no engine')
  const out = new RecordingFile(file, (problem) => io.stderr.write(`${problem}\n`))
  const observer = recorder((call) => out.add(call))
  try {
    out.add(headerLine(facts, ownVersion(), new Date()))
    await serve(args, io, (bridge) => io.stdout.write(opened(bridge)), [observer])
  } catch (cause) {
    out.abandon()
    throw cause
  }
  out.close()
  io.stdout.write(`${count(out.calls, 'call')} in ${file}\n`)
  return 0
}

const opened = ({ addresses, inspect }: Opening): string =>
  [
    `recording what comes in on ${addresses.map(formatAddress).join(', ')}; Ctrl-C ends it\n`,
    ...(inspect === undefined ? [] : [`the inspector shows it at ${inspect.url}\n`]),
  ].join('')
