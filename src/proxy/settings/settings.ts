import { z } from 'zod'
import type { Flag } from '../../config/command-line.ts'
import { amount, byteSize, byteSizeOrNone, duration, patience, wholeAmount } from '../../config/units.ts'
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
    z.string().min(1),
    'NAME',
    'names that Host and Origin may have on TCP listeners, --admin and --inspect, *.example.com too; * for all',
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
  'api-cors-header': text('V', 'Access-Control-Allow-Origin of every answer; * allows all'),
  state: setting(
    z.string().min(1),
    'DIR|off',
    'where the ids of containers that were made again are kept; made when needed, for the user of the bridge alone',
    '/var/lib/enginebridge',
  ),
  'remember-answers': setting(
    byteSizeOrNone,
    'SIZE',
    'of translated answers, kept for the same again; 0: none',
    '16MiB',
  ),
  workers: setting(
    wholeAmount({ least: 1, most: 64 }),
    'N',
    'processes that serve behind the same listeners, for more than one core; docs/operation.md says what they share',
    '1',
  ),
  validation: choice('strict|warn|off', 'what happens to requests that are not valid at their version, and to losses', {
    fallback: 'warn',
  }),
  'newer-fields': choice('drop|pass', "members newer than the client's version; those that confine are always kept"),
  profile: choice('engine|spec', 'what real engines put on the wire, or the specification to the letter'),
  'record-streams': choice('translate|untouched', 'the records of events and stats'),
  'start-hostconfig': choice(
    'recreate|refuse',
    'a start with a HostConfig that only another container can have: make it again, or refuse the call',
  ),
  'socket-mounts': setting(
    socketMounts,
    'keep|follow|PATH',
    "what a container that mounts the engine's socket gets: that, or the bridge's own; PATH: as the engine's host names it",
    'keep',
  ),
  'engine-api': setting(engineApi, 'auto|X.Y', 'version to speak to the engine, or a range: ">=1.24 <1.44"', 'auto'),
  'announce-api': setting(version.optional(), 'X.Y', "highest version that clients are told, not the engine's"),
  'unversioned-api': repeated(
    unversioned,
    'X.Y|ADDR=X.Y',
    "the version of calls that name none, instead of the engine's highest; with ADDR= only of that listener",
    '',
  ),
  'known-clients': choice(
    'on|off',
    'tell programs that an engine is known to be too new or too old for (by User-Agent) a version that they work with',
  ),
  'log-level': choice('trace|debug|info|warn|error|fatal|silent', 'of the log on standard error', {
    value: 'LEVEL',
    fallback: 'info',
  }),
  'log-format': choice('auto|json|pretty', 'of the log on standard error; auto is pretty on a terminal, else JSON'),
  inspect: setting(
    address.optional(),
    'ADDR',
    'serves a page that shows the calls live; the log has its URL with token',
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
    'how much it keeps of one message: the beginning of a body, the end of a stream',
    '256KiB',
  ),
  'inspect-memory': setting(
    atMost(1024 * MIB, '1GiB'),
    'SIZE',
    'how much it keeps in all; the oldest calls go first',
    '64MiB',
  ),
  'inspect-input': toggle('shows what clients type into tunnels as well: passwords are typed', 'false'),
  'tls-cert': file('certificate of TCP listeners, PEM; if set, they accept only TLS'),
  'tls-key': file('private key for --tls-cert'),
  'tls-ca': file('who signs the certificates of clients'),
  'tls-verify': toggle('ask clients for a certificate; so by default where --tls-ca is given'),
  insecure: toggle('listen on TCP beyond loopback without asking for certificates', 'false'),
  'engine-tls-cert': file('certificate shown to an engine on TCP; else from DOCKER_CERT_PATH, as for docker'),
  'engine-tls-key': file('private key for --engine-tls-cert'),
  'engine-tls-ca': file("who signs the engine's certificate"),
  'engine-tls-verify': toggle('speak TLS to the engine and check its certificate; =false does not check it'),
  'max-request-body': size('of a JSON request body that is looked at; more gets 413', '16MiB'),
  'max-response-body': size("of an engine's JSON answer that is translated; more gets 502", '256MiB'),
  'max-record': size('of one record of events or stats; more ends the stream', '16MiB'),
  'max-error-body': size("of an engine's error; more gets 502", '1MiB'),
  'max-header': size('of all header fields, of a request (431) or of an answer (502)', '1MiB'),
  'max-calls': limit('calls at the same time, streams included; more get 503', 1),
  rate: setting(
    amount({ least: 1 }).optional(),
    'N',
    'calls a second of one peer (a unix listener is one); more get 429',
  ),
  'header-timeout': time('how long a client may take for the head of a request; then 408', '60s'),
  'body-timeout': setting(
    patience,
    'TIME',
    'how long a client may pause in a body that is read whole; then 408. Uploads that stream may pause for ever',
    '2m',
  ),
  'idle-timeout': time('how long a connection stays open between two calls', '1h'),
  'connect-timeout': time('how long the engine may take to accept a connection; then 504', '10s'),
  'answer-timeout': setting(
    patience,
    'TIME',
    'how long the engine may take to begin its answer to GET and HEAD calls that do not stream; then 504; 0: for ever',
    '0',
  ),
  grace: setting(seconds, 'SECONDS', 'how long open calls may finish after SIGTERM', '10'),
  policy: text(
    'FILE|PRESET|env|off',
    'which calls are let through: a YAML file, a preset, or the variables of other socket proxies; else all',
  ),
  'policy-mode': choice('enforce|observe', 'refuse what the policy does not allow, or only report it'),
  'audit-log': repeated(auditLog, 'FILE|-|off', 'where the audit records go; - is standard output', '-'),
  'audit-format': choice('auto|json|pretty', 'of records on standard output; auto is pretty on a terminal, else JSON'),
  'audit-level': choice(
    'none|metadata|request|requestResponse',
    'none, metadata, request (with its body) or requestResponse, of calls that no rule of the policy fits',
    { value: 'LEVEL', fallback: 'metadata' },
  ),
  'audit-policy': file('rules that choose the level by operation, method, peer, listener, user agent and name'),
  'audit-body-limit': size('how much of a body is recorded; the rest is cut', '64KiB'),
  'audit-sessions': file('where rules of the policy have exec and attach recorded (asciicast v2)', 'DIR'),
  'audit-mode': choice('async|blocking', 'blocking: forward a call only after its record is on disk, else refuse it'),
  'audit-queue': setting(
    wholeAmount({ least: 1, most: 10_000_000 }),
    'N',
    'limit of records waiting to be written; records dropped beyond it are counted and recorded',
    '10000',
  ),
  'audit-rotate-size': setting(byteSize.optional(), 'SIZE', 'begin a new file before this size: 100MB'),
  'audit-rotate-age': setting(duration.optional(), 'AGE', 'begin a new file after this time: 24h, 7d'),
  'audit-keep': limit('how many rotated files stay; without it all of them', 0),
  'audit-chain': choice('off|on', 'each record has the hash of the one before, for enginebridge audit verify'),
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
