import { StatsRecord } from '../../src/api/shapes/shapes.ts'
import { type Change, emulated, filled, isTrue } from '../../src/translate/ops.ts'
import { containerOf, rememberContainer } from '../emulate/stats-container.ts'

const inspected = { 'GET /containers/web/json': { body: { Id: 'c1', Name: '/web', State: { Running: true } } } }

export const statsOfOneShot = {
  summary: 'A one-shot reading of stats names its container too.',
  see: 'seen on 26.1 and 28.5, which omit id and name, and on 29.8',
  ops: [
    emulated('ContainerStats', 'the container’s name and id are looked up', {
      part: 'head',
      requestDown: async (message, context) => {
        const { query, params } = context.call
        const inspect = `/containers/${encodeURIComponent(params['name'] ?? '')}/json`
        if (!isTrue(query.get('one-shot')) || context.allows?.('GET', inspect) === false) return
        await rememberContainer(message, context)
      },
    }),
    ...['id', 'name'].map((member) =>
      filled(StatsRecord, member, (_record, context) => containerOf(context)?.[member], { leg: 'responseUp' }),
    ),
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
