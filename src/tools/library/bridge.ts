import { pino } from 'pino'
import { formatAddress } from '../../http/address.ts'
import { startBridge } from '../../proxy/bridge.ts'
import { readConfig } from '../../proxy/settings/config.ts'
import { makeInspector } from '../inspect/lazily.ts'

/** What a setting may be: text as on the command line, or the number, boolean or list that it stands for. */
export type SettingValue = string | number | boolean | readonly string[]

export interface BridgeOptions {
  /**
   * The program's settings by their names (`listen`, `engine`, `engine-api`, …; README, Flags). They are checked as flags
   * are. Neither the environment nor a file is read. Where the audit records go is up to `audit`, not to `audit-log`.
   */
  readonly settings: Readonly<Record<string, SettingValue>>
  /** Gets every audit record (docs/audit.md). By default nobody does. */
  readonly audit?: (record: object) => void
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
  const config = readConfig(Object.entries(settings).flatMap(asFlags), {})
  const write = (record: object): undefined => {
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

const asFlags = ([name, value]: readonly [string, SettingValue]): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) => `--${name}=${one}`)

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
