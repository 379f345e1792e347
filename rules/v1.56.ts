import { isObject, type JsonValue } from '../src/api/json/json.ts'
import { HostConfig } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, byHand, isTrue } from '../src/translate/ops.ts'
import { takeFilter } from './by-hand/filters.ts'

const PRUNES = ['ContainerPrune', 'ImagePrune', 'VolumePrune', 'NetworkPrune', 'BuildPrune'] as const
const STREAMED = 'prune-streamed'
const ANNOTATIONS = 'list-annotations'
/** The list shows annotations from this version on. */
const LIST_HAS_ANNOTATIONS = 46

/** `key` or `key=value`, as filters of labels are. */
function hasAnnotation(container: JsonValue, wanted: JsonValue): boolean {
  const hostConfig = isObject(container) ? container['HostConfig'] : undefined
  const annotations = isObject(hostConfig) && isObject(hostConfig['Annotations']) ? hostConfig['Annotations'] : {}
  const [key = '', ...value] = String(wanted).split('=')
  return Object.hasOwn(annotations, key) && (value.length === 0 || annotations[key] === value.join('='))
}

export default [
  {
    id: '1.56/misc',
    gate: 'prefix',
    summary: 'Prunes can report as they go, the list can be filtered by annotation, HostConfig has a Umask.',
    see: 'docs/api/version-history.md v1.56 (moby 017c45f3)',
    ops: [
      added(HostConfig, 'Umask', { sample: '0077', onLoss: 'refuse' }),
      byHand(PRUNES, 'the report may come as a stream', {
        requestUp: ({ query }) => query.delete('stream'),
        requestDown: ({ query }, { memory }) => {
          memory.set(STREAMED, isTrue(query.get('stream')))
          query.delete('stream')
        },
        responseUp: (message, { memory }) => {
          if (memory.get(STREAMED) === true && message.body !== undefined) message.body = { aux: message.body }
        },
      }),
      byHand('ContainerList', 'annotations can be filtered for', {
        requestUp: ({ query }) => {
          takeFilter(query, 'annotation')
        },
        requestDown: ({ query }, context, change) => {
          const wanted = takeFilter(query, 'annotation') ?? []
          if (wanted.length === 0) return
          if (context.target < LIST_HAS_ANNOTATIONS)
            context.lose({ what: 'filter annotation', needs: change.version, change: change.id, onLoss: 'refuse' })
          context.memory.set(ANNOTATIONS, wanted)
        },
        responseUp: (message, { memory }) => {
          const wanted = memory.get(ANNOTATIONS)
          if (Array.isArray(wanted) && Array.isArray(message.body))
            message.body = message.body.filter((item) => wanted.every((annotation) => hasAnnotation(item, annotation)))
        },
      }),
    ],
    examples: {
      'ImagePrune requestUp': [['stream=1', '']],
      'ImagePrune requestDown': [['stream=1', '']],
      'ImagePrune responseUp': [
        [{ body: { SpaceReclaimed: 0 } }, { body: { aux: { SpaceReclaimed: 0 } } }, { asked: 'stream=1' }],
      ],
      'ContainerList requestUp': [['all=1&filters=%7B%22annotation%22%3A%5B%22a%22%5D%7D', 'all=1']],
      'ContainerList requestDown': [['all=1&filters=%7B%22annotation%22%3A%5B%22a%22%5D%7D', 'all=1']],
    },
  },
] satisfies Change[]
