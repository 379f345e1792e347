import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where systemd looks for units, the first one wins (systemd.unit(5)). */
const FOLDERS = ['etc/systemd/system', 'run/systemd/system', 'usr/local/lib/systemd/system', 'usr/lib/systemd/system']

/** An engine's socket unit. */
export interface SocketUnit {
  readonly name: string
  /** The one path that it listens on. */
  readonly path: string
  /** `SocketMode`, `SocketUser`, `SocketGroup` as it says them. */
  readonly access: readonly string[]
}

/** `Key=Value` of the section Socket, in order. Lines that go on (`\`) are not met in these units. */
const settingsOf = (text: string): (readonly [string, string])[] =>
  text
    .split('\n')
    .map((line) => /^\s*(\w+)\s*=(.*)$/.exec(line))
    .flatMap((found) => (found === null ? [] : [[found[1] ?? '', (found[2] ?? '').trim()] as const]))

/** Reads the unit below `root`. Throws a sentence where it cannot be taken over. */
export function findUnit(root: string, name: string): SocketUnit {
  const file = FOLDERS.map((folder) => join(root, folder, name)).find((path) => existsSync(path))
  if (file === undefined)
    throw new Error(`no ${name} in ${join(root, FOLDERS[0] ?? '')} or the other folders of systemd`)
  const settings = settingsOf(readFileSync(file, 'utf8'))
  const listens = settings.flatMap(([key, value]) => (key === 'ListenStream' && value !== '' ? [value] : []))
  const path = listens[0]?.replace(/^(%t|\/var\/run)\//, '/run/')
  if (path === undefined || listens.length > 1 || !path.startsWith('/'))
    throw new Error(`${file}: it listens on ${listens.join(' and ') || 'nothing'}; one unix socket can be taken over`)
  const access = settings
    .filter(([key]) => /^Socket(Mode|User|Group)$/.test(key))
    .map(([key, value]) => `${key}=${value}`)
  return { name, path, access }
}

const MADE = '# Made by enginebridge takeover; enginebridge takeover undo removes it.'
export const BRIDGE = 'enginebridge-takeover'
/** The folder of the bridge's state; /var/lib/enginebridge belongs to the packaged service. */
export const STATE = `/var/lib/${BRIDGE}`

/** A word of ExecStart (systemd.service(5), Command lines): quoted, `%` and `$` are themselves. */
const quoted = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`

export const asideOf = (path: string): string => path.replace(/(\.sock)?$/, '-engine$1')

/** The engine's unit listens beside. */
export const dropIn = (unit: SocketUnit): string =>
  [MADE, '[Socket]', 'ListenStream=', `ListenStream=${asideOf(unit.path)}`, ''].join('\n')

/** systemd holds the socket: while the bridge starts again, connections wait in it. */
export const socketText = (unit: SocketUnit): string =>
  [
    ...[MADE, '[Unit]', `Description=The bridge in the place of ${unit.name}`, ''],
    ...['[Socket]', `ListenStream=${unit.path}`, ...unit.access, 'Backlog=4096', ''],
    ...['[Install]', 'WantedBy=sockets.target', ''],
  ].join('\n')

/** Seconds between the end of `--grace` and systemd's SIGKILL: the last audit records are written then. */
const MARGIN = 22

export function serviceText(
  unit: SocketUnit,
  program: readonly string[],
  settings: readonly string[],
  grace: number,
): string {
  const listen = ['--listen', 'fd://', '--engine', `unix://${asideOf(unit.path)}`]
  const words = [...program, 'serve', ...listen, ...settings].map(quoted)
  return [
    ...[MADE, '[Unit]', `Description=Bridge before the engine of ${unit.name}`],
    ...[`Requires=${BRIDGE}.socket`, `Wants=${unit.name}`, `After=${BRIDGE}.socket ${unit.name}`],
    ...['StartLimitIntervalSec=0', '', '[Service]', 'Type=notify', 'NotifyAccess=all', `ExecStart=${words.join(' ')}`],
    `WorkingDirectory=-${process.cwd().replaceAll('%', '%%')}`, // where paths in the settings begin
    ...['ExecReload=/bin/kill -HUP $MAINPID', 'Restart=always', 'RestartSec=100ms', `TimeoutStopSec=${grace + MARGIN}`],
    ...[`StateDirectory=${BRIDGE}`, 'StateDirectoryMode=0700', 'NoNewPrivileges=true', 'ProtectSystem=full', ''],
  ].join('\n')
}
