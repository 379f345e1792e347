import { apiVersion } from '../../src/api/version.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'
import { inOlderWords, REWORDED, rememberAsked } from '../by-hand/error-words.ts'

/** Engine 1.6 read a number that is none as none given (engine/env.go:GetInt @v1.6.2; recordings 1.6.2, …-bad). */
const TOOK_ANY_NUMBER = apiVersion(18)
const isNoMoment = (text: string): boolean => !/^\d+(\.\d+)?$/.test(text) && Number.isNaN(Date.parse(text))

export default [
  {
    id: '1.25/error-words',
    gate: 'release',
    summary:
      'Engines up to 1.12 had other words for many errors, and 500 where newer ones say that the request or the state is wrong.',
    see: 'daemon/errors.go, errors/*.go @v1.9.1, @v1.12.6, errdefs @v17.10; recordings 1.6.2 to 1.12.6, every exchange with an error',
    ops: [
      byHand(REWORDED, 'errors have the status and the words of the engine of the client’s version', {
        part: 'error',
        profile: 'engine',
        responseDown: inOlderWords,
      }),
      byHand('ContainerList', 'up to 1.18 a limit that is no number is taken away', {
        part: 'head',
        profile: 'engine',
        requestUp: ({ query }, { client }) => {
          if (client <= TOOK_ANY_NUMBER && !/^[+-]?\d+$/.test(query.get('limit') || '0')) query.delete('limit')
        },
      }),
      byHand('SystemEvents', 'up to 1.18 a moment that is none is taken away', {
        part: 'head',
        profile: 'engine',
        requestUp: ({ query }, { client }) => {
          if (client > TOOK_ANY_NUMBER) return
          for (const name of ['since', 'until']) if (isNoMoment(query.get(name) || '0')) query.delete(name)
        },
      }),
      // Some of the older words name what the newer ones do not.
      byHand(
        ['ContainerCreate', 'ContainerExec', 'NetworkCreate'],
        'nothing: what was asked is noted for the words of an error',
        { profile: 'engine', requestUp: rememberAsked },
      ),
    ],
    examples: {
      'ContainerList requestUp': [
        ['limit=abc&all=1', 'all=1', { client: '1.18' }],
        ['limit=abc', 'limit=abc', { client: '1.19' }],
      ],
      'SystemEvents requestUp': [['since=abc&until=5', 'until=5', { client: '1.18' }]],
      'ContainerList responseDown': [
        [{ status: 400, text: "Invalid filter 'status=bogus'" }, { status: 200, body: [] }, { client: '1.19' }],
      ],
      'ImageCreate responseDown': [
        [
          { query: 'fromSrc=http://h/x.tar', status: 500, text: 'Get "http://h/x.tar": dial tcp: connection refused' },
          {
            status: 200,
            body: {
              errorDetail: { message: 'Get "http://h/x.tar": dial tcp: connection refused' },
              error: 'Get "http://h/x.tar": dial tcp: connection refused',
            },
          },
          { client: '1.22' },
        ],
      ],
      'ImageBuild responseDown': [
        [
          { status: 400, text: 'dockerfile parse error line 2: unknown instruction: BOGUS' },
          {
            status: 200,
            body: { errorDetail: { message: 'Unknown instruction: BOGUS' }, error: 'Unknown instruction: BOGUS' },
          },
          { client: '1.21' },
        ],
      ],
      'ContainerCreate requestUp': [[{ body: { Image: 'busybox' } }, { body: { Image: 'busybox' } }]],
      'ContainerCreate responseDown': [
        [
          { status: 400, text: 'Invalid container name (_x), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed' },
          { status: 500, text: 'Invalid container name (_x), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed' },
        ],
        [
          { status: 400, text: 'Duplicate mount point: /x' },
          { status: 500, text: "Duplicate mount point '/x'" },
          { client: '1.22' },
        ],
        [
          {
            status: 409,
            text: 'Conflict. The container name "/web" is already in use by container "0123456789abcdef0123". You have to remove (or rename) that container to be able to reuse that name.',
          },
          {
            status: 409,
            text: 'Conflict. The name "web" is already in use by container 0123456789ab. You have to delete (or rename) that container to be able to reuse that name.',
          },
          { client: '1.20' },
        ],
        // What no row knows stays as it is.
        [
          { status: 400, text: 'something new' },
          { status: 400, text: 'something new' },
        ],
        // 1.10 had not refused it: there is no older answer to give.
        [
          { status: 400, text: 'CPU cfs quota can not be less than 1ms (i.e. 1000)' },
          { status: 400, text: 'CPU cfs quota can not be less than 1ms (i.e. 1000)' },
          { client: '1.22' },
        ],
      ],
      'ContainerPause responseDown': [
        [
          { status: 409, text: 'container 0123456789ab is not running' },
          { status: 500, text: 'Cannot pause container web: Container 0123456789ab is not running' },
          { client: '1.18', params: { name: 'web' } },
        ],
      ],
      'ContainerStart responseDown': [
        [
          {
            status: 400,
            text: 'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "nosuch": executable file not found in $PATH',
          },
          { status: 500, text: 'Container command not found or does not exist.' },
          { client: '1.22' },
        ],
      ],
      'NetworkDelete responseDown': [
        [
          { status: 403, text: 'error while removing network: network web has active endpoints (name:"c" id:"0")' },
          { status: 500, text: 'network web has active endpoints' },
        ],
      ],
      'VolumeDelete responseDown': [
        [
          { status: 409, text: 'remove v: volume is in use - [0123]' },
          { status: 409, text: 'Conflict: volume is in use' },
          { client: '1.21' },
        ],
      ],
    },
  },
] satisfies Change[]
