import { z } from 'zod'
import type { Flag } from '../../config/command-line.ts'
import { amount, byteSize, byteSizeOrNone, duration, patience, wholeAmount } from '../../config/units.ts'
import { inspectSettings } from './inspect.ts'
import { choice, repeated, type Setting, setting, toggle } from './setting.ts'
import {
  address,
  engineAddress,
  engineApi,
  file,
  listenAddress,
  mode,
  seconds,
  unversioned,
  version,
} from './values.ts'

/** All settings. The docs and `--help` are generated from this table. */
export const settings = {
  listen: repeated(
    z.array(listenAddress).min(1),
    'ADDR',
    'where clients connect; fd:// for sockets of systemd',
    'unix:///var/run/enginebridge.sock',
  ),
  'tls-cert': setting(file, 'FILE', 'certificate of TCP listeners, PEM; if set, they accept only TLS'),
  'tls-key': setting(file, 'FILE', 'private key for --tls-cert'),
  'tls-ca': setting(file, 'FILE', 'who signs the certificates of clients'),
  'tls-verify': toggle('ask clients for a certificate; so by default where --tls-ca is given'),
  insecure: toggle('listen on TCP beyond loopback without asking for certificates', 'false'),
  'allowed-hosts': repeated(
    z.array(z.string().min(1)),
    'NAME',
    'names that Host and Origin may have on TCP listeners, --admin and --inspect, *.example.com too; * for all',
    '',
  ),
  'socket-mode': setting(mode, 'MODE', 'mode of unix sockets', '0660'),
  'socket-owner': setting(z.string().optional(), 'USER', 'user that owns unix sockets, a name or a number'),
  'socket-group': setting(z.string().optional(), 'GROUP', 'group that owns unix sockets'),
  engine: setting(
    engineAddress,
    'ADDR',
    'the engine: unix://, tcp://, ssh://user@host or context:NAME; else DOCKER_HOST, else DOCKER_CONTEXT, else unix:///var/run/docker.sock',
  ),
  'engine-tls-cert': setting(
    file,
    'FILE',
    'the certificate shown to an engine on TCP; else from DOCKER_CERT_PATH, as for the docker command',
  ),
  'engine-tls-key': setting(file, 'FILE', 'private key for --engine-tls-cert'),
  'engine-tls-ca': setting(file, 'FILE', "who signs the engine's certificate"),
  'engine-tls-verify': toggle('speak TLS to the engine and check its certificate; =false does not check it'),
  'engine-api': setting(
    engineApi,
    'auto|X.Y',
    'the version to speak to the engine, or a range such as ">=1.24 <1.44"',
    'auto',
  ),
  'announce-api': setting(
    version.optional(),
    'X.Y',
    "the highest version that clients are told, instead of the engine's",
  ),
  'unversioned-api': repeated(
    z.array(unversioned),
    'X.Y|ADDR=X.Y',
    "the version of calls that name none, instead of the engine's highest; with ADDR= only of that listener",
    '',
  ),
  'known-clients': choice(
    'on|off',
    'tell programs that an engine is known to be too new or too old for (by User-Agent) a version that they work with',
  ),
  policy: setting(
    z.string().optional(),
    'FILE|PRESET|env|off',
    'which calls are let through: a YAML file, a preset, or the variables of other socket proxies; else all',
  ),
  'policy-mode': choice('enforce|observe', 'refuse what the policy does not allow, or only report it'),
  validation: choice(
    'strict|warn|off',
    'what to do about requests that are not valid at their version, and about losses',
    { fallback: 'warn' },
  ),
  'newer-fields': choice(
    'drop|pass',
    "members that are newer than the client's version; those that confine are kept either way",
  ),
  'audit-log': repeated(
    z
      .array(
        z
          .string()
          .min(1)
          .regex(/^(?!file:)/, 'a file is named by its path alone'),
      )
      .min(1),
    'FILE|-|off',
    'where the audit records go; - is standard output',
    '-',
  ),
  'audit-format': choice(
    'auto|json|pretty',
    'of records on standard output; auto is a readable line a call on a terminal, else JSON',
  ),
  'audit-level': choice(
    'none|metadata|request|requestResponse',
    'none, metadata, request (with its body) or requestResponse, of calls that no rule of the policy fits',
    { value: 'LEVEL', fallback: 'metadata' },
  ),
  'audit-policy': setting(
    file,
    'FILE',
    'rules that choose the level by operation, method, peer, listener, user agent and name',
  ),
  'audit-body-limit': setting(byteSize, 'SIZE', 'how much of a body is recorded; the rest is cut', '64KiB'),
  'audit-sessions': setting(
    file,
    'DIR',
    'where sessions of exec and attach are recorded (asciicast v2), as rules of the policy say',
  ),
  'audit-mode': choice(
    'async|blocking',
    'blocking: no call is forwarded before its record is on disk; when that fails, it is refused',
  ),
  'audit-queue': setting(
    wholeAmount({ least: 1, most: 10_000_000 }),
    'N',
    'limit of records waiting to be written; records dropped beyond it are counted and recorded',
    '10000',
  ),
  'audit-rotate-size': setting(byteSize.optional(), 'SIZE', 'begin a new file before this size: 100MB'),
  'audit-rotate-age': setting(duration.optional(), 'AGE', 'begin a new file after this time: 24h, 7d'),
  'audit-keep': setting(
    wholeAmount({ least: 0 }).optional(),
    'N',
    'how many rotated files stay; without it all of them',
  ),
  'audit-chain': choice(
    'off|on',
    'each record carries the hash of the one before: enginebridge audit verify finds what was changed',
  ),
  'audit-chain-key': setting(file, 'FILE', 'secret of 16 bytes or more that is required to write a valid chain'),
  admin: setting(address.optional(), 'ADDR', 'serves /livez, /readyz and /metrics'),
  ...inspectSettings,
  'log-level': choice('trace|debug|info|warn|error|fatal|silent', 'of the log on standard error', {
    value: 'LEVEL',
    fallback: 'info',
  }),
  'log-format': choice('auto|json|pretty', 'of the log on standard error; auto is pretty on a terminal, else JSON'),
  'api-cors-header': setting(z.string().optional(), 'V', 'Access-Control-Allow-Origin of every answer; * allows all'),
  profile: choice('engine|spec', 'what real engines put on the wire, or the specification to the letter'),
  'record-streams': choice('translate|untouched', 'the records of events and stats'),
  'start-hostconfig': choice(
    'recreate|refuse',
    'a start with a HostConfig that only another container can have: make it again, or refuse the call',
  ),
  'socket-mounts': setting(
    z
      .string()
      .regex(/^(keep|follow|\/.+)$/, 'must be keep, follow, or the path of the bridge’s socket on the engine’s host'),
    'keep|follow|PATH',
    "what a container that mounts the engine's socket gets: that, or the bridge's own; PATH: as the engine's host names it",
    'keep',
  ),
  state: setting(
    z.string().min(1),
    'DIR|off',
    'where the ids of containers that were made again are kept; made when needed, for the user of the bridge alone',
    '/var/lib/enginebridge',
  ),
  'max-request-body': setting(byteSize, 'SIZE', 'of a JSON request body that is looked at; more gets 413', '16MiB'),
  'max-response-body': setting(
    byteSize,
    'SIZE',
    "of an engine's JSON answer that is translated; more gets 502",
    '256MiB',
  ),
  'remember-answers': setting(
    byteSizeOrNone,
    'SIZE',
    'of translated answers, so that the same answer from the engine is not translated again; 0 for none',
    '16MiB',
  ),
  'max-record': setting(byteSize, 'SIZE', 'of one record of events or stats; more ends the stream', '16MiB'),
  'max-error-body': setting(byteSize, 'SIZE', "of an engine's error; more gets 502", '1MiB'),
  'max-header': setting(byteSize, 'SIZE', 'of all header fields, of a request (431) or of an answer (502)', '1MiB'),
  'header-timeout': setting(duration, 'TIME', 'how long a client may take for the head of a request; then 408', '60s'),
  'body-timeout': setting(
    patience,
    'TIME',
    'how long a client may pause in a body that is read whole; then 408. Uploads that stream may pause for ever',
    '2m',
  ),
  'idle-timeout': setting(duration, 'TIME', 'how long a connection stays open between two calls', '1h'),
  'connect-timeout': setting(duration, 'TIME', 'how long the engine may take to accept a connection; then 504', '10s'),
  'answer-timeout': setting(
    patience,
    'TIME',
    'how long the engine may take to begin its answer to GET and HEAD calls that do not stream; then 504; 0: for ever',
    '0',
  ),
  workers: setting(
    wholeAmount({ least: 1, most: 64 }),
    'N',
    'processes that serve behind the same listeners, for more than one core; docs/operation.md says what they share',
    '1',
  ),
  'max-calls': setting(
    wholeAmount({ least: 1 }).optional(),
    'N',
    'calls at the same time, streams included; more get 503',
  ),
  rate: setting(
    amount({ least: 1 }).optional(),
    'N',
    'calls of one peer in a second; more get 429. All of a unix listener are one peer',
  ),
  grace: setting(seconds, 'SECONDS', 'how long open calls may finish after SIGTERM', '10'),
} as const satisfies Record<string, Setting<z.ZodType> & { repeats?: true }>

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }
export type Config = Readonly<Settings>

export const settingNames = Object.keys(settings) as SettingName[]

/** The flags of `serve`. */
export const settingFlags: readonly Flag[] = [
  ...settingNames.map((name) => ({ name, ...settings[name] })),
  { name: 'config', value: 'FILE', help: 'YAML with the same names' },
]
