import {
  essence,
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  memberAt,
  objectOf,
} from '../../src/api/json/json.ts'
import { HostConfig, LogConfig } from '../../src/api/shapes/shapes.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { added, type Changes, refusedWhere, removed, retyped, valueAdded } from '../../src/translate/ops.ts'
import { bindsOf } from '../by-hand/binds.ts'
import { eachOf, eachText } from '../by-hand/each-text.ts'
import { AskedHostConfig, CreateBody } from '../by-hand/places.ts'

/** The propagation of engine 1.9. */
const PRIVATE = new Set(['private', 'rprivate'])
/** Other propagation changes where a mount is visible. */
const SHARED = new Set(['shared', 'rshared', 'slave', 'rslave'])

/** The words of the third field of a bind (volume/volume_propagation_linux.go @v1.10.3). */
const wordsOf = ({ 2: mode = '', length }: readonly string[]): string[] => (length === 3 ? mode.split(',') : [])

function withoutPrivate(bind: string): string {
  const [source, target, ...more] = bind.split(':')
  if (more.length !== 1) return bind
  const kept = wordsOf(bind.split(':')).filter((word) => !PRIVATE.has(word))
  return [source, target, kept.join(',')].join(':').replace(/:$/, '')
}

function sharedPropagation(hostConfig: JsonObject): string | undefined {
  const word = bindsOf(hostConfig)
    .flatMap((fields) => wordsOf(fields))
    .find((one) => SHARED.has(one))
  return word && `HostConfig.Binds (${word})`
}

/**
 * Turns a NetworkingConfig into NetworkMode for engines before 1.10, which have one endpoint without aliases, links and
 * addresses. Returns whether nothing was lost.
 */
function asNetworkMode(config: JsonValue, create: JsonObject, { engine }: StepContext): boolean {
  const endpoints = memberAt(config, 'EndpointsConfig')
  if (isUnset(endpoints) || !isObject(endpoints)) return true
  const [name, ...more] = Object.keys(endpoints)
  if (name === undefined || more.length > 0 || essence(endpoints[name]) !== undefined) return false
  const hostConfig = objectOf(create['HostConfig'])
  const mode = isUnset(hostConfig['NetworkMode']) ? 'default' : hostConfig['NetworkMode']
  if (mode === name || (mode === 'default' && name === 'bridge')) return true
  if (mode !== 'default' || engine.highest < 21) return false // engine 1.9 is the first with user-defined networks
  create['HostConfig'] = { ...hostConfig, NetworkMode: name }
  return true
}

const OWN_NETWORK = { HostConfig: { NetworkMode: 'mynet' } }

export default {
  '1.22/tmpfs': {
    summary: 'A container can have tmpfs mounts.',
    see: 'docs/api/v1.22.md, Create a container; engine-api types/container/host_config.go @v1.10.3',
    // Without it writes would go to the container layer.
    ops: added(HostConfig, 'Tmpfs', { sample: { '/run': 'size=64m' }, onLoss: 'refuse' }),
  },
  '1.22/isolation-field': {
    summary: 'The isolation of a Windows container can be chosen.',
    see: 'runconfig/hostconfig_unix.go @v1.10.3; engine 1.10.3 on "hyperv"',
    ops: added(HostConfig, 'Isolation', { sample: 'hyperv', up: '', neutral: ['default'], onLoss: 'refuse' }),
  },
  '1.22/log-driver-splunk': {
    summary: 'Logs can go to splunk.',
    see: 'docs/api/v1.22.md, Create a container; daemon/logger/splunk @v1.10.3',
    ops: valueAdded(LogConfig, 'Type', ['splunk']),
  },
  '1.22/networking-config': {
    summary: 'Create can set the endpoints of a container.',
    see: 'docs/api/v1.22.md, Create a container; engine-api types/network @v1.10.3; recorded on 1.9.1 (ignored), 1.10.3',
    ops: added(CreateBody, 'NetworkingConfig', {
      sample: { EndpointsConfig: { mynet: {} } },
      onLoss: 'refuse',
      convert: asNetworkMode,
    }),
    examples: {
      'ContainerCreate requestDown body': [
        [{ ...OWN_NETWORK, NetworkingConfig: { EndpointsConfig: { mynet: { Aliases: [] } } } }, OWN_NETWORK],
        [{ NetworkingConfig: { EndpointsConfig: { mynet: null } } }, OWN_NETWORK],
      ],
      'ContainerCreate requestDown body.NetworkingConfig.EndpointsConfig.mynet': [
        [{ Aliases: ['db'] }, /NetworkingConfig .* needs API 1\.22/],
        [{}, /NetworkingConfig/, { engine: '1.20' }],
      ],
    },
  },
  '1.22/bind-propagation': {
    summary: 'A bind can set its mount propagation.',
    see: 'volume/volume_unix.go, volume_propagation_linux.go @v1.10.3',
    ops: [
      retyped(AskedHostConfig, 'Binds', {
        samples: eachOf({ '/a:/b:ro,rprivate': '/a:/b:ro', '/c:/d:private': '/c:/d', '/e:/f:Z': '/e:/f:Z' }),
        toOlder: (binds) => eachText(binds, withoutPrivate),
        description: 'private propagation is removed from HostConfig.Binds',
      }),
      refusedWhere(HostConfig, 'another propagation of a bind than private', {
        finds: sharedPropagation,
        samples: [[{ Binds: ['/a:/b:rshared'] }, 'HostConfig.Binds (rshared)']],
      }),
    ],
  },
  '1.22/lxc-conf-removed': {
    summary: 'The settings of the lxc driver are gone.',
    see: 'docs/api/version-history.md v1.22; runconfig/hostconfig.go @v1.9.1; recorded on 1.6.2 … 1.10.3, 20.10.24',
    // It had an effect with the lxc driver only; engines with the native driver refused it (recorded on 1.6.2 … 1.9.1,
    // create-lxcconf). Engine 20.10, which serves these versions, silently ignores it, limits included: so it is dropped
    // with a warning, and refused only if the loss policy is strict. Engines up to 1.9 show the requested value; their CLIs
    // always sent a list (runconfig/parse.go:parseKeyValueOpts).
    ops: removed(HostConfig, 'LxcConf', { sample: [{ Key: 'lxc.utsname', Value: 'a' }], down: [], onLoss: 'warn' }),
    examples: { 'ContainerCreate requestUp body.HostConfig': [[{ LxcConf: [] }, {}, { losses: [] }]] },
  },
  '1.22/cap-prefix': {
    // Engine 19.03 brought it, without a version of the documents; all older engines need the translation.
    from: '1.40',
    summary: 'Capabilities can have the prefix CAP_.',
    see: 'daemon/execdriver/utils.go:TweakCapabilities @v1.6.2; oci/caps/utils.go:NormalizeLegacyCapabilities @v19.03.13',
    // Engines up to 18.09 fail at start: 500 `Unknown capability to add: "CAP_NET_ADMIN"`.
    ops: ['CapAdd', 'CapDrop'].map((member) =>
      retyped(HostConfig, member, {
        samples: eachOf({ CAP_NET_ADMIN: 'NET_ADMIN', MKNOD: 'MKNOD' }),
        toOlder: (names) => eachText(names, (name) => name.replace(/^CAP_/i, '')),
        description: `HostConfig.${member} accepts CAP_ names`,
      }),
    ),
  },
} satisfies Changes
