import type { JsonObject } from '../src/api/json/json.ts'
import { response, type Shape } from '../src/api/shapes/shape.ts'
import { EventAttributes, ImageInspect } from '../src/api/shapes/shapes.ts'
import type { ResponseMessage } from '../src/translate/message.ts'
import { added, addedAll, byHand, type Changes, emulated, headRetyped, queryAdded } from '../src/translate/ops.ts'
import { NEVER } from '../src/translate/run/old-engines.ts'
import { refusedInAuth } from './by-hand/registry-config.ts'
import { EXIT_CODE, lookUpExitCode } from './emulate/exits.ts'
import containers from './v1.23/containers.ts'
import hostConfig from './v1.23/host-config.ts'
import systemNetworks from './v1.23/system-networks.ts'

/** Engine 1.10 answers a load with an empty body; an error has its status already (1.25/image-load-records). */
function withoutLines(message: ResponseMessage): void {
  if (message.status >= 400) return
  message.headers.delete('Content-Type')
  message.body = undefined
  message.text = ''
}

const AuthAnswer: Shape = { name: 'AuthAnswer', members: ['Status'], places: [response('SystemAuth')] }

const imagesBuild = {
  '1.23/images-load-stream': {
    summary: 'Loading images answers what was loaded; before, an empty body.',
    see: 'docs/api/v1.23.md, Load a tarball; recordings image-load 1.10.3, 1.12.6, 20.10.24',
    // Quiet keeps short what the bridge collects (1.25/image-load-records).
    ops: [
      headRetyped('ImageLoad', 'query quiet', { toNewer: '1', toOlder: null }),
      byHand('ImageLoad', 'the answer is empty', { holdsHead: true, responseDown: withoutLines }),
    ],
    examples: {
      'ImageLoad responseDown': [
        [
          { headers: { 'Content-Type': 'text/plain; charset=utf-8' }, text: 'Loaded image: busybox:latest\n' },
          { status: 200, headers: { 'Content-Type': null }, text: '' },
        ],
      ],
    },
  },
  '1.23/build-labels': {
    summary: 'A build can label its image.',
    see: 'docs/api/v1.23.md, Build image from a Dockerfile; build_routes.go @v1.11.2',
    ops: queryAdded('ImageBuild', 'labels', {
      sample: '{"a":"b"}',
      onLoss: 'refuse',
      neutral: ['{}', 'null'],
      request: 'keep',
    }),
  },
  '1.23/image-rootfs': {
    summary: 'An image shows its layers.',
    see: 'docs/api/v1.23.md, Inspect an image; engine-api types:ImageInspect @v1.11.2',
    ops: added(ImageInspect, 'RootFS', { sample: { Type: 'layers', Layers: ['sha256:1'] }, up: { Type: 'layers' } }),
  },
  '1.23/auth-identity-token': {
    summary: 'A registry can issue an identity token, which replaces the password.',
    see: 'docs/api/v1.23.md, Check auth configuration; engine-api types/auth.go @v1.11.2',
    ops: [
      added(AuthAnswer, 'IdentityToken', { sample: 't' }),
      refusedInAuth(
        'identitytoken',
        'a token in X-Registry-Auth is refused: the bridge cannot exchange it',
        'X-Registry-Auth identitytoken',
      ),
    ],
  },
} satisfies Changes

const DIE = { status: 'die', id: 'c1', time: 1457568000, Actor: { Attributes: {} } }
const ENDED = { Running: false, ExitCode: 3, StartedAt: '2016-03-09T23:59:59Z' }
const inspected = (State: JsonObject) => ({ 'GET /containers/c1/json': { body: { State } } })

const eventAttributes = {
  '1.23/event-attributes': {
    summary: 'Events have the exit code of a container and the signal it was sent.',
    see: 'daemon/events.go @v1.10.3; daemon/kill.go, daemon/monitor.go @v1.11.2',
    ops: [
      ...addedAll(EventAttributes, ['signal', 'execID'], { sample: '9' }),
      added(EventAttributes, 'exitCode', { sample: '3', up: (_attributes, { memory }) => memory.get(EXIT_CODE) }),
      emulated('SystemEvents', 'the exit code of a die is looked up', { responseUp: lookUpExitCode }),
    ],
    examples: {
      'SystemEvents responseUp body': [
        [DIE, { ...DIE, Actor: { Attributes: { exitCode: '3' } } }, { calls: inspected(ENDED) }],
        [DIE, DIE, { calls: { 'GET /containers/c1/json': { status: 404, body: 'no such id: c1' } } }],
        [DIE, DIE, { calls: inspected({ ...ENDED, StartedAt: '2016-03-10T00:00:05Z' }) }],
      ],
    },
  },
  '1.23/events-without-end': {
    summary: 'A stream of events without until does not end by itself.',
    // Engines 1.7 to 1.10 stop a timer that may have fired already: 7 of 20 such streams of a 1.10.3 ended at once.
    see: 'events/events.go:GetEvents @v1.6.2; api/server/router/system/system_routes.go:getEvents @v1.10.3, @v1.11.2; seen on engine 1.10.3',
    ops: headRetyped('SystemEvents', 'query until', { toOlder: NEVER, ifMissing: true }),
  },
} satisfies Changes

export default [containers, hostConfig, eventAttributes, imagesBuild, systemNetworks] satisfies readonly Changes[]
