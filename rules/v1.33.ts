import { byHand, type Changes } from '../src/translate/ops.ts'
import { removedAfterImage } from './by-hand/build-text.ts'
import { whenSilent, withoutSwarmKinds } from './by-hand/silent-events.ts'

export default {
  '1.33/event-filter-kinds': {
    summary: 'Events can be filtered by config, node, secret and service; before, such filters were ignored.',
    see: 'docs/api/version-history.md v1.33',
    ops: [
      byHand('SystemEvents', 'types that older engines lack are removed from the filter', {
        part: 'head',
        requestDown: withoutSwarmKinds,
      }),
      byHand('SystemEvents', 'no records if the filter names only such types', { responseUp: whenSilent }),
    ],
    examples: {
      'SystemEvents requestDown': [
        [
          'since=1&filters={"type":["service","container"],"label":["a"]}',
          'since=1&filters={"type":["container"],"label":["a"]}',
        ],
        ['filters={"node":{"n1":true}}', ''],
      ],
      'SystemEvents responseUp body': [
        [{ Type: 'container', Action: 'start' }, 'dropped', { asked: 'filters={"type":["service"]}' }],
      ],
    },
  },
  '1.33/build-removed-order': {
    summary: 'A build prints the removal of a step’s container before the image id of the step; before, after it.',
    see: 'builder/dockerfile/evaluator.go @v17.10.0-ce, builder.go @v17.09.0-ce',
    ops: byHand('ImageBuild', 'the line about the removal follows that with the image id', {
      elementwise: true,
      responseDown: removedAfterImage,
    }),
    examples: {
      'ImageBuild responseDown body': [[{ stream: 'Removing intermediate container 0a\n' }, 'dropped']],
    },
  },
} satisfies Changes
