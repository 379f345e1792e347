import type { JsonObject } from '../src/api/json/json.ts'
import { EventAttributes } from '../src/api/shapes/shapes.ts'
import { added, addedAll, type Changes, emulated, querySet } from '../src/translate/ops.ts'
import { NEVER } from '../src/translate/run/old-engines.ts'
import { EXIT_CODE, lookUpExitCode } from './emulate/exit-code.ts'
import containers from './v1.23/containers.ts'
import hostConfig from './v1.23/host-config.ts'
import imagesBuild from './v1.23/images-build.ts'
import systemNetworks from './v1.23/system-networks.ts'

const DIE = {
  Type: 'container',
  Action: 'die',
  status: 'die',
  id: 'c1',
  time: 1457568000,
  Actor: { ID: 'c1', Attributes: {} },
}
const ENDED = { Running: false, ExitCode: 3, StartedAt: '2016-03-09T23:59:59Z' }
const inspected = (State: JsonObject) => ({ 'GET /containers/c1/json': { body: { State } } })

const eventAttributes = {
  '1.23/event-attributes': {
    summary: 'Events have the exit code of a container and the signal it was sent.',
    see: 'daemon/events.go @v1.10.3; daemon/kill.go, daemon/monitor.go @v1.11.2',
    ops: [
      ...addedAll(EventAttributes, ['signal', 'execID'], { sample: '9' }),
      added(EventAttributes, 'exitCode', { sample: '3', up: (_attributes, { memory }) => memory.get(EXIT_CODE) }),
      emulated('SystemEvents', 'the exit code of a die is looked up', { responseUp: lookUpExitCode }),
    ],
    examples: {
      'SystemEvents responseUp body': [
        [DIE, { ...DIE, Actor: { ID: 'c1', Attributes: { exitCode: '3' } } }, { calls: inspected(ENDED) }],
        [DIE, DIE, { calls: { 'GET /containers/c1/json': { status: 404, body: 'no such id: c1' } } }],
        [DIE, DIE, { calls: inspected({ ...ENDED, StartedAt: '2016-03-10T00:00:05Z' }) }],
      ],
    },
  },
  '1.23/events-without-end': {
    summary: 'A stream of events without until does not end by itself.',
    // Engines 1.7 to 1.10 stop a timer that may have fired already: 7 of 20 such streams of a 1.10.3 ended at once.
    see: 'events/events.go:GetEvents @v1.6.2; api/server/router/system/system_routes.go:getEvents @v1.10.3, @v1.11.2; seen on engine 1.10.3',
    ops: querySet('SystemEvents', 'until', { after: NEVER, ifMissing: true }),
  },
} satisfies Changes

export default [containers, hostConfig, eventAttributes, imagesBuild, systemNetworks] satisfies readonly Changes[]
