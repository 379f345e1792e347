import type { Change } from '../src/translate/change.ts'
import { endpointAdded } from '../src/translate/ops.ts'

export default [
  {
    id: '1.26/plugin-upgrade',
    gate: 'release',
    summary: 'A plugin can be upgraded.',
    see: 'docs/api/version-history.md v1.26',
    ops: [endpointAdded('PluginUpgrade', { missing: 404 })],
    examples: [
      { on: 'PluginUpgrade', leg: 'requestDown', before: { body: [] }, after: { refused: /^page not found$/ } },
    ],
  },
] satisfies Change[]
