import { Plugin } from '../src/api/shapes/shapes.ts'
import { added, type Changes, endpointAdded } from '../src/translate/ops.ts'

export default {
  '1.26/plugin-upgrade': {
    summary: 'A plugin can be upgraded, and shows the reference it was installed from.',
    see: 'docs/api/version-history.md v1.26; api/types/plugin.go @v1.13.1',
    ops: [endpointAdded('PluginUpgrade', { missing: 404 }), added(Plugin, 'PluginReference', { sample: 'p:1' })],
  },
} satisfies Changes
