import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { formatVersion, LOWEST, offered } from '../../api/version.ts'
import { openAudit } from '../../audit/sink.ts'
import { BadConfig, problemsOf } from '../../config/bad-config.ts'
import { createLog } from '../../config/log.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { type Bridge, startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { environmentName } from '../../proxy/settings/environment-names.ts'
import type { Config, SettingName } from '../../proxy/settings/settings.ts'
import { makeInspector } from '../../tools/inspect/lazily.ts'
import {
  candidates,
  type LocalEngine,
  localEngine,
  nameEngine,
  privateFolder,
  standInNotice,
} from '../../tools/local-engine.ts'
import { shownCalls } from '../audit/shown-calls.ts'
import { processIo } from '../process-io.ts'
import { opening } from '../words/opening.ts'

/** `npm start`: a bridge in front of the local engine, or of a fake engine, on a socket of one's own. */
const SOCKET = 'docker.sock'
const SOCKET_MODE = 0o600
/** Open calls of a first try (`docker events`) are not waited for. */
const GRACE_SECONDS = '1'
/** The command lines of Docker up to 28 still speak it; engines 29.0 to 29.2 refuse it. */
const TRY_VERSION = '1.24'

type Environment = Readonly<Record<string, string | undefined>>

function isGiven(name: SettingName | 'config', args: readonly string[], env: Environment): boolean {
  const variable = name === 'config' ? 'ENGINEBRIDGE_CONFIG' : environmentName(name)
  return (env[variable] ?? '') !== '' || args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
}

/**
 * The configuration: what was said after `npm start --`, and what makes a first minute pleasant for the rest. A file
 * (`--config`) says all that it wants to say.
 */
function configure(args: readonly string[], env: Environment, engine: Address | undefined, folder: string): Config {
  if (isGiven('config', args, env)) return readConfig(args, env)
  const own: Partial<Record<SettingName, string>> = {
    ...(engine === undefined ? {} : { engine: formatAddress(engine) }),
    listen: `unix://${join(folder, SOCKET)}`,
    grace: GRACE_SECONDS,
    'audit-format': 'pretty',
    'log-level': 'warn',
    'log-format': 'pretty',
  }
  const ours = (Object.keys(own) as SettingName[]).filter((name) => !isGiven(name, args, env))
  return readConfig([...ours.flatMap((name) => [`--${name}`, own[name] ?? '']), ...args], env)
}

function commands(address: Address): string[] {
  const host = formatAddress(address)
  const curl =
    address.kind === 'unix' ? `curl --unix-socket ${address.path} http://docker` : `curl ${host.replace('tcp', 'http')}`
  return [`${curl}/v1.18/containers/json`, `DOCKER_HOST=${host} DOCKER_API_VERSION=${TRY_VERSION} docker ps`]
}

function report(
  engine: LocalEngine | undefined,
  config: Config,
  { addresses, admin, inspect }: Pick<Bridge, 'addresses' | 'admin' | 'inspect'>,
): string {
  const lines: string[] = []
  if (engine === undefined)
    lines.push(`The engine is ${formatAddress(config.engine)}, as the settings say. Clients are served on`)
  else {
    const { lowest, highest } = engine.facts
    const range = `${formatVersion(LOWEST)} to ${formatVersion(offered(config['announce-api'], highest))}`
    lines.push(
      `The engine is ${nameEngine(engine)}; it speaks API ${formatVersion(lowest)} to ${formatVersion(highest)}.`,
    )
    lines.push(`Clients that speak API ${range} are served on`)
  }
  for (const address of addresses) lines.push(`  ${styleText('bold', formatAddress(address))}`)
  if (admin !== undefined) lines.push(`/livez, /readyz and /metrics are at ${formatAddress(admin)}.`)
  if (inspect !== undefined) lines.push('The inspector shows the calls at', `  ${styleText('bold', opening(inspect))}`)
  const [first] = addresses
  if (first !== undefined)
    lines.push('', 'Two commands to try, in another terminal:', '', ...commands(first).map((line) => `  ${line}`))
  return [...lines, '', 'Calls are shown below; Ctrl-C ends it.', ''].join('\n')
}

async function main(args: readonly string[], env: Environment): Promise<number> {
  const stopping = Promise.withResolvers<void>()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopping.resolve())
  const folder = await privateFolder()
  const ownSocket = { kind: 'unix', path: join(folder, SOCKET) } as const
  const searches = !isGiven('engine', args, env) && !isGiven('config', args, env)
  // What is wrong with the settings is said before anything is searched for; the address only fills the place.
  configure(args, env, searches ? ownSocket : undefined, folder)
  // Our own socket is no engine, although people set DOCKER_HOST to it.
  const addresses = candidates(env).filter((address) => address !== formatAddress(ownSocket))
  const engine = searches ? await localEngine(addresses, folder) : undefined
  try {
    if (engine?.missing !== undefined) say(standInNotice(engine.missing))
    await serve(configure(args, env, engine?.address, folder), engine, stopping.promise)
  } finally {
    await engine?.close()
  }
  return 0
}

const say = (notice: string): void => {
  process.stderr.write(`${styleText(['bold', 'yellow'], notice, { stream: process.stderr })}\n`)
}

async function serve(config: Config, engine: LocalEngine | undefined, stopping: Promise<void>): Promise<void> {
  const log = createLog(config)
  const audit = await openAudit(config, log, await shownCalls(config, processIo()))
  const bridge = await startBridge(config, { log, audit, inspector: makeInspector })
  for (const address of bridge.addresses) if (address.kind === 'unix') await chmod(address.path, SOCKET_MODE)
  process.stdout.write(`\n${report(engine, config, bridge)}`)
  await stopping
  await bridge.close()
  await audit.close()
  process.stdout.write('stopped\n')
}

function failed(cause: unknown): number {
  const problems = problemsOf(cause)
  process.stderr.write(`enginebridge cannot start:\n${problems.map((problem) => `  - ${problem}\n`).join('')}`)
  return cause instanceof BadConfig ? 2 : 1
}

process.exitCode = await main(process.argv.slice(2), process.env).catch(failed)
// Idle timers and pools must not keep a finished program alive.
process.exit()
