import { isObject, type JsonObject, type JsonValue, memberAt, stringOf } from '../../src/api/json/json.ts'
import { operationNames } from '../../src/api/operations.ts'
import { ExecConfig } from '../../src/api/shapes/shapes.ts'
import {
  added,
  type Changes,
  callRefused,
  endpointAdded,
  errorTexts,
  queryAdded,
  refusedAsFound,
} from '../../src/translate/ops.ts'

const OTHERS = /^(ContainerKill|ContainerCreate|Image(Inspect|History|Tag|Get|Delete)|Network.*|Volume.*)$/
/** Operations whose container or exec can be missing; those with texts of their own have rows below. */
const LOOKS_UP = operationNames.filter(
  (name) => /^((Put)?Container|Exec|Image)/.test(name) && !OTHERS.test(name) && name !== 'ContainerWait',
)

/** The errors of engines up to 1.9 for missing objects. Recorded on 1.6.2, 1.7.1, 1.8.3, 1.9.1 (…-404). */
const ofMissing = errorTexts(
  `
  ${LOOKS_UP.join(' ')}
    404 {lead}no such container{colon=:|} {rest}
      down 404 {lead}no such id: {rest}
    404 No such exec instance: {exec}
      down 404 No such exec instance '{exec}' found in daemon
  ContainerList
    # Engine 20.10 answers 500 for the filters since and before.
    500 {lead}no such container{colon=:|} {rest}
      down 404 {lead}no such id: {rest}
  ContainerWait
    404 {lead}no such container{colon=:|} {rest}
      down 404 {lead}no such id: {rest}
      1.18 404 wait: {lead}no such id: {rest}
  ContainerKill
    404 cannot kill container{colon=:|} {given}: no such container{colon2=:|} {rest}
    404 {lead}no such container{colon=:|} {rest}
      down 404 Cannot kill container {name}: nosuchcontainer: {lead}no such id: {rest}
      1.20 404 Cannot kill container {name}: {lead}no such id: {rest}
      1.19 404 {lead}no such id: {rest}
  # "No such image" of create and inspect stays: clients pull if they see it.
  ImageInspect
    404 {lead}no such {what=image|id}{rest}
    404 digest not found{rest}
      down 404 No such image: {name}
  ImageHistory ImageTag ImageGet
    404 {lead}no such {what=image|id}{rest}
    404 digest not found{rest}
      down 404 could not find image: no such id: {name}
  ImageDelete
    404 {lead}no such {what=image|id}{rest}
    404 digest not found{rest}
      down 404 could not find image: no such id: {name}
      1.20 404 No such image: {name}
  NetworkConnect NetworkDisconnect
    404 no such container: {word}
      down 404 invalid container <nil> : nosuchcontainer: no such id: {word}
  VolumeInspect VolumeDelete
    404 get {word}: no such volume
      down 404 no such volume
`,
  { anyCase: true, everyProfile: true, samples: [{ values: { lead: '' } }] },
)

const ATTACHES = ['ContainerAttach', 'ContainerAttachWebsocket', 'ContainerStart'] as const
const DEFAULT_KEYS = 'ctrl-p,ctrl-q'

/** The container web as the engine shows it. */
const looksUp = (body: JsonObject) => ({ calls: { 'GET /containers/web/json': { body } } })
const WEB = { Id: '0123456789abcdef', Name: '/web' }

/** The error of engines up to 1.9 (recorded on 1.6.2 … 1.9.1, rename-same). */
const taken = (name: string, id: string, verb: 'delete' | 'remove'): string =>
  `Error when allocating new name: Conflict. The name "${name}" is already in use by container ${id}. You have to ${verb} (or rename) that container to be able to reuse that name.`

const askedName = (query: URLSearchParams): string => (query.get('name') ?? '').replace(/^\//, '')
const idOf = (container: JsonValue | undefined): string => stringOf(memberAt(container, 'Id')).slice(0, 12)

export default {
  '1.22/container-update': {
    summary: 'The limits of a container can be changed.',
    see: 'docs/api/v1.22.md, Update a container; api/server/router/container/container_routes.go @v1.10.3',
    ops: endpointAdded('ContainerUpdate', { missing: 501 }),
  },
  '1.22/detach-keys': {
    summary: 'The keys that detach from a container can be chosen.',
    see: 'docs/api/v1.22.md, Attach to a container, Exec Create; daemon/attach.go @v1.10.3 (start ignores it)',
    ops: [
      queryAdded(ATTACHES, 'detachKeys', { sample: 'ctrl-a', onLoss: 'warn', neutral: [DEFAULT_KEYS] }),
      added(ExecConfig, 'DetachKeys', { sample: 'ctrl-a', onLoss: 'warn', neutral: [DEFAULT_KEYS] }),
    ],
  },
  '1.22/attach-paused': {
    // Not for older clients: the refusal is better than an attach that shows nothing.
    summary: 'Attaching to a paused container is refused.',
    see: 'docs/api/v1.22.md, Attach to a container; daemon/attach.go @v1.10.3; recorded on 1.9.1 (101), 1.10.3 (409)',
    ops: refusedAsFound('ContainerAttach', 'a paused container is refused', {
      asks: '/containers/{name}/json',
      says: 'conflict',
      finds: ({ body }, { call }) =>
        memberAt(body, 'State', 'Paused') === true
          ? `Container ${call.params['name']} is paused. Unpause the container before attach`
          : undefined,
      samples: [[{ body: { State: { Paused: true } } }, 'Container x is paused. Unpause the container before attach']],
      stay: [{ body: { State: { Paused: false } } }],
    }),
  },
  '1.22/not-found-text': {
    summary: 'The error for a missing container is "No such container"; before, "no such id".',
    see: 'recorded on 1.6.2, 1.7.1, 1.8.3, 1.9.1, 1.10.3, 20.10.24 (as …-404); engine 20.10 for the filter since',
    ops: ofMissing,
  },
  '1.22/rename-same-name': {
    summary: 'Renaming a container to its own name loses the name on engine 1.10; before, it was a conflict.',
    see: 'recorded on 1.6.2 … 1.9.1 (409, 500), 1.10.3 (204), 1.12.6, 20.10.24 (rename-same)',
    ops: [
      // Engine 1.10 answers 204 and loses the name: the container can then be reached only by its id.
      refusedAsFound('ContainerRename', 'engine 1.10 does not get the call', {
        ...{ legs: ['requestUp'], asks: '/containers/{name}/json', says: 'conflict' },
        unless: ({ engine, call }) => engine.highest !== 22 || askedName(call.query) === '',
        finds: ({ body }, { client, call }) => {
          const name = askedName(call.query)
          if (stringOf(memberAt(body, 'Name')).replace(/^\//, '') !== name) return undefined
          return client < 21 ? `409 ${taken(name, idOf(body), 'delete')}` : `500 ${taken(name, idOf(body), 'remove')}`
        },
      }),
      errorTexts(
        `
        ContainerRename
          Renaming a container with the same name{rest}
            down 500 ${taken('{asked}', '{shortId}', 'remove')}
            1.20 409 ${taken('{asked}', '{shortId}', 'delete')}
        `,
        {
          ...{ everyProfile: true, inspects: () => true },
          holes: { asked: ({ query }) => askedName(query), shortId: ({ container }) => idOf(container) || undefined },
          samples: [{ query: 'name=web', container: WEB, values: { asked: 'web', shortId: '0123456789ab' } }],
        },
      ),
    ],
    examples: {
      'ContainerRename requestUp': [
        ['name=web', /Conflict\. The name "web" is already in use by container 0123456789ab\. You/, looksUp(WEB)],
        ['name=other', 'name=other', looksUp(WEB)],
      ],
    },
  },
  '1.22/empty-name': {
    summary: 'The errors for an empty container name differ; engine 1.10 closes the connection.',
    see: 'recorded on 1.6.2 … 20.10.24 (delete-empty), 1.9.1, 1.10.3 (network-connect-empty)',
    ops: [
      callRefused('ContainerDelete', 'the engine does not get an empty name', {
        leg: 'requestUp',
        says: 'not-found',
        finds: ({ params }, { client }) => {
          if (params['name'] !== '') return undefined
          return client < 19 ? "500 Prefix can't be empty" : '404 no such id: ""'
        },
        samples: [
          [{}, 'no such id: ""', { params: { name: '' } }],
          [{}, "Prefix can't be empty", { params: { name: '' }, client: '1.18' }],
        ],
      }),
      callRefused(['NetworkConnect', 'NetworkDisconnect'], 'the engine does not get an empty name', {
        leg: 'requestUp',
        says: 'not-found',
        part: 'body',
        finds: ({ body }) =>
          isObject(body) && (body['Container'] ?? '') === ''
            ? "500 invalid container <nil> : Prefix can't be empty"
            : undefined,
        samples: [[{ body: { Container: '' } }, "invalid container <nil> : Prefix can't be empty"]],
        stay: [{ body: { Container: 'web' } }],
      }),
    ],
  },
} satisfies Changes
