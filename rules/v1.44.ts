import type { Change } from '../src/translate/change.ts'
import { newerWarnings } from './by-hand/newer-warnings.ts'
import create from './v1.44/create.ts'
import imageListUntil from './v1.44/image-list-until.ts'
import images from './v1.44/images.ts'
import inspect from './v1.44/inspect.ts'
import networks from './v1.44/networks.ts'
import removalWords from './v1.44/removal-words.ts'
import swarm from './v1.44/swarm.ts'

export default [
  ...images,
  ...create,
  ...networks,
  ...inspect,
  ...swarm,
  removalWords,
  imageListUntil,
  newerWarnings('1.44', 'api/server/router/container/container_routes.go:handleMACAddressBC @v25.0.6', [
    {
      text: /^The container-wide MacAddress field is now deprecated/,
      sample:
        'The container-wide MacAddress field is now deprecated. It should be specified in EndpointsConfig instead.',
    },
  ]),
] satisfies Change[]
