import { ImageInspect, ImageListItem } from '../../src/api/shapes/shapes.ts'
import { type Changes, omittedWhenEmpty, removed, sameAs } from '../../src/translate/ops.ts'
import { printedOtherwise } from '../by-hand/build-text.ts'
import { ZERO_TIME } from '../by-hand/state-status.ts'

export default {
  '1.44/virtual-size': {
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52', // recording 29-min1.24 at 1.24, images: no VirtualSize
    summary: 'Images no longer have VirtualSize, which was equal to Size.',
    see: 'docs/api/version-history.md v1.44; image_routes.go @v25.0 … @v28.5.2',
    // Up to engine 1.9 it differs from Size: 1.22/image-size-semantics.
    ops: [ImageListItem, ImageInspect].map((shape) =>
      removed(shape, 'VirtualSize', { sample: 9, down: sameAs('Size') }),
    ),
  },
  '1.44/image-created-missing': {
    gate: 'prefix',
    summary: 'An image without a creation time has no Created; before, the zero time.',
    see: 'docs/api/version-history.md v1.44; image_routes.go:getImagesByName @v25.0',
    ops: omittedWhenEmpty(ImageInspect, 'Created', ZERO_TIME, { bothWays: true }),
  },
  '1.44/build-removed-text': {
    summary: 'A build prints ` ---> Removed intermediate container`; before, `Removing intermediate container`.',
    see: 'moby 5dc44f03f0, in 25.0; builder/dockerfile/containerbackend.go @v20.10.24',
    ops: printedOtherwise(/^ ---> Removed(?= intermediate container )/, () => 'Removing', [
      [' ---> Removed intermediate container 0a\n', 'Removing intermediate container 0a\n'],
    ]),
  },
} satisfies Changes
