import { join } from 'node:path'
import { styleText } from 'node:util'
import { formatVersion, LOWEST, offered } from '../../api/version.ts'
import { type Address, formatAddress } from '../../http/address.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import type { Config } from '../../proxy/settings/settings.ts'
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
import { type Opening, serve } from './serve.ts'

/** `npm start`: a bridge in front of the local engine, or of a fake engine, on a socket of one's own. */
const SOCKET = 'docker.sock'
/** The command lines of Docker up to 28 still speak it; engines 29.0 to 29.2 refuse it. */
const TRY_VERSION = '1.24'

/** Defaults for a first try; flags and variables that are set override them. */
const PLEASANT = {
  // Do not wait for open calls (`docker events`).
  ENGINEBRIDGE_GRACE: '1',
  ENGINEBRIDGE_AUDIT_FORMAT: 'pretty',
  ENGINEBRIDGE_LOG_LEVEL: 'warn',
  ENGINEBRIDGE_LOG_FORMAT: 'pretty',
}

function setDefaults(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] ||= value
}

function commands(address: Address): string[] {
  const host = formatAddress(address)
  const curl =
    address.kind === 'unix' ? `curl --unix-socket ${address.path} http://docker` : `curl ${host.replace('tcp', 'http')}`
  return [`  ${curl}/v1.18/containers/json`, `  DOCKER_HOST=${host} DOCKER_API_VERSION=${TRY_VERSION} docker ps`]
}

function report(engine: LocalEngine | undefined, config: Config, { addresses, admin, inspect }: Opening): string {
  const known =
    engine === undefined
      ? [`The engine is ${formatAddress(config.engine)}, as the settings say. Clients are served on`]
      : about(engine, config)
  const [first] = addresses
  const tries = first === undefined ? [] : ['', 'Two commands to try, in another terminal:', '', ...commands(first)]
  return [
    ...known,
    ...addresses.map((address) => `  ${styleText('bold', formatAddress(address))}`),
    ...(admin === undefined ? [] : [`/livez, /readyz and /metrics are at ${formatAddress(admin)}.`]),
    ...(inspect === undefined ? [] : ['The inspector shows the calls at', `  ${styleText('bold', inspect.url)}`]),
    ...tries,
    '',
    'Calls are shown below; Ctrl-C ends it.',
    '',
  ].join('\n')
}

function about(engine: LocalEngine, config: Config): string[] {
  const { lowest, highest } = engine.facts
  const range = `${formatVersion(LOWEST)} to ${formatVersion(offered(config['announce-api'], highest))}`
  return [
    `The engine is ${nameEngine(engine)}; it speaks API ${formatVersion(lowest)} to ${formatVersion(highest)}.`,
    `Clients that speak API ${range} are served on`,
  ]
}

async function main(args: readonly string[]): Promise<number> {
  const io = processIo()
  const stopping = io.stopping()
  // SIGHUP (a closed terminal) ends the program too: there are no log files to reopen.
  const hangup = Promise.withResolvers<NodeJS.Signals>()
  io.onHangup(() => hangup.resolve('SIGHUP'))
  const socket = `unix://${join(await privateFolder(), SOCKET)}`
  const isSaid = (name: 'config' | 'engine'): boolean =>
    (io.env[`ENGINEBRIDGE_${name.toUpperCase()}`] ?? '') !== '' ||
    args.some((arg) => arg.split('=', 1)[0] === `--${name}`)
  const hasFile = isSaid('config')
  const searches = !isSaid('engine') && !hasFile
  // A settings file replaces these defaults, except the mode of the socket.
  setDefaults({ ENGINEBRIDGE_SOCKET_MODE: '0600', ...(hasFile ? {} : { ...PLEASANT, ENGINEBRIDGE_LISTEN: socket }) })
  // Checks the settings before it searches for an engine; the address is a placeholder.
  readConfig(args, searches ? { ...io.env, ENGINEBRIDGE_ENGINE: socket } : io.env)
  // People set DOCKER_HOST to the bridge's own socket, which is not an engine.
  const addresses = candidates(io.env).filter((address) => address !== socket)
  const engine = searches ? await localEngine(addresses) : undefined
  if (engine !== undefined) setDefaults({ ENGINEBRIDGE_ENGINE: formatAddress(engine.address) })
  try {
    if (engine?.missing !== undefined) say(standInNotice(engine.missing))
    await serve(
      args,
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
