import {
  asJson,
  isObject,
  type JsonValue,
  listOf,
  memberAt,
  membersWhere,
  stringOf,
  writeJson,
} from '../../src/api/json/json.ts'
import { BuildRecord } from '../../src/api/shapes/shapes.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { byHand, callRefused, headRetyped, isTrue, retyped } from '../../src/translate/ops.ts'
import { withAlgorithm } from '../by-hand/references.ts'

/** `nofile=1024:2048` for `{"Name":"nofile","Soft":1024,"Hard":2048}`. */
const limitText = (limit: JsonValue): JsonValue =>
  isObject(limit) ? `${limit['Name']}=${limit['Soft']}:${limit['Hard']}` : limit

/** A parameter whose JSON Podman reads in another form; other text stays, for Podman to refuse. */
const inJson = (spell: (value: JsonValue) => JsonValue) => (text: string) => {
  const value = asJson(text)
  return value === undefined ? undefined : writeJson(spell(value))
}

const withoutNulls = (value: JsonValue): JsonValue =>
  isObject(value) ? membersWhere(value, (_name, argument) => argument !== null) : value

const FAILED_STEP = /^building at STEP "RUN (.*)": while running runtime: exit status (\d+)\n?$/s
/** In a build of several stages, the line begins with the number of the stage: `[2/2] STEP 1/3: RUN true`. */
const STEP = /^(?:\[\d+\/\d+\] )?STEP \d+\/\d+: (RUN \[)?/
const IS_LIST = 'podman.build.list'

/** Podman says the command without its shell; a list (`RUN ["a", "b"]`) has none, as its step has said before. */
function sayCode({ body }: ResponseMessage, { memory }: StepContext): void {
  const [step, list] = STEP.exec(stringOf(memberAt(body, 'stream'))) ?? []
  if (step !== undefined) memory.set(IS_LIST, list !== undefined)
  const [, command, code] = FAILED_STEP.exec(stringOf(memberAt(body, 'error'))) ?? []
  if (!isObject(body) || command === undefined) return
  const shell = memory.get(IS_LIST) === true ? '' : '/bin/sh -c '
  const message = `The command '${shell}${command}' returned a non-zero code: ${code}`
  Object.assign(body, { errorDetail: { code: Number(code), message }, error: message })
}

const ID = '0a'.repeat(32)
const FAILED = 'building at STEP "RUN sh -c "exit 3"": while running runtime: exit status 3\n'
const FAILED_AT_DOCKER = `The command '/bin/sh -c sh -c "exit 3"' returned a non-zero code: 3`

export default {
  // Before `none` gets the name that Podman has for it.
  'podman/build-network': {
    summary: 'A build takes an unknown network for that of the host.',
    see: 'pkg/api/handlers/compat/images_build.go @v5.4.2',
    ops: callRefused('ImageBuild', 'a network of its own for a build', {
      ...{ leg: 'requestUp', says: 'validation', words: (name) => `Podman cannot build in the network ${name}` },
      finds: ({ query }) => {
        const mode = query.get('networkmode') ?? ''
        return ['', 'default', 'bridge', 'podman', 'none', 'host'].includes(mode) ? undefined : mode
      },
      samples: [['networkmode=n', 'n']],
      stay: ['networkmode=host', ''],
    }),
  },
  'podman/builds': {
    summary:
      'A build takes some parameters in other forms: it ignores `networkmode=none`, and refuses Docker’s hosts, limits and caches.',
    see: 'pkg/api/handlers/compat/images_build.go @v5.4.2',
    ops: [
      headRetyped('ImageBuild', 'query networkmode', { toNewer: [['none', 'NetworkDisabled']] }),
      byHand('ImageBuild', 'hosts are one list', {
        part: 'head',
        requestUp: ({ query }) => {
          const hosts = query.getAll('extrahosts')
          if (hosts.length === 0 || (hosts.length === 1 && asJson(hosts[0] ?? '') !== undefined)) return
          query.set('extrahosts', writeJson(hosts.flatMap((host) => host.split(','))))
        },
      }),
      headRetyped('ImageBuild', 'query ulimits', {
        toNewer: inJson((limits) => listOf(limits).map(limitText)),
        samples: [['[{"Name":"nofile","Soft":1,"Hard":2}]', '["nofile=1:2"]']],
      }),
      headRetyped('ImageBuild', 'query buildargs', {
        toNewer: inJson(withoutNulls),
        samples: [['{"A":null,"B":"1"}', '{"B":"1"}']],
      }),
      // It takes no tags here; what is cached of its own builds is found without.
      byHand('ImageBuild', 'sources of a cache are left out', {
        part: 'head',
        requestUp: ({ query }, context, { id }) => {
          if (query.has('cachefrom')) context.ignore('cachefrom', id)
          query.delete('cachefrom')
        },
      }),
      retyped(BuildRecord, 'stream', {
        toOlder: (text, _record, { call }) => (isTrue(call.query.get('q')) ? withAlgorithm(text) : undefined),
        samples: [[`${ID}\n`, `sha256:${ID}\n`, { query: 'q=1' }], [`${ID}\n`]],
        description: 'a quiet build says the id with its algorithm',
      }),
    ],
    examples: {
      'ImageBuild requestUp': [
        ['cachefrom=["a:1"]', '', { ignored: ['cachefrom'] }],
        ['extrahosts=a:10.0.0.1,b:10.0.0.2&extrahosts=c:::1', 'extrahosts=["a:10.0.0.1","b:10.0.0.2","c:::1"]'],
        ['extrahosts=["a:10.0.0.1"]'],
      ],
    },
  },
  'podman/failed-builds': {
    summary: 'A build whose command fails says so without the code that it ended with.',
    see: 'buildah imagebuildah/stage_executor.go @v1.39.2; builder/dockerfile/dispatchers.go:dispatchRun @v20.10.24; a command line ends with that code',
    ops: byHand('ImageBuild', 'the code is there, in Docker’s words', { elementwise: true, responseDown: sayCode }),
    examples: {
      'ImageBuild responseDown body': [
        [
          { errorDetail: { message: FAILED }, error: FAILED },
          { errorDetail: { code: 3, message: FAILED_AT_DOCKER }, error: FAILED_AT_DOCKER },
        ],
        [{ error: 'x', errorDetail: { message: 'x' } }],
      ],
    },
  },
} satisfies PodmanChanges
