import { byHand, type Changes, filterValuesAdded } from '../src/translate/ops.ts'
import { removedAfterImage } from './by-hand/build-text.ts'

/** Types of swarm objects, which have no events on older engines. */
const SWARM = ['config', 'node', 'secret', 'service']

export default {
  '1.33/event-filter-kinds': {
    summary: 'Events can be filtered by config, node, secret and service; before, such filters were ignored.',
    ops: [
      filterValuesAdded('SystemEvents', SWARM, { before: [] }),
      filterValuesAdded('SystemEvents', 'type', { values: SWARM }),
    ],
  },
  '1.33/build-removed-order': {
    summary: 'A build prints the removal of a step’s container before the image id of the step; before, after it.',
    see: 'builder/dockerfile/evaluator.go @v17.10.0-ce, builder.go @v17.09.0-ce',
    ops: byHand('ImageBuild', 'the line about the removal follows that with the image id', {
      elementwise: true,
      responseDown: removedAfterImage,
    }),
    examples: { 'ImageBuild responseDown body': [[{ stream: 'Removing intermediate container 0a\n' }, 'dropped']] },
  },
} satisfies Changes
