import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import type { ResponseLeg } from '../../src/translate/change.ts'
import type { ExampleTable } from '../../src/translate/example.ts'
import { askedFirst, type Change, filled, inspectPath, isTrue } from '../../src/translate/ops.ts'
import { containerOf } from '../emulate/stats-container.ts'

const inspected = { 'GET /containers/web/json': { body: { Id: 'c1', Name: '/web', State: { Running: true } } } }

const rows: ExampleTable['ContainerStats responseUp body'] = [
  [{ read: 't' }, { read: 't', name: '/web', id: 'c1' }, { asked: 'one-shot=1&stream=0', calls: inspected }],
  [{ read: 't' }, { read: 't' }, { asked: 'stream=0' }],
]

/** A one-shot reading of stats names its container on one side of a version: `leg` gives the names to those that expect them. */
export const statsOfOneShot = (summary: string, see: string, leg: ResponseLeg): Change => ({
  summary,
  see,
  ops: [
    askedFirst(
      'ContainerStats',
      'the container’s name and id are looked up',
      (context) => {
        const path = inspectPath(context)
        return isTrue(context.call.query.get('one-shot')) && context.allows('GET', path) ? path : undefined
      },
      leg === 'responseUp' ? 'requestDown' : 'requestUp',
    ),
    filled(StatsRecord, 'id', (_record, context) => containerOf(context)['Id'], { leg }),
    filled(StatsRecord, 'name', (_record, context) => containerOf(context)['Name'], { leg }),
  ],
  examples: { [`ContainerStats ${leg} body`]: rows },
})
