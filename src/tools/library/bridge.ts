import { pino } from 'pino'
import type { AuditRecord } from '../../audit/record/record.ts'
import { BadConfig } from '../../config/bad-config.ts'
import { formatAddress } from '../../http/address.ts'
import { startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import type { Config, SettingName } from '../../proxy/settings/settings.ts'
import { makeInspector } from '../inspect/lazily.ts'

/** What a setting may be: text as on the command line, or the number, boolean or list that it stands for. */
export type SettingValue = string | number | boolean | readonly string[]

/** Settings by name; a name that does not exist does not compile. */
export type BridgeSettings = { readonly [Name in SettingName]?: SettingValue }

export interface BridgeOptions {
  /**
   * The program's settings by their names (`listen`, `engine`, `engine-api`, …; README, Flags). They are checked as flags
   * are. Neither the environment nor a file is read. Where the audit records go is up to `audit`, not to `audit-log`.
   */
  readonly settings: BridgeSettings
  /** Gets every audit record (docs/audit.md). By default nobody does. */
  readonly audit?: (record: AuditRecord) => void
  /** Gets every line of the log. By default nobody does. */
  readonly log?: (line: { readonly level: string; readonly message: string; readonly facts: object }) => void
}

export interface RunningBridge {
  /** Where it listens, in the order of `listen`: `unix:///path`, `tcp://host:port` with the port that was chosen for 0. */
  readonly addresses: readonly string[]
  /** Where `/livez`, `/readyz` and `/metrics` are, with `admin`. */
  readonly admin: string | undefined
  /** Reads the certificates again. */
  reload(): Promise<void>
  /** Accepts no more, lets open calls finish for up to `grace` seconds, cuts the rest. */
  close(): Promise<void>
}

/**
 * Starts a bridge in this process. The engine need not be there yet. Rejects with a BadConfig, whose `problems` name every
 * setting that cannot be used, or with an Error whose sentence says which address cannot be listened on.
 */
export async function createBridge({ settings, audit, log }: BridgeOptions): Promise<RunningBridge> {
  const config = checked(settings)
  const write = (record: AuditRecord): undefined => {
    audit?.(record)
  }
  const bridge = await startBridge(config, { log: logTo(log), audit: { write }, inspector: makeInspector })
  return {
    addresses: bridge.addresses.map(formatAddress),
    admin: bridge.admin === undefined ? undefined : formatAddress(bridge.admin),
    reload: () => bridge.reload(),
    close: () => bridge.close(),
  }
}

/** Reads the settings as flags; a problem names the setting and no flag. */
function checked(settings: BridgeSettings): Config {
  try {
    return readConfig(Object.entries(settings).flatMap(asFlags), {})
  } catch (cause) {
    if (!(cause instanceof BadConfig)) throw cause
    throw new BadConfig(cause.problems.map(ofSettings))
  }
}

const asFlags = ([name, value]: readonly [string, SettingValue]): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) => `--${name}=${one}`)

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
