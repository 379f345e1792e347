import { VOLUME_NAME } from '../../src/api/engine-facts.ts'
import { ProxyError } from '../../src/api/errors.ts'
import {
  isObject,
  isUnset,
  type JsonObject,
  type JsonValue,
  listOf,
  memberAt,
  objectOf,
  stringOf,
} from '../../src/api/json/json.ts'
import { onlyIn } from '../../src/api/shapes/shape.ts'
import { MountVolumeOptions, NetworkCreateRequest } from '../../src/api/shapes/shapes.ts'
import { words } from '../../src/config/text.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, RequestMessage } from '../../src/translate/message.ts'
import { lookUp } from '../../src/translate/ops/calls/looked-up.ts'
import { byHand, emulated, ignored, onEach, refusedWhere } from '../../src/translate/ops.ts'
import { objectAt } from '../by-hand/endpoints.ts'
import { bindText, mountsOf, moveElements } from '../by-hand/mount-options.ts'
import { CreateBody, CreateHostConfig } from '../by-hand/places.ts'
import { isPodmanBefore } from '../by-hand/podman-release.ts'
import { must } from '../emulate/recreate.ts'

/** Podman's own runtime under the names that it and Docker show. */
const RUNTIMES = new Set(['', 'runc', 'crun', 'oci', 'io.containerd.runc.v2'])

const READ_ONLY = words('/proc/asound /proc/bus /proc/fs /proc/irq /proc/sys /proc/sysrq-trigger')

function withoutNetwork({ body }: RequestMessage): void {
  if (!isObject(body) || body['NetworkDisabled'] !== true) return
  objectAt(body, 'HostConfig')['NetworkMode'] = 'none'
  delete body['NetworkingConfig']
}

/** A name without a value takes a variable of the image away; Podman looks for its value in the engine's own environment. */
function unsetVariables({ body }: RequestMessage): void {
  const env = memberAt(body, 'Env')
  if (!isObject(body) || !Array.isArray(env)) return
  const isName = (one: JsonValue): boolean => typeof one === 'string' && one !== '' && !one.includes('=')
  const names = env.filter(isName)
  if (names.length === 0) return
  body['Env'] = env.filter((one) => !isName(one))
  body['UnsetEnv'] = names
}

const isTexts = (value: JsonValue | undefined): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Both lists empty confine nothing (`systempaths=unconfined` of command lines). */
function confinedPaths(host: JsonObject): void {
  const { MaskedPaths: masked, ReadonlyPaths: readOnly, SecurityOpt: own } = host
  if (!isTexts(masked) || !(isUnset(own) || Array.isArray(own))) return
  const options = listOf(own)
  if (masked.length > 0) host['SecurityOpt'] = [...options, `mask=${masked.join(':')}`]
  else if (Array.isArray(readOnly) && readOnly.length === 0)
    host['SecurityOpt'] = [...options, 'systempaths=unconfined']
}

const NAMELESS = 'Podman ignores the driver, options and labels of a volume that a mount does not name (Source)'

/** Podman ignores the driver, its options and the labels of a volume that a mount makes. */
async function volumesOfMounts(message: RequestMessage, context: EmulationContext): Promise<void> {
  for (const mount of mountsOf(message)) {
    const { DriverConfig: config, Labels: labels } = objectOf(mount['VolumeOptions'])
    const { Name: driver, Options: options } = objectOf(config)
    const name = stringOf(mount['Source'])
    if (mount['Type'] !== 'volume' || [driver, options, labels].every(isUnset)) continue
    if (name === '') throw new ProxyError('validation', NAMELESS)
    const body = { Name: name, Driver: driver ?? '', DriverOpts: options ?? {}, Labels: labels ?? {} }
    if ((await lookUp(`/volumes/${encodeURIComponent(name)}`, context)).status !== 404) continue
    await must(context, 'POST', '/volumes/create', { body })
  }
}

/** Moves volumes with NoCopy to `Binds`: Podman ignores the options of a volume in a mount. */
function uncopiedAsBinds({ body }: RequestMessage): void {
  moveElements(memberAt(body, 'HostConfig'), 'Mounts', 'Binds', (mount) => {
    const { Type: type, Source: source, Target: target, ReadOnly: readOnly, VolumeOptions } = objectOf(mount)
    const [name, path] = [stringOf(source), stringOf(target)]
    if (type !== 'volume' || memberAt(VolumeOptions, 'NoCopy') !== true) return undefined
    if (!VOLUME_NAME.test(name) || path.includes(':')) return undefined
    return bindText(name, path, [readOnly === true ? 'ro' : '', 'nocopy'])
  })
}

const STOP_TIMEOUT_S = 10

const creates = (answer: { status: number; body: JsonValue }) => ({
  calls: { 'GET /volumes/v': { status: 404, body: '' }, 'POST /volumes/create': answer },
})

const refused = { leg: 'requestUp', says: 'validation' } as const

const TRUE = /^(?:1|t|true)$/i
/** Options of a bridge that Podman only warns of; values like these change nothing. */
const BRIDGE_OPTIONS: Readonly<Record<string, RegExp>> = {
  'com.docker.network.bridge.host_binding_ipv4': /^(?:0\.0\.0\.0)?$/,
  'com.docker.network.bridge.enable_icc': TRUE,
  'com.docker.network.bridge.enable_ip_masquerade': TRUE,
}
const bridgeOption = ({ Driver: driver, Options: options }: JsonObject): string | undefined =>
  isUnset(driver) || driver === 'bridge'
    ? Object.entries(objectOf(options)).find(
        ([name, value]) => typeof value === 'string' && BRIDGE_OPTIONS[name]?.test(value) === false,
      )?.[0]
    : undefined

export default {
  'podman/unread-settings': {
    summary: 'A create ignores settings that confine a container, or choose what keeps its data.',
    see: 'pkg/api/handlers/compat/containers_create.go, cmd/podman/common/create_opts.go @v5.4.2, @v5.8.2',
    ops: [
      byHand('ContainerCreate', 'a container without network has the network mode none', { requestUp: withoutNetwork }),
      byHand('ContainerCreate', 'variables without a value are unset', { requestUp: unsetVariables }),
      onEach(CreateHostConfig, 'masked paths are security options', { requestUp: confinedPaths }),
      refusedWhere(CreateHostConfig, 'paths that are to be read-only', {
        ...{ ...refused, words: (path) => `Podman cannot make ${path} read-only in a container (ReadonlyPaths)` },
        finds: ({ ReadonlyPaths: paths }) =>
          listOf(paths)
            .map(stringOf)
            .find((path) => !READ_ONLY.includes(path)),
        samples: [[{ ReadonlyPaths: ['/etc'] }, '/etc']],
        stay: [{ ReadonlyPaths: ['/proc/bus'] }, { ReadonlyPaths: null }],
      }),
      refusedWhere(CreateHostConfig, 'a runtime', {
        ...{ ...refused, words: (name) => `Unknown runtime specified ${name}: Podman takes that of its configuration` },
        finds: ({ Runtime: name }) => (RUNTIMES.has(stringOf(name)) ? undefined : stringOf(name)),
        samples: [[{ Runtime: 'runsc' }, 'runsc']],
        stay: [{ Runtime: 'runc' }, {}],
      }),
      refusedWhere(CreateHostConfig, 'a volume driver', {
        ...{ ...refused, words: (name) => `Podman ignores VolumeDriver ${name}: create the volume first` },
        finds: ({ VolumeDriver: driver }) => (isUnset(driver) || driver === 'local' ? undefined : stringOf(driver)),
        samples: [[{ VolumeDriver: 'nfs' }, 'nfs']],
        stay: [{ VolumeDriver: 'local' }],
      }),
      refusedWhere(CreateHostConfig, 'a rule for devices', {
        ...{ ...refused, words: (rule) => `this Podman ignores the device rule ${rule}: 4.4 and newer do not` },
        finds: ({ DeviceCgroupRules: rules }, context) =>
          isPodmanBefore('4.4', context) ? listOf(rules).map(stringOf)[0] : undefined,
        samples: [[{ DeviceCgroupRules: ['c 13:* rwm'] }, 'c 13:* rwm']],
        stay: [{ DeviceCgroupRules: [] }],
      }),
      refusedWhere(NetworkCreateRequest, 'an option of a bridge', {
        ...{ ...refused, words: (name) => `Podman ignores the network option ${name}` },
        finds: bridgeOption,
        samples: [
          [{ Options: { 'com.docker.network.bridge.enable_icc': 'false' } }, 'com.docker.network.bridge.enable_icc'],
        ],
        stay: [{ Options: { 'com.docker.network.bridge.enable_icc': '1', a: 'b' } }],
      }),
      // Podman removes this file of the host together with the container; clients write it themselves.
      ignored(CreateHostConfig, 'ContainerIDFile', { sample: '/run/id' }),
      refusedWhere(onlyIn(MountVolumeOptions, 'ContainerCreate'), 'a part of a volume', {
        ...{ ...refused, words: (path) => `Podman would mount the whole volume, not ${path} of it (Subpath)` },
        finds: ({ Subpath: path }) => (isUnset(path) ? undefined : stringOf(path)),
        samples: [[{ Subpath: 'a' }, 'a']],
        stay: [{ Subpath: '' }],
      }),
      emulated('ContainerCreate', 'volumes of mounts are created first, and stay empty if they are to', {
        requestUp: async (message, context) => {
          await volumesOfMounts(message, context)
          uncopiedAsBinds(message)
        },
      }),
    ],
    examples: {
      'ContainerCreate requestUp body': [
        [{ NetworkDisabled: true }, { NetworkDisabled: true, HostConfig: { NetworkMode: 'none' } }],
        [{ Env: ['A=b', 'HOME'] }, { Env: ['A=b'], UnsetEnv: ['HOME'] }],
        [{ Env: ['A=b'] }],
        [{ Env: ['', 5, null] }],
      ],
      'ContainerCreate requestUp body.HostConfig': [
        [{ MaskedPaths: ['/a', '/b'] }, { MaskedPaths: ['/a', '/b'], SecurityOpt: ['mask=/a:/b'] }],
        [
          { MaskedPaths: [], ReadonlyPaths: [] },
          { MaskedPaths: [], ReadonlyPaths: [], SecurityOpt: ['systempaths=unconfined'] },
        ],
        [{ MaskedPaths: [] }],
        [{ MaskedPaths: [5] }],
        [
          {
            Mounts: [
              { Type: 'volume', Source: 'v', Target: '/v', ReadOnly: true, VolumeOptions: { NoCopy: true } },
              { Type: 'volume', Source: '/etc', Target: '/w', VolumeOptions: { NoCopy: true } },
            ],
          },
          {
            Mounts: [{ Type: 'volume', Source: '/etc', Target: '/w', VolumeOptions: { NoCopy: true } }],
            Binds: ['v:/v:ro,nocopy'],
          },
        ],
      ],
      'ContainerCreate requestUp body.HostConfig.Mounts.[]': [
        [
          { Type: 'volume', Source: 'v', VolumeOptions: { Labels: { a: 'b' } } },
          { Type: 'volume', Source: 'v', VolumeOptions: { Labels: { a: 'b' } } },
          creates({ status: 201, body: {} }),
        ],
        [
          { Type: 'volume', Source: 'v', VolumeOptions: { DriverConfig: { Name: 'nosuch' } } },
          /^plugin nosuch not found$/,
          creates({ status: 404, body: 'plugin nosuch not found' }),
        ],
      ],
    },
  },
  'podman/stop-timeout': {
    summary: 'A container that is made without a time to stop is killed at once, by a stop, too (before 4.7).',
    see: 'pkg/api/handlers/compat/containers_create.go:cliOpts @v4.3.1, @v4.7.0',
    ops: onEach(CreateBody, 'it is that of Docker', {
      requestUp: (config, context) => {
        if (isPodmanBefore('4.7', context)) config['StopTimeout'] ??= STOP_TIMEOUT_S
      },
    }),
    examples: { 'ContainerCreate requestUp body': [[{}, { StopTimeout: STOP_TIMEOUT_S }], [{ StopTimeout: 0 }]] },
  },
} satisfies PodmanChanges
