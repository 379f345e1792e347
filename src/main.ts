import { writeSync } from 'node:fs'
import { pino } from 'pino'
import { auditSink } from './audit/sink.ts'
import { startBridge } from './bridge.ts'
import { checkHealth } from './cli/health.ts'
import { helpText, versionText } from './cli/help.ts'
import { BadConfig, type Config, readConfig } from './config.ts'
import { formatAddress } from './engine/address.ts'
import { createLog } from './log.ts'

/** The program. The only file with side effects: it reads the process's arguments and signals, and ends it. */
const EXIT_CONFIG = 2

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
  if (args.includes('--help') || first === 'help') return say(helpText())
  if (args.includes('--version') || first === 'version') return say(versionText())
  if (first === 'health') return checkHealth(rest, process.env)
  return serveUntilStopped(readConfig(first === 'serve' ? rest : args, process.env))
}

function say(text: string): number {
  writeSync(1, text)
  return 0
}

async function serveUntilStopped(config: Config): Promise<number> {
  const log = createLog(config)
  const audit = auditSink(config['audit-log'])
  const stopping = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.resolve(signal))
  const bridge = await startBridge(config, { log, audit })
  for (const address of bridge.addresses) log.info(`listening on ${formatAddress(address)}`)
  if (bridge.admin !== undefined) log.info(`admin on ${formatAddress(bridge.admin)}`)
  log.info(`${await stopping.promise}: letting open calls finish for up to ${config.grace} s`)
  await bridge.close()
  await audit.flush()
  log.info('stopped')
  return 0
}

function report(cause: unknown): number {
  if (cause instanceof BadConfig) {
    writeSync(
      2,
      `enginebridge: the configuration cannot be used:\n${cause.problems.map((problem) => `  - ${problem}\n`).join('')}`,
    )
    return EXIT_CONFIG
  }
  pino(pino.destination({ dest: 2, sync: true })).fatal(
    { err: cause },
    cause instanceof Error ? cause.message : String(cause),
  )
  return 1
}

process.exitCode = await main(process.argv.slice(2)).catch(report)
// Idle timers and pools must not keep a finished program alive.
process.exit()
