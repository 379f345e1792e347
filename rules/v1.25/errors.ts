import { apiVersion } from '../../src/api/version.ts'
import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'
import { inOlderWords, rememberAsked, streamInOlderWords } from '../by-hand/error-words.ts'

/** Engine 1.6 treated an invalid number as unset (engine/env.go:GetInt @v1.6.2; recordings 1.6.2, …-bad). */
const TOOK_ANY_NUMBER = apiVersion(18)

export default [
  {
    id: '1.25/error-words',
    gate: 'release',
    summary:
      'Engines up to 1.12 had other texts for many errors, and 500 where newer ones blame the request or a conflict.',
    see: 'daemon/errors.go, errors/*.go @v1.9.1, @v1.12.6, errdefs @v17.10; recordings 1.6.2 to 1.12.6, every exchange with an error',
    ops: [
      byHand('every', 'errors have the status and the words of the engine of the client’s version', {
        part: 'error',
        profile: 'engine',
        responseDown: inOlderWords,
      }),
      byHand(
        ['ImageBuild', 'ImageCreate', 'ImagePush'],
        'an error in a stream has the words of the engine of the client’s version',
        { profile: 'engine', elementwise: true, responseDown: streamInOlderWords },
      ),
      byHand('ContainerList', 'up to 1.18 an invalid limit is removed', {
        part: 'head',
        profile: 'engine',
        requestUp: ({ query }, { client }) => {
          if (client <= TOOK_ANY_NUMBER && !/^[+-]?\d+$/.test(query.get('limit') || '0')) query.delete('limit')
        },
      }),
      // Some older texts name parts of the request that newer ones do not.
      byHand(
        ['ContainerCreate', 'ContainerStart', 'ContainerExec', 'ContainerUpdate', 'NetworkCreate'],
        'the request is remembered for the text of an error',
        { profile: 'engine', requestUp: rememberAsked },
      ),
    ],
    examples: {
      'ImageCreate responseDown': [
        [
          {
            query: 'fromImage=h:5000/a/b&tag=x',
            status: 404,
            text: 'manifest for h:5000/a/b:x not found: manifest unknown',
          },
          {
            status: 200,
            body: [
              { status: 'Pulling repository h:5000/a/b' },
              { errorDetail: { message: 'Error: image a/b not found' }, error: 'Error: image a/b not found' },
            ],
          },
          { client: '1.22' },
        ],
        [
          {
            query: 'fromImage=web:2',
            status: 404,
            text: "pull access denied for web, repository does not exist or may require 'docker login'",
          },
          {
            status: 200,
            body: [
              { status: 'Pulling repository docker.io/library/web' },
              {
                errorDetail: { message: 'Error: image library/web:2 not found' },
                error: 'Error: image library/web:2 not found',
              },
            ],
          },
          { client: '1.24' },
        ],
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
      'ContainerDelete responseDown error': [
        ['running', 'Stop'],
        ['restarting', 'Stop'],
        ['paused', 'Unpause and then stop'],
      ].map(([state, stop]) => [
        `409 You cannot remove a ${state} container ${'0123'.repeat(16)}. ${stop} the container before attempting removal or force remove`,
        `409 You cannot remove a running container ${'0123'.repeat(16)}. Stop the container before attempting removal or use -f`,
        { client: '1.24' },
      ]),
      'ContainerList requestUp': [
        ['limit=abc&all=1', 'all=1', { client: '1.18' }],
        ['limit=abc', 'limit=abc', { client: '1.19' }],
      ],
      'ContainerList responseDown': [
        [{ status: 400, text: "Invalid filter 'status=bogus'" }, { status: 200, body: [] }, { client: '1.19' }],
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
      'ImageBuild responseDown body': [
        [
          { errorDetail: { message: 'invalid signal: X' }, error: 'invalid signal: X' },
          { errorDetail: { message: 'Invalid signal: X' }, error: 'Invalid signal: X' },
        ],
      ],
      'ContainerCreate requestUp body.Image': [['busybox']],
      'ContainerCreate responseDown error': [
        [
          '400 Invalid container name (_x), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed',
          '500 Invalid container name (_x), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed',
        ],
        ['400 Duplicate mount point: /x', "500 Duplicate mount point '/x'", { client: '1.22' }],
        [
          '409 Conflict. The container name "/web" is already in use by container "0123456789abcdef0123". You have to remove (or rename) that container to be able to reuse that name.',
          '409 Conflict. The name "web" is already in use by container 0123456789ab. You have to delete (or rename) that container to be able to reuse that name.',
          { client: '1.20' },
        ],
        ['400 something new', '500 something new'],
        [
          '400 CPU cfs quota can not be less than 1ms (i.e. 1000)',
          '400 CPU cfs quota can not be less than 1ms (i.e. 1000)',
          { client: '1.22' },
        ],
      ],
      'ContainerLogs responseDown error': [['400 Bad parameters: you must choose at least one stream']],
      'ContainerPause responseDown error': [
        [
          '409 container 0123456789ab is not running',
          '500 Cannot pause container web: Container 0123456789ab is not running',
          { client: '1.18', params: { name: 'web' } },
        ],
      ],
      'ContainerStart responseDown error': [
        [
          '400 failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "nosuch": executable file not found in $PATH',
          '500 Container command not found or does not exist.',
          { client: '1.22' },
        ],
      ],
      'NetworkDelete responseDown error': [
        [
          '403 error while removing network: network web has active endpoints (name:"c" id:"0")',
          '500 network web has active endpoints',
        ],
      ],
      'VolumeDelete responseDown error': [
        ['409 remove v: volume is in use - [0123]', '409 Conflict: volume is in use', { client: '1.21' }],
      ],
    },
  },
] satisfies Change[]
