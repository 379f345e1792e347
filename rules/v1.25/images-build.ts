import { asJson, isObject, type JsonObject, stringOf, writeJson } from '../../src/api/json/json.ts'
import { ImageInspect, ImageListItem } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import type { BoundChange } from '../../src/translate/change.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { editFilters, readFilters } from '../../src/translate/ops/calls/filter-values.ts'
import {
  added,
  addedAll,
  byHand,
  type Changes,
  headRetyped,
  isFalse,
  parameterAsFilter,
  queryAdded,
} from '../../src/translate/ops.ts'
import { printed, printedOtherwise } from '../by-hand/build-text.ts'
import { olderTexts } from '../by-hand/error-words.ts'
import { hasSet, isNamed } from '../by-hand/references.ts'

/** A single reference becomes `filter`; `byReference` applies several to the answer. */
function referenceAsName({ query }: RequestMessage, context: StepContext, { id, version }: BoundChange): void {
  const references = readFilters(query).get('reference')
  if (references === undefined) return
  editFilters(query, (filters) => filters.delete('reference'))
  const [first] = references
  if (references.length === 1 && first !== undefined) query.set('filter', first)
  else if (references.some(hasSet))
    context.lose({ what: 'filter reference with a set of characters', needs: version, change: id, onLoss: 'refuse' })
}

/** Keeps matching names, and images that have one. */
function byReference(message: ResponseMessage, { call }: StepContext): void {
  const patterns = readFilters(call.query).get('reference') ?? []
  if (patterns.length < 2 || !Array.isArray(message.body)) return
  message.body = message.body.filter((image) => {
    if (!isObject(image)) return true
    let found = false
    for (const member of ['RepoTags', 'RepoDigests']) {
      const names = image[member]
      if (!Array.isArray(names)) continue
      const kept = names.filter((name) => isNamed(name, patterns))
      image[member] = kept
      found ||= kept.length > 0
    }
    return found
  })
}

/** The records of a collected stream: a single value, or lines. */
const recordsOf = ({ body, text }: ResponseMessage): JsonObject[] =>
  (body === undefined ? (text ?? '').split(/\r?\n/).map(asJson) : [body]).filter(isObject)

/** The first version that can ask for the progress of a load. */
const HAS_QUIET = apiVersion(23)

/** The answer to a quiet load, the default: its lines, or 500 with the text of the error. */
function loadOutcome(message: ResponseMessage, context: StepContext): void {
  const records = recordsOf(message)
  const isLoud = context.client >= HAS_QUIET && isFalse(context.call.query.get('quiet') ?? '1')
  if (records.length === 0 || isLoud) return
  const error = records.find((record) => typeof record['error'] === 'string')?.['error']
  message.body = undefined
  message.text = error === undefined ? records.map((record) => printed(record) ?? '').join('') : stringOf(error)
  message.headers.set('Content-Type', 'text/plain; charset=utf-8')
  if (error === undefined) return
  message.status = 500
  if (context.policy.profile === 'engine') olderTexts.toOlder(message, context)
}

/** Gives each null of an object another value; undefined leaves it out. */
function withNulls(text: string, by: () => string | undefined): string | undefined {
  const args = asJson(text)
  if (!isObject(args) || !Object.values(args).includes(null)) return undefined
  const entries = Object.entries(args).map(([name, value]) => [name, value === null ? by() : value] as const)
  return writeJson(Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject)
}

export default {
  '1.25/images-reference-filter': {
    summary: 'The list of images has a filter reference for names; the parameter filter is its older form.',
    see: 'version-history.md v1.25, v1.41; image_routes.go:getImagesJSON @v1.13.0, @HEAD',
    ops: [
      parameterAsFilter('ImageList', 'filter', 'reference'),
      byHand('ImageList', 'a single filter reference becomes the parameter', {
        ...{ part: 'head', onLoss: 'refuse', loses: 'the filter reference with a set of characters' },
        requestDown: referenceAsName,
      }),
      byHand('ImageList', 'the bridge applies several references', { responseUp: byReference }),
    ],
    examples: {
      'ImageList requestDown': [
        [
          'filters={"reference":{"busybox":true},"dangling":{"true":true}}',
          'filters={"dangling":{"true":true}}&filter=busybox',
        ],
        ['filters={"reference":["a","b"]}', ''],
        ['filters={"reference":["a","[bc]"]}', /filter reference with a set/],
      ],
      'ImageList responseUp': [
        [
          {
            query: 'filters={"reference":["busy*","a:1"]}',
            body: [
              { RepoTags: ['busybox:latest', 'x:1'], RepoDigests: null },
              { RepoTags: ['a:2'], RepoDigests: [] },
              { RepoTags: ['a:1'], RepoDigests: ['b@sha256:1'] },
            ],
          },
          {
            body: [
              { RepoTags: ['busybox:latest'], RepoDigests: null },
              { RepoTags: ['a:1'], RepoDigests: [] },
            ],
          },
        ],
      ],
    },
  },
  '1.25/images-list-counts': {
    summary: 'The list of images has containers and shared size, which only system/df counts.',
    see: 'api/types/image_summary.go @v1.13.0',
    ops: addedAll(ImageListItem, ['Containers', 'SharedSize'], { sample: -1, up: -1 }),
  },
  '1.25/image-osversion': {
    summary: 'An image for Windows shows the version it is for.',
    ops: added(ImageInspect, 'OsVersion', { sample: '10.0' }),
  },
  '1.25/build-params': {
    summary: 'A build can have a network mode, images to take its cache from, and a single layer.',
    see: 'version-history.md v1.25; build_routes.go @v1.13.0',
    // Engines now check the build file before the stream begins: the client gets the error either way.
    ops: [
      queryAdded('ImageBuild', 'networkmode', {
        sample: 'host',
        onLoss: 'refuse',
        neutral: ['default', 'bridge'],
        confining: ['none'],
      }),
      queryAdded('ImageBuild', 'cachefrom', { sample: '["b"]', onLoss: 'ignore', neutral: ['[]', 'null'] }),
      queryAdded('ImageBuild', 'squash', { sample: '1', onLoss: 'warn', neutral: isFalse }),
    ],
  },
  '1.25/build-args-null': {
    summary: 'A build argument without a value has that of the Dockerfile; before, an empty one.',
    see: 'build_routes.go:newImageBuildOptions @v1.12.6 (map[string]string), @v1.13.1 (map[string]*string)',
    ops: headRetyped('ImageBuild', 'query buildargs', {
      samples: {
        toNewer: [['{"A":null,"B":"b"}', '{"A":"","B":"b"}']],
        toOlder: [['{"A":null,"B":"b"}', '{"B":"b"}']],
      },
      toNewer: (text) => withNulls(text, () => ''),
      toOlder: (text) => withNulls(text, () => undefined),
    }),
  },
  '1.25/image-load-records': {
    summary: 'A quiet load answers a stream of records, too; before, lines of text, or the status of its error.',
    see: 'image_routes.go:postImagesLoad @v1.12.6, @v1.13.1; image/tarexport/load.go @v1.12.6',
    ops: byHand('ImageLoad', 'the records become lines, or the error', { responseDown: loadOutcome }),
    examples: {
      'ImageLoad responseDown': [
        [
          { body: { stream: 'Loaded image: a:1\n' } },
          { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, text: 'Loaded image: a:1\n' },
        ],
        [
          { body: { errorDetail: { message: 'unexpected EOF' }, error: 'unexpected EOF' } },
          { status: 500, text: 'Error processing tar file(exit status 1): unexpected EOF' },
          { client: '1.24' },
        ],
        [
          { text: '{"stream":"Loaded image: a:1\\n"}\r\n{"error":"no space left on device"}\r\n' },
          { status: 500, text: 'no space left on device' },
        ],
      ],
      'ImageLoad responseDown body': [[{ error: 'unexpected EOF' }, { error: 'unexpected EOF' }, { asked: 'quiet=0' }]],
    },
  },
  '1.25/build-step-total': {
    summary: 'A build prints its number of steps: `Step 1/5 : `.',
    see: 'builder/dockerfile/evaluator.go @v1.13.1, @v1.12.6',
    ops: printedOtherwise(/(?<=^Step \d{1,9})\/\d{1,9}(?= : )/, () => '', [['Step 1/5 : RUN a', 'Step 1 : RUN a']]),
  },
} satisfies Changes
