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
      queryAdded('ImageList', 'identity', { onLoss: 'ignore' }),
      added(ImageListItem, 'Identity', { onLoss: 'ignore' }),
      queryAdded('ContainerLogs', 'format', { onLoss: 'refuse', neutral: (value) => value !== 'json' }),
    ],
    examples: [
      { on: 'ImageList', leg: 'requestUp', before: { query: 'identity=1' }, after: { query: '' } },
      { on: 'ImageList', leg: 'requestDown', before: { query: 'identity=1' }, after: { query: '' } },
      { on: 'ContainerLogs', leg: 'requestUp', before: { query: 'format=json' }, after: { query: '' } },
      {
        on: 'ContainerLogs',
        leg: 'requestDown',
        before: { query: 'stdout=1&format=json' },
        after: { refused: /format .* needs API 1\.54/ },
      },
      {
        on: 'ImageList',
        leg: 'responseDown',
        before: { body: [{ Id: 'i', Identity: {} }] },
        after: { body: [{ Id: 'i' }] },
      },
    ],
  },
] satisfies Change[]
