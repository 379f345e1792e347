import { join } from 'node:path'
import { styleText } from 'node:util'
import { formatVersion, LOWEST, offered } from '../../api/version.ts'
import type { Environment } from '../../config/process.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { environmentName } from '../../proxy/settings/environment-names.ts'
import { type Config, type SettingName, settingNames } from '../../proxy/settings/settings.ts'
import {
  candidates,
  type LocalEngine,
  localEngine,
  nameEngine,
  privateFolder,
  standInNotice,
} from '../../tools/local-engine.ts'
import { processIo } from '../process-io.ts'
import { report as reportFailure } from '../words/failure.ts'
import { opening } from '../words/opening.ts'
import { type Opening, serve } from './serve.ts'

/** `npm start`: a bridge in front of the local engine, or of a fake engine, on a socket of one's own. */
const SOCKET = 'docker.sock'
/** Open calls of a first try (`docker events`) are not waited for. */
const GRACE_SECONDS = '1'
/** The command lines of Docker up to 28 still speak it; engines 29.0 to 29.2 refuse it. */
const TRY_VERSION = '1.24'

function isGiven(name: SettingName | 'config', args: readonly string[], env: Environment): boolean {
  const variable = name === 'config' ? 'ENGINEBRIDGE_CONFIG' : environmentName(name)
  return (env[variable] ?? '') !== '' || args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))
}

/**
 * The flags: what was said after `npm start --`, and what makes a first minute pleasant for the rest. A file
 * (`--config`) says all that it wants to say.
 */
function flagsFor(args: readonly string[], env: Environment, engine: Address | undefined, folder: string): string[] {
  const pleasant: Partial<Record<SettingName, string>> = {
    ...(engine === undefined ? {} : { engine: formatAddress(engine) }),
    listen: `unix://${join(folder, SOCKET)}`,
    grace: GRACE_SECONDS,
    'audit-format': 'pretty',
    'log-level': 'warn',
    'log-format': 'pretty',
  }
  const own: typeof pleasant = { 'socket-mode': '0600', ...(isGiven('config', args, env) ? {} : pleasant) }
  const ours = settingNames.flatMap((name) => {
    const value = own[name]
    return value === undefined || isGiven(name, args, env) ? [] : [`--${name}`, value]
  })
  return [...ours, ...args]
}

function commands(address: Address): string[] {
  const host = formatAddress(address)
  const curl =
    address.kind === 'unix' ? `curl --unix-socket ${address.path} http://docker` : `curl ${host.replace('tcp', 'http')}`
  return [`${curl}/v1.18/containers/json`, `DOCKER_HOST=${host} DOCKER_API_VERSION=${TRY_VERSION} docker ps`]
}

function report(engine: LocalEngine | undefined, config: Config, { addresses, admin, inspect }: Opening): string {
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

async function main(args: readonly string[]): Promise<number> {
  const io = processIo()
  const stopping = io.stopping()
  // SIGHUP (a closed terminal) ends the program too: there are no log files to reopen.
  const hangup = Promise.withResolvers<NodeJS.Signals>()
  io.onHangup(() => hangup.resolve('SIGHUP'))
  const folder = await privateFolder()
  const ownSocket = { kind: 'unix', path: join(folder, SOCKET) } as const
  const searches = !isGiven('engine', args, io.env) && !isGiven('config', args, io.env)
  // What is wrong with the settings is said before anything is searched for; the address only fills the place.
  readConfig(flagsFor(args, io.env, searches ? ownSocket : undefined, folder), io.env)
  // Our own socket is no engine, although people set DOCKER_HOST to it.
  const addresses = candidates(io.env).filter((address) => address !== formatAddress(ownSocket))
  const engine = searches ? await localEngine(addresses, folder) : undefined
  try {
    if (engine?.missing !== undefined) say(standInNotice(engine.missing))
    await serve(
      flagsFor(args, io.env, engine?.address, folder),
      { ...io, stopping: () => Promise.race([stopping, hangup.promise]), onHangup: () => undefined },
      (bridge, _log, config) => io.stdout.write(`\n${report(engine, config, bridge)}`),
    )
    io.stdout.write('stopped\n')
  } finally {
    await engine?.close()
  }
  return 0
}

const say = (notice: string): void => {
  process.stderr.write(`${styleText(['bold', 'yellow'], notice, { stream: process.stderr })}\n`)
}

const args = process.argv.slice(2)
process.exitCode = await main(args).catch((cause: unknown) => reportFailure(cause, args))
// Idle timers and pools must not keep a finished program alive.
process.exit()
