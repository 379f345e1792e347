import { ProxyError } from '../../src/api/errors.ts'
import { isObject, type JsonObject } from '../../src/api/json/json.ts'
import { ExecConfig } from '../../src/api/shapes/shapes.ts'
import type { Changes } from '../../src/translate/change.ts'
import { added, byHand, emulated, endpointAdded, queryAdded } from '../../src/translate/ops.ts'
import { refusePaused } from '../emulate/refusals.ts'
import { refuseSameName, sayConflict } from '../emulate/rename-same-name.ts'
import { asBefore110, LOOKS_UP } from './not-found-text.ts'

const ATTACHES = ['ContainerAttach', 'ContainerAttachWebsocket', 'ContainerStart'] as const
const isDefaultKeys = (keys: unknown): boolean => keys === 'ctrl-p,ctrl-q'

/** The container web as the engine shows it. */
const looksUp = (body: JsonObject) => ({ params: { name: 'web' }, calls: { 'GET /containers/web/json': { body } } })
const WEB = { Id: '0123456789abcdef', Name: '/web' }
const NO_IMAGE = '404 No such image: x:latest'

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
      queryAdded(ATTACHES, 'detachKeys', { sample: 'ctrl-a', onLoss: 'warn', neutral: isDefaultKeys }),
      added(ExecConfig, 'DetachKeys', { sample: 'ctrl-a', onLoss: 'warn', neutral: isDefaultKeys }),
    ],
    examples: { 'ContainerExec requestDown body': [[{ DetachKeys: 'ctrl-p,ctrl-q' }, {}, { losses: [] }]] },
  },
  '1.22/attach-paused': {
    // Not for older clients: the refusal is better than an attach that shows nothing.
    summary: 'Attaching to a paused container is refused.',
    see: 'docs/api/v1.22.md, Attach to a container; daemon/attach.go @v1.10.3; recorded on 1.9.1 (101), 1.10.3 (409)',
    ops: emulated('ContainerAttach', 'a paused container is refused', { part: 'head', requestDown: refusePaused }),
    examples: {
      'ContainerAttach requestDown': [
        [
          { path: '/containers/web/attach' },
          /^Container web is paused\. Unpause the container before attach$/,
          looksUp({ State: { Running: true, Paused: true } }),
        ],
        [{ path: '/containers/web/attach' }, {}, looksUp({ State: { Running: true, Paused: false } })],
      ],
    },
  },
  '1.22/not-found-text': {
    summary: 'The error for a missing container is "No such container"; before, "no such id".',
    see: 'recorded on 1.6.2, 1.7.1, 1.8.3, 1.9.1, 1.10.3, 20.10.24 (as …-404); engine 20.10 for the filter since',
    ops: byHand(LOOKS_UP, 'missing objects are reported in the words of engines up to 1.9', {
      part: 'error',
      responseDown: asBefore110,
    }),
    examples: {
      'ContainerInspect responseDown error': [['404 No such container: x', '404 no such id: x']],
      'ContainerKill responseDown error': [
        [
          '404 Cannot kill container: x: No such container: x',
          '404 Cannot kill container x: nosuchcontainer: no such id: x',
          { params: { name: 'x' } },
        ],
        ['404 cannot kill container: x: No such container: x', '404 no such id: x', { client: '1.19' }],
      ],
      'ContainerWait responseDown error': [['404 No such container: x', '404 wait: no such id: x', { client: '1.18' }]],
      'ContainerList responseDown error': [['500 no such container x', '404 no such id: x']],
      'ContainerCreate responseDown error': [['404 No such image: x:latest']],
      'ImageInspect responseDown error': [
        ['404 no such image: x: No such image: x:latest', '404 No such image: x', { params: { name: 'x' } }],
      ],
      'ImageDelete responseDown error': [
        [NO_IMAGE, '404 could not find image: no such id: x', { params: { name: 'x' } }],
        [NO_IMAGE, '404 No such image: x', { client: '1.20', params: { name: 'x' } }],
      ],
      'NetworkConnect responseDown error': [
        ['404 No such container: x', '404 invalid container <nil> : nosuchcontainer: no such id: x'],
      ],
      'VolumeInspect responseDown error': [['404 get x: no such volume', '404 no such volume']],
      'ExecInspect responseDown error': [
        ['404 No such exec instance: x', "404 No such exec instance 'x' found in daemon"],
      ],
    },
  },
  '1.22/rename-same-name': {
    summary: 'Renaming a container to its own name loses the name on engine 1.10; before, it was a conflict.',
    see: 'recorded on 1.6.2 … 1.9.1 (409, 500), 1.10.3 (204), 1.12.6, 20.10.24 (rename-same)',
    ops: [
      emulated('ContainerRename', 'engine 1.10 does not get the call', { part: 'head', requestUp: refuseSameName }),
      emulated('ContainerRename', 'the error is a conflict', { part: 'error', responseDown: sayConflict }),
    ],
    examples: {
      'ContainerRename requestUp': [
        [
          'name=web',
          /Conflict\. The name "web" is already in use by container 0123456789ab\. You have to remove/,
          looksUp(WEB),
        ],
        ['name=other', 'name=other', looksUp(WEB)],
      ],
      'ContainerRename responseDown': [
        [
          { query: 'name=web', status: 400, text: 'Renaming a container with the same name as its current name' },
          {
            status: 409,
            text: 'Error when allocating new name: Conflict. The name "web" is already in use by container 0123456789ab. You have to delete (or rename) that container to be able to reuse that name.',
          },
          { ...looksUp(WEB), client: '1.20' },
        ],
      ],
    },
  },
  '1.22/empty-name': {
    summary: 'The errors for an empty container name differ; engine 1.10 closes the connection.',
    see: 'recorded on 1.6.2 … 20.10.24 (delete-empty), 1.9.1, 1.10.3 (network-connect-empty)',
    ops: [
      byHand('ContainerDelete', 'the engine does not get an empty name', {
        part: 'head',
        requestUp: ({ params }, { client }) => {
          if (params['name'] !== '') return
          if (client < 19) throw new ProxyError('not-found', "Prefix can't be empty", { status: 500 })
          throw new ProxyError('not-found', 'no such id: ""')
        },
      }),
      byHand(['NetworkConnect', 'NetworkDisconnect'], 'the engine does not get an empty name', {
        requestUp: ({ body }) => {
          if (!isObject(body) || (body['Container'] ?? '') !== '') return
          throw new ProxyError('not-found', "invalid container <nil> : Prefix can't be empty", { status: 500 })
        },
      }),
    ],
    examples: {
      'ContainerDelete requestUp': [
        [{ path: '/containers/' }, /^no such id: ""$/, { params: { name: '' } }],
        [{ path: '/containers/' }, /^Prefix can't be empty$/, { client: '1.18', params: { name: '' } }],
      ],
      'NetworkConnect requestUp body.Container': [['', /^invalid container <nil> : Prefix can't be empty$/], ['web']],
    },
  },
} satisfies Changes
