import { z } from 'zod'
import type { Flag } from '../../config/command-line.ts'
import { amount, byteSize, byteSizeOrNone, duration, timeout, wholeAmount } from '../../config/units.ts'
import { choice, file, limit, repeated, type Setting, setting, size, text, time, toggle } from './setting.ts'
import {
  address,
  atMost,
  auditLog,
  engineAddress,
  engineApi,
  listenAddress,
  MIB,
  mode,
  seconds,
  socketMounts,
  unversioned,
  version,
} from './values.ts'

/** All settings, by topic (src/cli/topics.ts). The docs and `--help` are generated from this table. */
export const settings = {
  listen: repeated(
    listenAddress,
    'ADDR',
    'where clients connect; fd:// for sockets of systemd',
    'unix:///var/run/enginebridge.sock',
  ),
  'allowed-hosts': repeated(
    z
      .string()
      .min(1)
      .regex(/^[^/,\s]*$/, 'must be a host name, *.example.com or *'),
    'NAME',
    'names allowed in Host and Origin on TCP listeners, --admin and --inspect; *.example.com, or * for all',
    '',
  ),
  'socket-mode': setting(mode, 'MODE', 'mode of unix sockets', '0660'),
  'socket-owner': text('USER', 'user that owns unix sockets, a name or a number'),
  'socket-group': text('GROUP', 'group that owns unix sockets'),
  engine: setting(
    engineAddress,
    'ADDR',
    'the engine: unix://, tcp://, ssh://user@host or context:NAME; else DOCKER_HOST, else DOCKER_CONTEXT, else unix:///var/run/docker.sock',
  ),
  admin: setting(address.optional(), 'ADDR', 'serves /livez, /readyz and /metrics'),
  'api-cors-header': text('V', 'Access-Control-Allow-Origin of every response; * allows all'),
  state: setting(
    z.string().min(1),
    'DIR|off',
    'directory for the ids of replaced containers; created when needed, for the user of the bridge only',
    '/var/lib/enginebridge',
  ),
  'remember-answers': setting(
    byteSizeOrNone,
    'SIZE',
    'size of the cache of translated responses; 0: no cache',
    '16MiB',
  ),
  workers: setting(
    wholeAmount({ least: 1, most: 64 }),
    'N',
    'processes that serve behind the same listeners, for more than one core; docs/operation.md says what they share',
    '1',
  ),
  validation: choice('strict|warn|off', 'refuse (strict) or report (warn) invalid requests and losses', {
    fallback: 'warn',
  }),
  'newer-fields': choice('drop|pass', "members newer than the client's version; those that restrict always pass"),
  profile: choice('engine|spec', 'behave like real engines, or exactly like the specification'),
  'record-streams': choice('translate|untouched', 'the records of events and stats'),
  'start-hostconfig': choice(
    'recreate|refuse',
    'a start with a HostConfig that the container cannot get: replace the container, or refuse the call',
  ),
  'socket-mounts': setting(
    socketMounts,
    'keep|follow|PATH',
    "in containers, keep mounts of the engine's socket, or mount the bridge's; PATH: its path on the engine's host",
    'keep',
  ),
  'engine-api': setting(engineApi, 'auto|X.Y', 'version to speak to the engine, or a range: ">=1.24 <1.44"', 'auto'),
  'announce-api': setting(version.optional(), 'X.Y', "highest version announced to clients instead of the engine's"),
  'unversioned-api': repeated(
    unversioned,
    'X.Y|ADDR=X.Y',
    "version of calls without one, instead of the engine's highest; with ADDR= on that listener only",
    '',
  ),
  'known-clients': choice(
    'on|off',
    'serve known programs, recognized by User-Agent, at versions that they read (docs/clients.md)',
  ),
  'log-level': choice('trace|debug|info|warn|error|fatal|silent', 'lowest level in the log', { fallback: 'info' }),
  'log-format': choice('auto|json|pretty', 'format of the log; auto is pretty on a terminal, else JSON'),
  inspect: setting(
    address.optional(),
    'ADDR',
    'serves a page that shows the calls live; its URL, with a token, is in the log',
  ),
  'inspect-calls': setting(
    wholeAmount({ least: 1, most: 10_000 }),
    'N',
    'how many calls the inspector keeps; the oldest go first',
    '500',
  ),
  'inspect-body': setting(
    atMost(MIB, '1MiB'),
    'SIZE',
    'how much the inspector keeps of a message: the beginning of a body, the end of a stream',
    '256KiB',
  ),
  'inspect-memory': setting(
    atMost(1024 * MIB, '1GiB'),
    'SIZE',
    'how much the inspector keeps in all; the oldest calls go first',
    '64MiB',
  ),
  'inspect-input': toggle('also show what clients type into tunnels, which may include passwords', 'false'),
  'tls-cert': file('certificate of TCP listeners, PEM; if set, they accept only TLS'),
  'tls-key': file('private key for --tls-cert'),
  'tls-ca': file('certificates of the authority that signs client certificates, PEM'),
  'tls-verify': toggle('require client certificates; the default with --tls-ca'),
  insecure: toggle('listen on TCP beyond loopback without requiring client certificates', 'false'),
  'engine-tls-cert': file('client certificate for an engine on TCP; else from DOCKER_CERT_PATH, as for docker'),
  'engine-tls-key': file('private key for --engine-tls-cert'),
  'engine-tls-ca': file("certificates of the authority that signs the engine's certificate"),
  'engine-tls-verify': toggle('speak TLS to the engine and check its certificate; =false does not check it'),
  'max-request-body': size('limit of a JSON request body that is parsed; more gets 413', '16MiB'),
  'max-response-body': size('limit of a JSON response that is translated; more gets 502', '256MiB'),
  'max-record': size('limit of one record of events or stats; more ends the stream', '16MiB'),
  'max-error-body': size("limit of an engine's error; more gets 502", '1MiB'),
  'max-header': size('limit of all header fields; more gets 431 (request) or 502 (response)', '1MiB'),
  'max-calls': limit('limit of simultaneous calls, streams included; more get 503', 1),
  rate: setting(
    amount({ least: 1 }).optional(),
    'N',
    'limit of calls a second by one peer (all clients of a unix listener); more get 429',
  ),
  'header-timeout': time('how long a client may take to send the head of a request; then 408', '60s'),
  'body-timeout': setting(
    timeout,
    'TIME',
    'how long a client may pause in a body that is read whole; then 408. Uploads that stream may pause for ever',
    '2m',
  ),
  'idle-timeout': setting(duration, 'TIME', 'how long a connection stays open between two calls', '1h'),
  'connect-timeout': time('how long the engine may take to accept a connection; then 504', '10s'),
  'answer-timeout': setting(
    timeout,
    'TIME',
    'how long the engine may take to begin its response to a GET or HEAD that does not stream; then 504; 0: for ever, but 30 s for its version',
    '0',
  ),
  // docker stop kills after 10 s; before that the records of what is cut have to be written.
  grace: setting(seconds, 'SECONDS', 'how long open calls may finish after SIGTERM', '8'),
  policy: text(
    'FILE|PRESET|env|off',
    'which calls are allowed: a YAML file, a preset, or the variables of other socket proxies; default: all',
  ),
  'policy-mode': choice('enforce|observe', 'refuse calls that the policy does not allow, or only report them'),
  'audit-log': repeated(auditLog, 'FILE|-|off', 'where the audit records go; - is standard output', '-'),
  'audit-format': choice('auto|json|pretty', 'for records on standard output; auto is pretty on a terminal, else JSON'),
  'audit-level': choice(
    'none|metadata|request|requestResponse',
    'what is recorded of calls that no rule of --audit-policy matches; request: with its body',
    { fallback: 'metadata' },
  ),
  'audit-policy': file('rules that choose the level by operation, method, peer, listener, user agent and name'),
  'audit-body-limit': size('how much of a body is recorded', '64KiB'),
  'audit-sessions': file('for recordings of exec and attach (asciicast v2), as rules of --audit-policy say', 'DIR'),
  'audit-mode': choice('async|blocking', 'blocking: forward a call only after its record is on disk, or refuse it'),
  'audit-queue': setting(
    wholeAmount({ least: 1, most: 10_000_000 }),
    'N',
    'limit of records waiting to be written; records beyond it are dropped, counted and reported',
    '10000',
  ),
  'audit-rotate-size': setting(byteSize.optional(), 'SIZE', 'begin a new file before this size: 100MB'),
  'audit-rotate-age': setting(duration.optional(), 'AGE', 'begin a new file after this time: 24h, 7d'),
  'audit-keep': limit('how many rotated files to keep; default: all', 0),
  'audit-chain': choice('off|on', 'each record contains the hash of the previous one, for enginebridge audit verify'),
  'audit-chain-key': file('secret of 16 bytes or more that is required to write a valid chain'),
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
