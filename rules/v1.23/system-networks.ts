import { Info, Network, NetworkCreateRequest, Volume, VolumeCreateRequest } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, filterApplied, headRetyped, removed, retyped, statusChanged } from '../../src/translate/ops.ts'
import { isAnchored, matchesAnchored } from '../by-hand/anchored-names.ts'

export default {
  '1.23/info-cgroup-driver': {
    summary: 'Info has the cgroup driver and kernel memory, and no longer an init program or an execution driver.',
    see: 'engine-api types:Info @v1.10.3, @v1.11.2; recordings info 1.10.3, 1.12.6',
    ops: [
      added(Info, 'CgroupDriver', { sample: 'systemd', up: 'cgroupfs' }),
      added(Info, 'KernelMemory', { sample: true, up: true }),
      // Paths of files of the engine, which cannot be derived.
      removed(Info, 'InitSha1', { down: '' }),
      removed(Info, 'InitPath', { down: '' }),
      // Engines 1.11 and 1.12 show it empty; 1.24/info-fields and 1.25/info-new do the rest.
      retyped(Info, 'ExecutionDriver', {
        samples: [['native-0.2', '']],
        toOlder: (value) => (value === '' || value === '<not supported>' ? 'native-0.2' : undefined),
        toNewer: () => '',
      }),
    ],
  },
  '1.23/network-flags': {
    summary: 'Networks have labels and can have IPv6.',
    see: 'docs/api/v1.23.md, Networks; engine-api types:NetworkResource, NetworkCreate @v1.11.2',
    ops: [
      added(Network, 'EnableIPv6', { sample: true, up: false }),
      // Engine 1.10 has internal networks (1.22/network-internal) but does not show it.
      added(Network, 'Internal', { sample: true, up: false }),
      added(Network, 'Labels', { sample: { a: 'b' }, up: {} }),
      added(NetworkCreateRequest, 'EnableIPv6', { sample: true, onLoss: 'refuse' }),
      added(NetworkCreateRequest, 'Labels', { sample: { a: 'b' }, onLoss: 'warn' }),
    ],
  },
  '1.23/network-delete-status': {
    summary: 'Removing a network answers 204; before, 200 with an empty body.',
    see: 'api/server/router/network/network_routes.go @v1.10.3, @v1.11.2 (documents: from 1.24); recordings network-delete',
    ops: [
      statusChanged('NetworkDelete', { before: 200, after: 204 }),
      headRetyped('NetworkDelete', 'response header Content-Length', { toOlder: '0', toNewer: null }),
    ],
  },
  '1.23/volume-fields': {
    summary: 'Volumes have labels, and a status from their driver.',
    see: 'docs/api/v1.23.md, Volumes; engine-api types:Volume @v1.11.2',
    ops: [
      added(Volume, 'Labels', { sample: { a: 'b' }, up: null }),
      added(Volume, 'Status', { sample: { a: 1 } }),
      added(VolumeCreateRequest, 'Labels', { sample: { a: 'b' }, onLoss: 'warn' }),
    ],
  },
  '1.23/volume-filters': {
    from: '1.24',
    summary: 'Volumes can be filtered by name and driver.',
    see: 'version-history.md v1.23; the engine has it from 1.12: daemon/list.go:acceptedVolumeFilterTags @v1.11.2, @v1.12.6',
    ops: filterApplied('VolumeList', ['name', 'driver'], {
      member: 'Volumes',
      keeps: {
        name: (pattern, { Name: name }) => matchesAnchored(pattern, String(name)),
        driver: (wanted, { Driver: driver }) => wanted === driver,
      },
      refuses: 'the filter name with a regular expression',
      checks: (filters, context, { id, from }) => {
        if (!(filters.get('name') ?? []).every(isAnchored))
          context.lose({ what: 'filter name with an expression', needs: from, change: id, onLoss: 'refuse' })
      },
      samples: [
        { asks: '{"name":["^db"]}', keeps: { Name: 'db1' }, drops: { Name: 'olddb' } },
        { asks: '{"driver":["local"]}', keeps: { Driver: 'local' }, drops: { Driver: 'nfs' } },
      ],
    }),
    examples: { 'VolumeList requestDown': [['filters={"name":["a(b|c)+"]}', /filter name .* needs API 1\.24/]] },
  },
} satisfies Changes
