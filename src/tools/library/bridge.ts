import { pino } from 'pino'
import type { AuditRecord } from '../../audit/record/record.ts'
import { BadConfig } from '../../config/bad-config.ts'
import { defined } from '../../config/defined.ts'
import { formatAddress } from '../../http/address.ts'
import { type Bridge, startBridge } from '../../proxy/bridge.ts'
import type { Dependencies } from '../../proxy/core.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { type SettingName, settings as settingsTable } from '../../proxy/settings/settings.ts'
import { makeInspector } from '../inspect/lazily.ts'

/** A setting's value: text as on the command line, or the number, boolean or list it stands for. */
export type SettingValue = string | number | boolean | readonly string[]

/** Settings by name; unknown names do not compile. */
export type BridgeSettings = { readonly [Name in SettingName]?: SettingValue }

export interface BridgeOptions {
  /**
   * The program's settings by name (`listen`, `engine`, `engine-api`, …; docs/settings.md), validated like flags.
   * Neither the environment nor a file is read. `audit` replaces `audit-log`.
   */
  readonly settings: BridgeSettings
  /** Receives every audit record (docs/audit.md). */
  readonly audit?: (record: AuditRecord) => void
  /** Receives every log line. */
  readonly log?: (line: { readonly level: string; readonly message: string; readonly facts: object }) => void
}

export interface RunningBridge {
  /** Listening addresses, in the order of `listen`: `unix:///path`, `tcp://host:port` with the actual port for 0. */
  readonly addresses: readonly string[]
  /** Address of `/livez`, `/readyz` and `/metrics`, if `admin` is set. */
  readonly admin: string | undefined
  /** Reloads certificates and policy. */
  reload(): Promise<void>
  /** Stops accepting, waits up to `grace` seconds for open calls, then closes the remaining connections. */
  close(): Promise<void>
}

/**
 * Starts a bridge in this process. The engine may start later. Rejects with a BadConfig, whose `problems` name every
 * invalid setting, or with an Error that names the address that cannot be listened on.
 */
export async function createBridge({ settings, audit, log }: BridgeOptions): Promise<RunningBridge> {
  const write = (record: AuditRecord): undefined => {
    audit?.(defined(record))
  }
  const bridge = await started(settings, { log: logTo(log), audit: { write }, inspector: makeInspector })
  return {
    addresses: bridge.addresses.map(formatAddress),
    admin: bridge.admin === undefined ? undefined : formatAddress(bridge.admin),
    reload: () => bridge.reload(),
    close: () => bridge.close(),
  }
}

/** Parses the settings as flags, but reports problems by setting. */
async function started(settings: BridgeSettings, dependencies: Dependencies): Promise<Bridge> {
  try {
    return await startBridge(readConfig(Object.entries(settings).flatMap(asFlags), {}), dependencies)
  } catch (cause) {
    if (!(cause instanceof BadConfig)) throw cause
    throw new BadConfig(cause.problems.map(ofSettings))
  }
}

const isEmptyByDefault = (name: string): boolean =>
  Object.entries(settingsTable).some(([known, { default: fallback }]) => known === name && fallback === '')

/** An empty list must not become the default, a listener that nobody asked for. */
const asFlags = ([name, value]: readonly [string, SettingValue]): string[] =>
  (Array.isArray(value) && (value.length > 0 || isEmptyByDefault(name)) ? value : [value]).map(
    (one) => `--${name}=${one}`,
  )

/** `--listen: …` becomes `listen: …`. */
const ofSettings = (problem: string): string =>
  problem
    .replace(/^--(\S+) is not a flag/, '$1 is not a setting')
    .replace('; --help lists them', '')
    .replace(/--(?=[a-z])/g, '')

function logTo(log: BridgeOptions['log']): pino.Logger {
  if (log === undefined) return pino({ level: 'silent' })
  return pino(
    { level: 'debug', base: null, timestamp: false },
    {
      write: (line) => {
        const { level, msg, ...facts } = JSON.parse(line) as { level: number; msg: string }
        log({ level: pino.levels.labels[level] ?? String(level), message: msg, facts })
      },
    },
  )
}
