import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import { askedFirst, type Change, filled, inspectPath, isTrue } from '../../src/translate/ops.ts'
import { containerOf } from '../emulate/stats-container.ts'

const inspected = { 'GET /containers/web/json': { body: { Id: 'c1', Name: '/web', State: { Running: true } } } }

export const statsOfOneShot = {
  summary: 'A one-shot reading of stats names its container too.',
  see: 'seen on 26.1 and 28.5, which omit id and name, and on 29.8',
  ops: [
    askedFirst('ContainerStats', 'the container’s name and id are looked up', (context) => {
      const path = inspectPath(context)
      return isTrue(context.call.query.get('one-shot')) && context.allows?.('GET', path) !== false ? path : undefined
    }),
    filled(StatsRecord, 'id', (_record, context) => containerOf(context)['Id'], { leg: 'responseUp' }),
    filled(StatsRecord, 'name', (_record, context) => containerOf(context)['Name'], { leg: 'responseUp' }),
  ],
  examples: {
    'ContainerStats responseUp body': [
      [
        { read: 't' },
        { read: 't', name: '/web', id: 'c1' },
        { params: { name: 'web' }, asked: 'one-shot=1&stream=0', calls: inspected },
      ],
      [{ read: 't' }, { read: 't' }, { params: { name: 'web' }, asked: 'stream=0' }],
    ],
  },
} satisfies Change
