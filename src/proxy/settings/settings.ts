import { z } from 'zod'
import { type ApiVersion, parseVersion } from '../../api/version.ts'
import { semver } from '../../config/lazy-imports.ts'
import { amount, byteSize, byteSizeOrNone, duration, patience, wholeAmount } from '../../config/units.ts'
import type { Address } from '../../http/address.ts'
import type { ListenAddress } from '../../http/listen/inherited.ts'
import { inspectSettings } from './inspect.ts'
import { address, engineAddress, type Setting, setting, toggle } from './setting.ts'

/** Versions that the bridge may use with the engine; `auto`: all that the engine serves. */
export interface EngineApi {
  readonly text: string
  allows(version: ApiVersion): boolean
}

export interface UnversionedApi {
  readonly version: ApiVersion
  /** Undefined: all listeners without a setting of their own. */
  readonly listener: Address | undefined
}

const listenAddress = z.string().transform((text, context): ListenAddress => {
  if (text.startsWith('fd://')) return { kind: 'inherited', which: text.slice('fd://'.length) }
  const parsed = address.safeParse(text)
  if (parsed.success) return parsed.data
  for (const { message } of parsed.error.issues) context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const version = z.string().transform((text, context): ApiVersion => {
  const parsed = parseVersion(text)
  if (parsed !== undefined) return parsed
  context.addIssue({ code: 'custom', message: `"${text}" is no API version; write it as 1.44` })
  return z.NEVER
})

/** `auto`, one version, or a range as people type it: `>=1.24 <1.44`, `1.24 - 1.40`. */
const engineApi = z.string().transform((text, context): EngineApi => {
  if (text === 'auto') return { text, allows: () => true }
  const one = parseVersion(text)
  if (one !== undefined) return { text, allows: (candidate) => candidate === one }
  const { satisfies, validRange } = semver()
  if (validRange(text) !== null) {
    return { text, allows: (candidate) => satisfies(`1.${candidate}.0`, text) }
  }
  context.addIssue({
    code: 'custom',
    message: `"${text}" is neither auto, nor a version (1.44), nor a range (>=1.24 <1.44)`,
  })
  return z.NEVER
})

/** Version of calls without a version prefix: for all listeners (`1.44`) or for one (`tcp://127.0.0.1:2375=1.44`). */
const unversioned = z.string().transform((text, context): UnversionedApi => {
  const found = /^(?:(.+)=)?([^=]+)$/.exec(text)
  const parsed = version.safeParse(found?.[2] ?? text)
  const listener = found?.[1] === undefined ? undefined : address.safeParse(found[1])
  if (parsed.success && listener?.success !== false) return { version: parsed.data, listener: listener?.data }
  for (const { message } of [...(parsed.error?.issues ?? []), ...(listener?.error?.issues ?? [])])
    context.addIssue({ code: 'custom', message })
  return z.NEVER
})

const seconds = amount({ least: 0, most: 86_400 })

const file = z.string().min(1).optional()

/** A file mode in octal, as for chmod. */
const mode = z
  .string()
  .regex(/^0?[0-7]{3}$/, 'must be an octal mode such as 0660')
  .transform((text) => Number.parseInt(text, 8))

const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

/** All settings. The docs and `--help` are generated from this table. */
export const settings = {
  listen: {
    ...setting(
      z.array(listenAddress).min(1),
      'ADDR',
      'unix:///var/run/enginebridge.sock',
      'where clients connect; fd:// for sockets of systemd; may be given several times',
    ),
    repeats: true,
  },
  'tls-cert': setting(file, 'FILE', undefined, 'certificate of TCP listeners, PEM; if set, they accept only TLS'),
  'tls-key': setting(file, 'FILE', undefined, 'private key for --tls-cert'),
  'tls-ca': setting(file, 'FILE', undefined, 'who signs the certificates of clients'),
  'tls-verify': toggle(undefined, 'ask clients for a certificate; so by default where --tls-ca is given'),
  insecure: toggle('false', 'listen on TCP beyond loopback without asking for certificates'),
  'allowed-hosts': {
    ...setting(
      z.array(z.string().min(1)),
      'NAME',
      '',
      'names that Host and Origin may have on TCP listeners, --admin and --inspect, *.example.com too; * for all; may be given several times',
    ),
    repeats: true,
  },
  'socket-mode': setting(mode, 'MODE', '0660', 'mode of unix sockets'),
  'socket-owner': setting(z.string().optional(), 'USER', undefined, 'user that owns unix sockets, a name or a number'),
  'socket-group': setting(z.string().optional(), 'GROUP', undefined, 'group that owns unix sockets'),
  engine: setting(
    engineAddress,
    'ADDR',
    undefined,
    'the engine: unix://, tcp://, ssh://user@host or context:NAME; else DOCKER_HOST, else DOCKER_CONTEXT, else unix:///var/run/docker.sock',
  ),
  'engine-tls-cert': setting(
    file,
    'FILE',
    undefined,
    'the certificate shown to an engine on TCP; else from DOCKER_CERT_PATH, as for the docker command',
  ),
  'engine-tls-key': setting(file, 'FILE', undefined, 'private key for --engine-tls-cert'),
  'engine-tls-ca': setting(file, 'FILE', undefined, "who signs the engine's certificate"),
  'engine-tls-verify': toggle(undefined, 'speak TLS to the engine and check its certificate; =false does not check it'),
  'engine-api': setting(
    engineApi,
    'auto|X.Y',
    'auto',
    'the version to speak to the engine, or a range such as ">=1.24 <1.44"',
  ),
  'announce-api': setting(
    version.optional(),
    'X.Y',
    undefined,
    "the highest version that clients are told, instead of the engine's",
  ),
  'unversioned-api': {
    ...setting(
      z.array(unversioned),
      'X.Y|ADDR=X.Y',
      '',
      "the version of calls that name none, instead of the engine's highest; with ADDR= only of that listener; may be given several times",
    ),
    repeats: true,
  },
  'known-clients': setting(
    oneOf('on', 'off'),
    'on|off',
    'on',
    'tell programs that an engine is known to be too new or too old for (by User-Agent) a version that they work with',
  ),
  policy: setting(
    z.string().optional(),
    'FILE|PRESET|env|off',
    undefined,
    'which calls are let through: a YAML file, a preset, or the variables of other socket proxies; else all',
  ),
  'policy-mode': setting(
    oneOf('enforce', 'observe'),
    'enforce|observe',
    'enforce',
    'refuse what the policy does not allow, or only report it',
  ),
  validation: setting(
    oneOf('strict', 'warn', 'off'),
    'strict|warn|off',
    'warn',
    'what to do about requests that are not valid at their version, and about losses',
  ),
  'newer-fields': setting(
    oneOf('drop', 'pass'),
    'drop|pass',
    'drop',
    "members that are newer than the client's version; limits and exec's User are kept either way",
  ),
  'audit-log': {
    ...setting(
      // Treated as a path, a URL would create a folder `file:` and hide the records there.
      z
        .array(
          z
            .string()
            .min(1)
            .regex(/^(?!file:)/, 'a file is named by its path alone'),
        )
        .min(1),
      'FILE|-|off',
      '-',
      'where the audit records go; - is standard output; may be given several times',
    ),
    repeats: true,
  },
  'audit-format': setting(
    oneOf('auto', 'json', 'pretty'),
    'auto|json|pretty',
    'auto',
    'of records on standard output; auto is a readable line a call on a terminal, else JSON',
  ),
  'audit-level': setting(
    oneOf('none', 'metadata', 'request', 'requestResponse'),
    'LEVEL',
    'metadata',
    'none, metadata, request (with its body) or requestResponse, of calls that no rule of the policy fits',
  ),
  'audit-policy': setting(
    z.string().min(1).optional(),
    'FILE',
    undefined,
    'rules that choose the level by operation, method, peer, listener, user agent and name',
  ),
  'audit-body-limit': setting(byteSize, 'SIZE', '64KiB', 'how much of a body is recorded; the rest is cut'),
  'audit-sessions': setting(
    z.string().min(1).optional(),
    'DIR',
    undefined,
    'where sessions of exec and attach are recorded (asciicast v2), as rules of the policy say',
  ),
  'audit-mode': setting(
    oneOf('async', 'blocking'),
    'async|blocking',
    'async',
    'blocking: no call is forwarded before its record is on disk; when that fails, it is refused',
  ),
  'audit-queue': setting(
    wholeAmount({ least: 1, most: 10_000_000 }),
    'N',
    '10000',
    'limit of records waiting to be written; records dropped beyond it are counted and recorded',
  ),
  'audit-rotate-size': setting(byteSize.optional(), 'SIZE', undefined, 'begin a new file before this size: 100MB'),
  'audit-rotate-age': setting(duration.optional(), 'AGE', undefined, 'begin a new file after this time: 24h, 7d'),
  'audit-keep': setting(
    wholeAmount({ least: 0 }).optional(),
    'N',
    undefined,
    'how many rotated files stay; without it all of them',
  ),
  'audit-chain': setting(
    oneOf('off', 'on'),
    'off|on',
    'off',
    'each record carries the hash of the one before: enginebridge audit verify finds what was changed',
  ),
  'audit-chain-key': setting(
    z.string().min(1).optional(),
    'FILE',
    undefined,
    'secret of 16 bytes or more that is required to write a valid chain',
  ),
  admin: setting(address.optional(), 'ADDR', undefined, 'serves /livez, /readyz and /metrics'),
  ...inspectSettings,
  'log-level': setting(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'LEVEL',
    'info',
    'of the log on standard error',
  ),
  'log-format': setting(
    oneOf('auto', 'json', 'pretty'),
    'auto|json|pretty',
    'auto',
    'of the log on standard error; auto is pretty on a terminal, else JSON',
  ),
  'api-cors-header': setting(
    z.string().optional(),
    'V',
    undefined,
    'Access-Control-Allow-Origin of every answer; * allows all',
  ),
  profile: setting(
    oneOf('engine', 'spec'),
    'engine|spec',
    'engine',
    'what real engines put on the wire, or the specification to the letter',
  ),
  'record-streams': setting(
    oneOf('translate', 'untouched'),
    'translate|untouched',
    'translate',
    'the records of events and stats',
  ),
  'start-hostconfig': setting(
    oneOf('recreate', 'refuse'),
    'recreate|refuse',
    'recreate',
    'a start with a HostConfig that only another container can have: make it again, or refuse the call',
  ),
  'socket-mounts': setting(
    z
      .string()
      .regex(/^(keep|follow|\/.+)$/, 'must be keep, follow, or the path of the bridge’s socket on the engine’s host'),
    'keep|follow|PATH',
    'keep',
    "what a container that mounts the engine's socket gets: that, or the bridge's own; PATH: as the engine's host names it",
  ),
  state: setting(
    z.string().min(1),
    'DIR|off',
    '/var/lib/enginebridge',
    'where the ids of containers that were made again are kept; made when needed, for the user of the bridge alone',
  ),
  'max-request-body': setting(byteSize, 'SIZE', '16MiB', 'of a JSON request body that is looked at; more gets 413'),
  'max-response-body': setting(
    byteSize,
    'SIZE',
    '256MiB',
    "of an engine's JSON answer that is translated; more gets 502",
  ),
  'remember-answers': setting(
    byteSizeOrNone,
    'SIZE',
    '16MiB',
    'of translated answers, so that the same answer from the engine is not translated again; 0 for none',
  ),
  'max-record': setting(byteSize, 'SIZE', '16MiB', 'of one record of events or stats; more ends the stream'),
  'max-error-body': setting(byteSize, 'SIZE', '1MiB', "of an engine's error; more gets 502"),
  'max-header': setting(byteSize, 'SIZE', '1MiB', 'of all header fields, of a request (431) or of an answer (502)'),
  'header-timeout': setting(duration, 'TIME', '60s', 'how long a client may take for the head of a request; then 408'),
  'body-timeout': setting(
    patience,
    'TIME',
    '2m',
    'how long a client may pause in a body that is read whole; then 408. Uploads that stream may pause for ever',
  ),
  'idle-timeout': setting(duration, 'TIME', '1h', 'how long a connection stays open between two calls'),
  'connect-timeout': setting(duration, 'TIME', '10s', 'how long the engine may take to accept a connection; then 504'),
  'answer-timeout': setting(
    patience,
    'TIME',
    '0',
    'how long the engine may take to begin its answer to GET and HEAD calls that do not stream; then 504; 0: for ever',
  ),
  workers: setting(
    wholeAmount({ least: 1, most: 64 }),
    'N',
    '1',
    'processes that serve behind the same listeners, for more than one core; docs/operation.md says what they share',
  ),
  'max-calls': setting(
    wholeAmount({ least: 1 }).optional(),
    'N',
    undefined,
    'calls at the same time, streams included; more get 503',
  ),
  rate: setting(
    amount({ least: 1 }).optional(),
    'N',
    undefined,
    'calls of one peer in a second; more get 429. All of a unix listener are one peer',
  ),
  grace: setting(seconds, 'SECONDS', '10', 'how long open calls may finish after SIGTERM'),
} as const satisfies Record<string, Setting<z.ZodType> & { repeats?: true; isSwitch?: true }>

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }
export type Config = Readonly<Settings>

export const settingNames = Object.keys(settings) as SettingName[]
