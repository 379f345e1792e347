import { ImageInspect, ImageListItem } from '../../src/api/shapes/shapes.ts'
import type { Change } from '../../src/translate/change.ts'
import { added, addedAll, byHand, isTrue, queryAdded } from '../../src/translate/ops.ts'
import { byReference, nameAsReference, referenceAsName } from '../by-hand/image-reference.ts'

export default [
  {
    id: '1.25/images-reference-filter',
    gate: 'release',
    summary: 'Images are listed by name with the filter reference; the parameter filter is its older form.',
    see: 'version-history.md v1.25, v1.41; image_routes.go:getImagesJSON @v1.13.0, @HEAD',
    ops: [
      byHand('ImageList', 'one is written as the other', {
        onLoss: 'refuse',
        loses: 'the filter reference with a set of characters',
        losesOn: 'requestDown',
        part: 'head',
        requestUp: nameAsReference,
        requestDown: referenceAsName,
      }),
      byHand('ImageList', 'several references are looked for here', { responseUp: byReference }),
    ],
    examples: [
      {
        on: 'ImageList',
        leg: 'requestUp',
        before: { query: 'all=0&filter=busy*' },
        after: { query: 'all=0&filters={"reference":{"busy*":true}}' },
      },
      {
        on: 'ImageList',
        leg: 'requestUp',
        before: { query: 'filter=a&filters={"reference":["b"]}' },
        after: { query: 'filters={"reference":["b"]}' },
      },
      { on: 'ImageList', leg: 'requestUp', before: { query: 'filter=' }, after: { query: '' } },
      {
        on: 'ImageList',
        leg: 'requestDown',
        before: { query: 'filters={"reference":{"busybox":true},"dangling":{"true":true}}' },
        after: { query: 'filters={"dangling":{"true":true}}&filter=busybox' },
      },
      {
        on: 'ImageList',
        leg: 'requestDown',
        before: { query: 'filters={"reference":["a","b"]}' },
        after: { query: '' },
      },
      {
        on: 'ImageList',
        leg: 'requestDown',
        before: { query: 'filters={"reference":["a","[bc]"]}' },
        after: { refused: /filter reference with a set/ },
      },
      {
        on: 'ImageList',
        leg: 'responseUp',
        before: {
          query: 'filters={"reference":["busy*","a:1"]}',
          body: [
            { Id: '1', RepoTags: ['busybox:latest', 'x:1'], RepoDigests: null },
            { Id: '2', RepoTags: ['a:2'], RepoDigests: [] },
            { Id: '3', RepoTags: ['a:1'], RepoDigests: ['b@sha256:1'] },
          ],
        },
        after: {
          body: [
            { Id: '1', RepoTags: ['busybox:latest'], RepoDigests: null },
            { Id: '3', RepoTags: ['a:1'], RepoDigests: [] },
          ],
        },
      },
    ],
  },
  {
    id: '1.25/images-list-counts',
    gate: 'release',
    summary: 'The list of images has places for what system/df counts: containers and shared size.',
    see: 'api/types/image_summary.go @v1.13.0',
    ops: addedAll(ImageListItem, ['Containers', 'SharedSize'], { up: -1, onLoss: 'ignore' }),
    examples: [
      {
        on: 'ImageList',
        leg: 'responseDown',
        before: { body: [{ Id: 'a', Containers: -1, SharedSize: -1 }] },
        after: { body: [{ Id: 'a' }] },
      },
      {
        on: 'ImageList',
        leg: 'responseUp',
        before: { body: [{ Id: 'a' }] },
        after: { body: [{ Id: 'a', Containers: -1, SharedSize: -1 }] },
      },
    ],
  },
  {
    id: '1.25/image-osversion',
    gate: 'release',
    summary: 'An image for Windows shows the version it is for.',
    see: 'version-history.md v1.25',
    ops: [added(ImageInspect, 'OsVersion', { onLoss: 'ignore' })],
    examples: [
      {
        on: 'ImageInspect',
        leg: 'responseDown',
        before: { body: { Os: 'windows', OsVersion: '10.0' } },
        after: { body: { Os: 'windows' } },
      },
    ],
  },
  {
    id: '1.25/build-params',
    gate: 'release',
    summary: 'A build can have a network mode, images to take its cache from, and a single layer.',
    see: 'version-history.md v1.25; build_routes.go @v1.13.0',
    // That a build file is checked before the stream begins is not undone: the client learns of the error either way.
    ops: [
      queryAdded('ImageBuild', 'networkmode', {
        onLoss: 'refuse',
        neutral: (value) => value === 'default' || value === 'bridge',
      }),
      queryAdded('ImageBuild', 'cachefrom', {
        onLoss: 'ignore',
        neutral: (value) => value === '[]' || value === 'null',
      }),
      queryAdded('ImageBuild', 'squash', { onLoss: 'warn', neutral: (value) => !isTrue(value) }),
    ],
    examples: [
      {
        on: 'ImageBuild',
        leg: 'requestUp',
        before: { query: 't=a&networkmode=host&cachefrom=["b"]&squash=1' },
        after: { query: 't=a' },
      },
      {
        on: 'ImageBuild',
        leg: 'requestDown',
        before: { query: 't=a&networkmode=default&cachefrom=[]&squash=1' },
        after: { query: 't=a' },
        losses: ['query parameter squash'],
      },
      {
        on: 'ImageBuild',
        leg: 'requestDown',
        before: { query: 'networkmode=none' },
        after: { refused: /query parameter networkmode/ },
      },
    ],
  },
] satisfies Change[]
