import type { JsonValue } from '../../src/api/json/json.ts'
import { below } from '../../src/api/shapes/shape.ts'
import { ExecInspect } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import {
  added,
  emulated,
  filled,
  gated,
  only,
  removed,
  requestHeader,
  retyped,
  sameAs,
} from '../../src/translate/ops.ts'
import { embedContainer } from '../emulate/exec-inspect.ts'

const ProcessConfig = below(ExecInspect, 'ProcessConfig')

const SHOWN = { ID: 'e1', ContainerID: '1a2b' }
const asks = (body: JsonValue, status = 200) => ({
  params: { id: 'e1' },
  calls: { 'GET /containers/1a2b/json': { status, body } },
})

/** As engine 1.6 shows it; containers of 1.9 are in the recordings. */
const OF_1_6 = { Config: { Memory: 0 }, Volumes: { '/d': '/v' }, VolumesRW: { '/d': true } }
const EMBEDDED = { ID: '1a2b', ...OF_1_6, ExecDriver: 'native-0.2', AppliedVolumesFrom: null, UpdateDns: false }

export default {
  '1.22/exec-inspect-shape': {
    summary: 'Exec inspect has the id of the container; before, the whole container.',
    see: 'docs/api/v1.21.md, v1.22.md, Exec Inspect; daemon/exec.go:ExecConfig @v1.9.1; types/backend.ExecInspect @v1.10.3; recorded on 1.6.2 … 1.10.3, 20.10.24',
    ops: [
      emulated('ExecInspect', 'the container is inspected and embedded', { responseDown: embedContainer }),
      added(ExecInspect, 'ContainerID', { sample: '1a2b', up: sameAs('Container.ID', '') }),
      // Engines up to 1.9 know whether an exec can be removed, but do not show it.
      added(ExecInspect, 'CanRemove', { sample: true, up: false }),
      added(ExecInspect, 'DetachKeys', { sample: 'x', up: '' }),
      ...only({ legs: ['responseUp'] }, removed(ExecInspect, 'Container', { down: {} })),
      // No version of the documents introduced Pid.
      ...only({ legs: ['responseDown'] }, added(ExecInspect, 'Pid', { sample: 12 })),
    ],
    examples: {
      'ExecInspect responseDown body': [
        [SHOWN, { ID: 'e1', Container: EMBEDDED }, { client: '1.18', ...asks({ Id: '1a2b', ...OF_1_6 }) }],
        [SHOWN, /^No such exec instance 'e1' found in daemon$/, asks('No such container: 1a2b', 404)],
      ],
    },
  },
  '1.22/exec-exitcode-null': {
    summary: 'The exit code of an exec is null until it has ended; before, 0.',
    see: 'types/backend @v1.10.3; recorded on 1.9.1, 1.10.3, 1.12.6 (exec-inspect-new, exec-inspect-running)',
    ops: [
      retyped(ExecInspect, 'ExitCode', {
        toOlder: [[null, 0]],
        samples: {
          toNewer: [
            [0, null, { with: { Running: true } }],
            [0, 0, { with: { Running: false } }],
          ],
        },
        toNewer: (_code, { Running }) => (Running === true ? null : undefined),
      }),
      // Engines of 1.22 still send both; from 1.12 on they are left out when unset.
      ...gated({ from: '1.24' }, filled(ProcessConfig, 'privileged', false), filled(ProcessConfig, 'user', '')),
    ],
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
