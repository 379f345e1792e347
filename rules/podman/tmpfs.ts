import { isObject, isUnset, memberAt, objectOf, setMember, stringOf } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { HostConfig } from '../../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { RequestMessage } from '../../src/translate/message.ts'
import { byHand, retyped } from '../../src/translate/ops.ts'
import { objectAt } from '../by-hand/endpoints.ts'
import { tmpfsAsAsked } from '../by-hand/mount-options.ts'
import { tmpfsOptions } from '../v1.25/host-mounts.ts'

/** Docker's, where no word says otherwise. */
const DEFAULTS = [
  [/^(?:no)?exec$/, 'noexec'],
  [/^(?:no)?tmpcopyup$/, 'notmpcopyup'],
] as const

/** The list in `Mounts` knows no options for this: its mode would be 0 where none is given. */
function tmpfsOfMounts({ body }: RequestMessage): void {
  const host = memberAt(body, 'HostConfig')
  if (!isObject(host)) return
  if (Array.isArray(host['Mounts']))
    host['Mounts'] = host['Mounts'].filter((mount) => {
      const target = stringOf(memberAt(mount, 'Target'))
      if (!isObject(mount) || mount['Type'] !== 'tmpfs' || !isUnset(mount['Source']) || !/^[^:]+$/.test(target))
        return true
      const readOnly = mount['ReadOnly'] === true ? 'ro' : ''
      setMember(objectAt(host, 'Tmpfs'), target, tmpfsOptions(mount['TmpfsOptions'], readOnly))
      return false
    })
  for (const [target, options] of Object.entries(objectOf(host['Tmpfs']))) {
    const own = stringOf(options).split(',')
    const others = DEFAULTS.filter(([known]) => !own.some((word) => known.test(word))).map(([, word]) => word)
    setMember(objectAt(host, 'Tmpfs'), target, [...own, ...others].filter(Boolean).join(','))
  }
}

export default {
  'podman/tmpfs': {
    summary: 'A tmpfs is filled with the files of the image, and what is in it may be executed.',
    see: 'pkg/util/mount_opts.go:ProcessOptions @v5.4.2',
    ops: [
      byHand('ContainerCreate', 'it is empty, and nothing in it may be executed', { requestUp: tmpfsOfMounts }),
      retyped(onSide(HostConfig, 'response'), 'Tmpfs', {
        toOlder: tmpfsAsAsked,
        samples: [[{ '/x': 'size=64k,rw,rprivate,nosuid,nodev,tmpcopyup' }, { '/x': 'size=64k' }]],
      }),
    ],
    examples: {
      'ContainerCreate requestUp body.HostConfig': [
        [
          { Tmpfs: { '/x': '', '/y': 'size=1m,exec' } },
          { Tmpfs: { '/x': 'noexec,notmpcopyup', '/y': 'size=1m,exec,notmpcopyup' } },
        ],
        [
          { Mounts: [{ Type: 'tmpfs', Target: '/z', TmpfsOptions: { SizeBytes: 5, Mode: 0o700 } }, { Type: 'bind' }] },
          { Mounts: [{ Type: 'bind' }], Tmpfs: { '/z': 'size=5,mode=700,noexec,notmpcopyup' } },
        ],
        [{ Mounts: [{ Type: 'tmpfs', Target: '/a:b' }] }],
      ],
    },
  },
} satisfies PodmanChanges
