import { pino } from 'pino'
import { ProxyError } from '../../api/errors.ts'
import type { AuditRecord } from '../../audit/record/record.ts'
import { openAudit } from '../../audit/sink.ts'
import { BadConfig } from '../../config/bad-config.ts'
import { defined } from '../../config/defined.ts'
import { formatAddress } from '../../http/address.ts'
import { startBridge } from '../../proxy/bridge.ts'
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
   * Neither the environment nor a file is read. Without `audit-log` no audit log is written.
   */
  readonly settings: BridgeSettings
  /**
   * Receives every audit record (docs/audit.md), with and without `audit-log`. A call waits for a promise returned for its
   * first record, `received`, and is refused (503) where that fails.
   */
  readonly audit?: (record: AuditRecord) => unknown
  /** Receives every log line. */
  readonly log?: (line: { readonly level: string; readonly message: string; readonly facts: object }) => void
}

export interface RunningBridge {
  /** Listening addresses, in the order of `listen`: `unix:///path`, `tcp://host:port` with the actual port for 0. */
  readonly addresses: readonly string[]
  /** Address of `/livez`, `/readyz` and `/metrics`, if `admin` is set. */
  readonly admin: string | undefined
  /** URL of the inspector with its token, if `inspect` is set. */
  readonly inspect: string | undefined
  /** Reloads certificates and policy, and reopens the audit logs. */
  reload(): Promise<void>
  /** Stops accepting, waits up to `grace` seconds for open calls, then closes the remaining connections. */
  close(): Promise<void>
}

/**
 * Starts a bridge in this process. The engine may start later. Rejects with a BadConfig, whose `problems` name every
 * invalid setting, or with an Error that names the address or the log that cannot be opened.
 */
export async function createBridge(options: BridgeOptions): Promise<RunningBridge> {
  try {
    return await started(options)
  } catch (cause) {
    if (!(cause instanceof BadConfig)) throw cause
    throw new BadConfig(cause.problems.map(ofSettings))
  }
}

/** Unlike the program, writes no audit log unless `audit-log` names one: standard output is the caller's. */
async function started({ settings, audit, log: receive }: BridgeOptions): Promise<RunningBridge> {
  const config = readConfig(Object.entries(settings).flatMap(asFlags), {})
  const log = logTo(receive)
  const logs = await openAudit('audit-log' in settings ? config : { ...config, 'audit-log': [] }, log)
  const handOver = async (record: AuditRecord): Promise<void> => {
    try {
      await audit?.(defined(record))
    } catch (cause) {
      log.error({ err: cause }, 'cannot write an audit record')
      if (record.stage === 'received') throw new ProxyError('audit', 'the audit record of this call cannot be stored')
    }
  }
  const write = async (record: AuditRecord): Promise<void> => {
    await Promise.all([handOver(record), logs.write(record)])
  }
  try {
    const bridge = await startBridge(config, { log, audit: { ...logs, write }, inspector: makeInspector })
    let closing: Promise<void> | undefined
    return {
      addresses: bridge.addresses.map(formatAddress),
      admin: bridge.admin === undefined ? undefined : formatAddress(bridge.admin),
      inspect: bridge.inspect?.url,
      reload: () => {
        logs.reopen()
        return bridge.reload()
      },
      close: () => (closing ??= bridge.close().then(logs.close)),
    }
  } catch (cause) {
    await logs.close()
    throw cause
  }
}

const isEmptyByDefault = (name: string): boolean =>
  Object.entries(settingsTable).some(([known, { default: fallback }]) => known === name && fallback === '')

/** Neither an empty list nor undefined may become the default: a listener that nobody asked for, or no policy. */
const asFlags = ([name, value]: readonly [string, SettingValue]): string[] =>
  (Array.isArray(value) && (value.length > 0 || isEmptyByDefault(name)) ? value : [value]).map(
    (one) => `--${name}=${one ?? ''}`,
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
