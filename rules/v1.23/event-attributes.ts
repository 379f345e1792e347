import { isObject } from '../../src/api/json/json.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'

export default [
  {
    id: '1.23/event-attributes',
    gate: 'release',
    summary: 'Events say with which code a container ended and which signal it was sent.',
    see: 'daemon/events.go @v1.10.3; daemon/kill.go, daemon/monitor.go @v1.11.2',
    ops: [
      byHand('SystemEvents', 'the exit code, the signal and the id of an exec are no attributes', {
        elementwise: true,
        stripsNewer: true,
        responseDown: ({ body }) => {
          const actor = isObject(body) && body['Type'] === 'container' ? body['Actor'] : undefined
          const attributes = isObject(actor) ? actor['Attributes'] : undefined
          if (isObject(attributes)) for (const name of ['exitCode', 'signal', 'execID']) delete attributes[name]
        },
      }),
    ],
    examples: {
      'SystemEvents responseDown body': [
        [
          { Type: 'container', Action: 'kill', Actor: { Attributes: { signal: '9' } } },
          { Type: 'container', Action: 'kill', Actor: { Attributes: {} } },
        ],
        [{ Type: 'network', Action: 'create', Actor: { Attributes: { signal: 'x' } } }],
      ],
    },
  },
] satisfies Change[]
