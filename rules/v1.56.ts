import { isObject, type JsonObject, type JsonValue } from '../src/api/json/json.ts'
import { HostConfig } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { takeFilter } from '../src/translate/ops/calls/filter-values.ts'
import { added, byHand } from '../src/translate/ops.ts'

const ANNOTATIONS = 'list-annotations'
const LIMIT = 'list-limit'
/** The list shows annotations from this version on. */
const LIST_HAS_ANNOTATIONS = 46

/** `key` or `key=value`, as filters of labels are. */
function hasAnnotation(container: JsonValue, wanted: JsonValue): boolean {
  const hostConfig = isObject(container) ? container['HostConfig'] : undefined
  const annotations = isObject(hostConfig) && isObject(hostConfig['Annotations']) ? hostConfig['Annotations'] : {}
  const [key = '', ...value] = String(wanted).split('=')
  return Object.hasOwn(annotations, key) && (value.length === 0 || annotations[key] === value.join('='))
}

const BY_A = 'filters=%7B%22annotation%22%3A%5B%22a%3D1%22%5D%7D'
const annotated = (id: string): JsonObject => ({ Id: id, HostConfig: { Annotations: { a: '1' } } })

export default [
  {
    id: '1.56/misc',
    gate: 'prefix',
    summary: 'The list can be filtered by annotation, HostConfig has a Umask, a number.',
    see: 'docs/api/v1.56.yaml, HostConfig and ContainerList (moby 1bb816fa, which cut it)',
    ops: [
      added(HostConfig, 'Umask', { sample: 18, saysByBeing: true, onLoss: 'refuse' }),
      byHand('ContainerList', 'annotations can be filtered for', {
        onLoss: 'refuse',
        loses: 'filter annotation',
        losesOn: 'requestDown',
        requestUp: ({ query }) => {
          takeFilter(query, 'annotation')
        },
        requestDown: ({ query }, context, change) => {
          const wanted = takeFilter(query, 'annotation') ?? []
          if (wanted.length === 0) return
          if (context.target < LIST_HAS_ANNOTATIONS)
            context.lose({ what: 'filter annotation', needs: change.version, change: change.id, onLoss: 'refuse' })
          context.memory.set(ANNOTATIONS, wanted)
          const limit = Number(query.get('limit') ?? 0)
          if (!(limit > 0)) return
          // The engine would count those that are taken out here; with a limit it lists stopped containers too.
          query.delete('limit')
          query.set('all', '1')
          context.memory.set(LIMIT, limit)
        },
        responseUp: (message, { memory }) => {
          const wanted = memory.get(ANNOTATIONS)
          if (!Array.isArray(wanted) || !Array.isArray(message.body)) return
          const found = message.body.filter((item) => wanted.every((annotation) => hasAnnotation(item, annotation)))
          message.body = found.slice(0, Number(memory.get(LIMIT) ?? found.length))
        },
      }),
    ],
    examples: {
      'ContainerList requestDown': [
        [{ query: BY_A }, /filter annotation .* needs API 1\.56/, { client: '1.56', engine: '1.45' }],
      ],
      'ContainerList responseUp': [
        [
          { body: [{ Id: 'none' }, annotated('one'), annotated('two')] },
          { body: [annotated('one')] },
          { asked: { query: `limit=1&${BY_A}` } },
        ],
      ],
    },
  },
] satisfies Change[]
