import { TaskPrivileges } from '../src/api/shapes/swarm-shapes.ts'
import type { Changes } from '../src/translate/change.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import { swarmMembers } from './by-hand/swarm-members.ts'
import create from './v1.44/create.ts'
import imageListUntil from './v1.44/image-list-until.ts'
import images from './v1.44/images.ts'
import inspect from './v1.44/inspect.ts'
import networks from './v1.44/networks.ts'
import referenceWords from './v1.44/reference-words.ts'
import removalWords from './v1.44/removal-words.ts'

export default [
  images,
  create,
  networks,
  inspect,
  {
    '1.44/swarm-members': swarmMembers({
      summary: 'Services can have seccomp and AppArmor profiles, and can disable new privileges.',
      see: 'docs/api/version-history.md v1.44',
      members: [
        { of: TaskPrivileges, samples: { Seccomp: { Mode: 'unconfined' } }, droppedByPrefix: true },
        {
          of: TaskPrivileges,
          samples: { AppArmor: { Mode: 'disabled' }, NoNewPrivileges: true },
          droppedByPrefix: true,
        },
      ],
    }),
    '1.44/removal-words': removalWords,
    '1.44/reference-words': referenceWords,
    '1.44/image-list-until': imageListUntil,
    '1.44/warnings': newerWarnings('api/server/router/container/container_routes.go:handleMACAddressBC @v25.0.6', [
      ['The container-wide MacAddress field is now deprecated', '. It should be specified in EndpointsConfig instead.'],
    ]),
  },
] satisfies readonly Changes[]
