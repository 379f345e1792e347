import { isObject } from '../../src/api/json/json.ts'
import { below } from '../../src/api/shapes/shape.ts'
import { ExecInspect } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, emulated, filled, gated, only, removed, requestHeader, retyped } from '../../src/translate/ops.ts'
import { embedContainer } from '../emulate/exec-inspect.ts'

const ProcessConfig = below(ExecInspect, 'ProcessConfig')

const NEW_EXEC = { CanRemove: false, ContainerID: '1a2b', DetachKeys: '', ID: 'e1' }
const INSPECTED = {
  Id: '1a2b',
  State: { Running: true, Status: 'running' },
  Config: { Hostname: '1a2b', Memory: 0, MacAddress: '', Cmd: ['sh'] },
  ResolvConfPath: '/var/lib/docker/containers/1a2b/resolv.conf',
  Mounts: [
    { Type: 'volume', Name: 'data', Source: '/v/data/_data', Destination: '/d', Driver: 'local', Mode: 'z', RW: true },
  ],
  NetworkSettings: { Bridge: '', IPAddress: '172.17.0.2', Networks: { bridge: {} } },
  HostConfig: {},
}
const OF_1_6 = { Config: { Memory: 0 }, Volumes: { '/d': '/v' }, VolumesRW: { '/d': true } }
const FOLDER = '/var/lib/docker/containers/1a2b'
const MOUNT_POINTS = { '/d': { Name: 'data', Driver: 'local', RW: true, Source: '', Relabel: 'z', Destination: '/d' } }

export default {
  '1.22/exec-inspect-shape': {
    summary: 'Exec inspect has the id of the container; before, the whole container.',
    see: 'docs/api/v1.21.md, v1.22.md, Exec Inspect; daemon/exec.go:ExecConfig @v1.9.1; types/backend.ExecInspect @v1.10.3; recorded on 1.6.2 … 1.10.3, 20.10.24',
    ops: [
      emulated('ExecInspect', 'the container is inspected and embedded', { responseDown: embedContainer }),
      added(ExecInspect, 'ContainerID', {
        sample: '1a2b',
        up: ({ Container }) => (isObject(Container) ? (Container['ID'] ?? '') : ''),
        upSamples: [[{ Container: { ID: '1a2b' } }, '1a2b']],
      }),
      // Engines up to 1.9 know whether an exec can be removed, but do not show it.
      added(ExecInspect, 'CanRemove', { sample: true, up: false }),
      added(ExecInspect, 'DetachKeys', { sample: 'x', up: '' }),
      ...only({ legs: ['responseUp'] }, removed(ExecInspect, 'Container', { down: {} })),
      // No version of the documents introduced Pid.
      ...only({ legs: ['responseDown'] }, added(ExecInspect, 'Pid', { sample: 12 })),
    ],
    examples: {
      'ExecInspect responseDown body': [
        [
          NEW_EXEC,
          {
            ID: 'e1',
            Container: {
              ID: '1a2b',
              State: { Running: true },
              Config: { Hostname: '1a2b', Cmd: ['sh'] },
              ResolvConfPath: `${FOLDER}/resolv.conf`,
              ExecDriver: 'native-0.2',
              MountPoints: MOUNT_POINTS,
              Volumes: {},
              VolumesRW: {},
              NetworkSettings: { Bridge: '', Networks: { bridge: {} }, IsAnonymousEndpoint: false },
              HasBeenStartedBefore: false,
              HasBeenManuallyStopped: false,
              ShmPath: `${FOLDER}/shm`,
              MqueuePath: `${FOLDER}/mqueue`,
            },
          },
          { calls: { 'GET /containers/1a2b/json': { body: INSPECTED } } },
        ],
        [
          NEW_EXEC,
          {
            ID: 'e1',
            Container: { ID: '1a2b', ...OF_1_6, ExecDriver: 'native-0.2', AppliedVolumesFrom: null, UpdateDns: false },
          },
          { client: '1.18', calls: { 'GET /containers/1a2b/json': { body: { Id: '1a2b', ...OF_1_6 } } } },
        ],
        [
          NEW_EXEC,
          /^No such exec instance 'e1' found in daemon$/,
          {
            params: { id: 'e1' },
            calls: { 'GET /containers/1a2b/json': { status: 404, body: 'No such container: 1a2b' } },
          },
        ],
      ],
    },
  },
  '1.22/exec-exitcode-null': {
    summary: 'The exit code of an exec is null until it has ended; before, 0.',
    see: 'types/backend @v1.10.3; recorded on 1.9.1, 1.10.3, 1.12.6 (exec-inspect-new, exec-inspect-running)',
    ops: [
      retyped(ExecInspect, 'ExitCode', {
        toOlder: [[null, 0]],
        toNewer: (_code, { Running }) => (Running === true ? null : undefined),
      }),
      // Engines of 1.22 still send both; from 1.12 on they are left out when unset.
      ...gated({ from: '1.24' }, filled(ProcessConfig, 'privileged', false), filled(ProcessConfig, 'user', '')),
    ],
    examples: {
      'ExecInspect responseUp body': [
        [
          { Running: true, ExitCode: 0 },
          { Running: true, ExitCode: null },
        ],
        [{ Running: false, ExitCode: 0 }],
      ],
    },
  },
  '1.22/exec-start-content-type': {
    gate: 'prefix',
    // Engine 26 requires it at every prefix.
    prefixCodeGoneFrom: '1.45',
    summary: 'The body of exec start needs a Content-Type of JSON.',
    see: 'api/server/router/container/exec.go @v1.10.3 … v25; httputils.ReadJSON @v26',
    ops: requestHeader('ExecStart', 'Content-Type', { before: 'application/json' }),
  },
} satisfies Changes
