import { memberAt } from '../src/api/json/json.ts'
import { HostConfig } from '../src/api/shapes/shapes.ts'
import { added, type Changes, filterAdded, filterApplied, hasLabel } from '../src/translate/ops.ts'

const annotated = (value: string) => ({ HostConfig: { Annotations: { a: value } } })

export default {
  '1.56/umask': {
    gate: 'prefix',
    summary: 'A container can have a umask, given as a number.',
    see: 'docs/api/v1.56.yaml, HostConfig (moby 1bb816fa, which cut it)',
    ops: added(HostConfig, 'Umask', { sample: 18, saysByBeing: true, onLoss: 'refuse' }),
  },
  '1.56/filter-annotation': {
    gate: 'prefix',
    summary: 'The list can be filtered by annotation.',
    see: 'docs/api/v1.56.yaml, ContainerList (moby 1bb816fa, which cut it)',
    ops: [
      filterAdded('ContainerList', 'annotation', { ignored: true }),
      filterApplied('ContainerList', ['annotation'], {
        keeps: { annotation: (wanted, { HostConfig: config }) => hasLabel(memberAt(config, 'Annotations'), wanted) },
        refuses: 'filter annotation, on engines before 1.46',
        checks: (_filters, context, { id, version }) => {
          if (context.target < 46)
            context.lose({ what: 'filter annotation', needs: version, change: id, onLoss: 'refuse' })
        },
        samples: [{ asks: '{"annotation":["a=1"]}', keeps: annotated('1'), drops: annotated('2') }],
      }),
    ],
    examples: {
      'ContainerList requestDown': [
        ['filters={"annotation":["a=1"]}', /filter annotation .* needs API 1\.56/, { client: '1.56', engine: '1.45' }],
      ],
    },
  },
} satisfies Changes
