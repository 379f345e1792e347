import { ImageListItem } from '../src/api/shapes/shapes.ts'
import type { Change } from '../src/translate/change.ts'
import { added, queryAdded } from '../src/translate/ops.ts'

export default [
  {
    id: '1.54/misc',
    gate: 'prefix',
    // The MAC address of connect is a change of its own: 1.52/connect-mac.
    summary: 'The list of images can say where each comes from, logs can be JSON.',
    see: 'docs/api/version-history.md v1.54; api/server/router/container/container_routes.go:getContainersLogs',
    ops: [
      queryAdded('ImageList', 'identity', { sample: '1', onLoss: 'ignore' }),
      added(ImageListItem, 'Identity', { sample: { a: 'b' }, onLoss: 'ignore' }),
      queryAdded('ContainerLogs', 'format', { sample: 'json', onLoss: 'refuse', neutral: (value) => value !== 'json' }),
    ],
  },
] satisfies Change[]
