import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import { ImageInspect, ImageListItem } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { Change } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { byHand, onEach, removed } from '../../src/translate/ops.ts'

const ZERO_TIME = '0001-01-01T00:00:00Z'
/** Up to engine 1.9 `Size` was that of the uppermost layer. */
const LAYER_SIZES_TO = apiVersion(21)

const size = (image: JsonObject) => image['Size']

function wholeSize(image: JsonObject, { engine }: StepContext): void {
  if (engine.highest <= LAYER_SIZES_TO && image['VirtualSize'] !== undefined) image['Size'] = image['VirtualSize']
}

export default [
  {
    id: '1.44/virtual-size',
    gate: 'prefix',
    prefixCodeGoneFrom: '1.52', // recording 29-min1.24 at 1.24, images: no VirtualSize
    summary: 'Images have no VirtualSize, which was the same as Size.',
    see: 'docs/api/version-history.md v1.44; image_routes.go @v25.0 … @v28.5.2',
    ops: [
      ...[ImageListItem, ImageInspect].map((shape) =>
        onEach(shape, 'engines up to 1.9 have the whole size there', { responseUp: wholeSize }),
      ),
      removed(ImageListItem, 'VirtualSize', { down: size }),
      removed(ImageInspect, 'VirtualSize', { down: size }),
    ],
    examples: [
      {
        on: 'ImageList',
        leg: 'responseDown',
        before: { body: [{ Size: 7 }, { Size: 8, VirtualSize: 9 }] },
        after: {
          body: [
            { Size: 7, VirtualSize: 7 },
            { Size: 8, VirtualSize: 9 },
          ],
        },
      },
      {
        on: 'ImageInspect',
        leg: 'responseDown',
        before: { body: { Size: 7 } },
        after: { body: { Size: 7, VirtualSize: 7 } },
      },
      {
        on: 'SystemDataUsage',
        leg: 'responseDown',
        before: { body: { Images: [{ Size: 7 }] } },
        after: { body: { Images: [{ Size: 7, VirtualSize: 7 }] } },
      },
      {
        on: 'ImageInspect',
        leg: 'responseUp',
        before: { body: { Size: 7, VirtualSize: 9 } },
        after: { body: { Size: 7 } },
      },
      {
        on: 'ImageInspect',
        leg: 'responseUp',
        engine: '1.21',
        before: { body: { Size: 0, VirtualSize: 9 } },
        after: { body: { Size: 9 } },
      },
    ],
  },
  {
    id: '1.44/image-created-missing',
    gate: 'prefix',
    summary: 'An image that does not say when it was made has no Created; before, the zero time.',
    see: 'docs/api/version-history.md v1.44; image_routes.go:getImagesByName @v25.0',
    ops: [
      byHand('ImageInspect', 'an unknown time is the zero time, or left out', {
        responseDown: ({ body }) => {
          if (isObject(body)) body['Created'] ??= ZERO_TIME
        },
        responseUp: ({ body }) => {
          if (isObject(body) && body['Created'] === ZERO_TIME) delete body['Created']
        },
      }),
    ],
    examples: [
      {
        on: 'ImageInspect',
        leg: 'responseDown',
        before: { body: { Id: 'i' } },
        after: { body: { Id: 'i', Created: ZERO_TIME } },
      },
      {
        on: 'ImageInspect',
        leg: 'responseUp',
        before: { body: { Id: 'i', Created: ZERO_TIME } },
        after: { body: { Id: 'i' } },
      },
    ],
  },
] satisfies Change[]
