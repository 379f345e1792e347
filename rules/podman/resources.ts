import { ProxyError } from '../../src/api/errors.ts'
import { isUnset, type JsonObject, type JsonValue, listOf, objectOf, stringOf } from '../../src/api/json/json.ts'
import { UpdateConfig } from '../../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { onEach, refusedWhere, retyped } from '../../src/translate/ops.ts'
import { CreateHostConfig } from '../by-hand/places.ts'

const GPU = 'nvidia.com/gpu='
const MOST_GPUS = 64
/** Before 5.4 a create reads no requests of devices at all. */
const WITHOUT_CDI = /^(?:4|5\.[0-3])\./
const NOT_CDI = 'could not select device driver: Podman knows GPUs and devices of CDI, from 5.4 on'

/** The devices of a request as CDI names them. */
function devicesOf(request: JsonValue): string[] {
  const { Driver: driver, DeviceIDs: given, Capabilities: capabilities, Count: count } = objectOf(request)
  const ids = listOf(given).map(stringOf)
  if (driver === 'cdi') return ids
  if (typeof (count ?? 0) !== 'number') throw new ProxyError('validation', 'DeviceRequests: Count must be a number')
  const isGpu = listOf(capabilities).flat().includes('gpu') && (isUnset(driver) || driver === 'nvidia')
  if (!isGpu) throw new ProxyError('validation', NOT_CDI)
  if (ids.length > 0) return ids.map((id) => `${GPU}${id}`)
  return Number(count) < 0
    ? [`${GPU}all`]
    : Array.from({ length: Math.min(Number(count), MOST_GPUS) }, (_, i) => `${GPU}${i}`)
}

/** As `podman run --gpus` reads it. */
function gpusByCdi(host: JsonObject, { engine }: StepContext): void {
  const { DeviceRequests: requests } = host
  if (!Array.isArray(requests) || requests.length === 0) return
  if (WITHOUT_CDI.test(engine.release)) throw new ProxyError('validation', NOT_CDI)
  host['DeviceRequests'] = [{ Driver: 'cdi', DeviceIDs: requests.flatMap(devicesOf) }]
}

const LEAST_MEMORY = 6 * 1024 * 1024
const gpus = { Capabilities: [['gpu']] }

export default {
  'podman/device-requests': {
    summary: 'A create ignores requests of devices (`--gpus`) that do not name them as CDI does.',
    see: 'pkg/api/handlers/compat/containers_create.go, cmd/podman/containers/create.go @v5.4.2',
    ops: onEach(CreateHostConfig, 'GPUs are devices of CDI, others are refused', { requestUp: gpusByCdi }),
    examples: {
      'ContainerCreate requestUp body.HostConfig': [
        [
          { DeviceRequests: [{ ...gpus, Count: -1 }] },
          { DeviceRequests: [{ Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=all'] }] },
        ],
        [
          {
            DeviceRequests: [
              { ...gpus, Count: 2 },
              { ...gpus, Driver: 'nvidia', DeviceIDs: ['7'] },
            ],
          },
          {
            DeviceRequests: [
              { Driver: 'cdi', DeviceIDs: ['nvidia.com/gpu=0', 'nvidia.com/gpu=1', 'nvidia.com/gpu=7'] },
            ],
          },
        ],
        [{ DeviceRequests: [{ Driver: 'x' }] }, /^could not select device driver/],
        [{ DeviceRequests: [{ Driver: 'cdi', DeviceIDs: ['a/b=c'] }] }],
        [{ DeviceRequests: [] }],
      ],
    },
  },
  'podman/init-in-other-processes': {
    summary: 'A container among the processes of the host or of another container is not created with an init.',
    see: 'pkg/specgen/generate/storage.go @v5.4.2; daemon/oci_linux.go:WithCommonOptions @v20.10.24',
    ops: retyped(CreateHostConfig, 'Init', {
      toNewer: (init, { PidMode: mode }) =>
        init === true && !['', 'private'].includes(stringOf(mode)) ? false : undefined,
      description: 'HostConfig.Init is false there',
      samples: [[true, false, { with: { PidMode: 'host' } }], [true, true, { with: { PidMode: '' } }], [true]],
    }),
  },
  'podman/least-memory': {
    summary: 'A limit of memory in which no process fits is taken.',
    see: 'daemon/daemon_unix.go:linuxMinMemory @v20.10.24',
    ops: [CreateHostConfig, UpdateConfig].map((shape) =>
      refusedWhere(shape, 'too little memory', {
        ...{ leg: 'requestUp', says: 'validation', words: () => 'Minimum memory limit allowed is 6MB' },
        finds: ({ Memory: memory }) => (Number(memory) > 0 && Number(memory) < LEAST_MEMORY ? 'too little' : undefined),
        samples: [[{ Memory: 5_000_000 }, 'too little']],
        stay: [{ Memory: LEAST_MEMORY, MemorySwap: 0, RestartPolicy: { Name: 'no' } }],
      }),
    ),
  },
} satisfies PodmanChanges
