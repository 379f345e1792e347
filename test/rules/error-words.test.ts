import { describe, expect, it } from 'vitest'
import { olderTexts } from '../../rules/by-hand/error-words.ts'
import type { JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { rememberBody } from '../../src/translate/ops/calls/error-texts.ts'

const ID = '0123'.repeat(16)

interface Said {
  readonly status: number
  readonly text: string
}

function inWordsOf(
  client: number,
  operation: OperationName,
  said: Said,
  asked: { name?: string; query?: string; body?: JsonValue } = {},
): Said {
  const message: ResponseMessage = { ...said, headers: Headers.fromRaw([]), body: undefined }
  const context = {
    operation,
    client: apiVersion(client),
    call: { params: { name: asked.name ?? 'web' }, query: new URLSearchParams(asked.query) },
    memory: new Map(),
  } as unknown as StepContext
  rememberBody({ body: asked.body } as RequestMessage, context)
  olderTexts.toOlder(message, context)
  return { status: message.status, text: message.text ?? '' }
}

describe('the words of older engines', () => {
  it('are those of the client’s own version, and nothing changes for clients newer than all of them', () => {
    const said = { status: 409, text: 'Container 0123 is already paused' }
    expect(inWordsOf(25, 'ContainerPause', said)).toEqual(said)
    expect(inWordsOf(24, 'ContainerPause', said)).toEqual({ status: 500, text: 'Container 0123 is already paused' })
    expect(inWordsOf(21, 'ContainerPause', said).text).toBe(
      'Cannot pause container web: alreadypaused: Container 0123 is already paused',
    )
    expect(inWordsOf(18, 'ContainerPause', said).text).toBe(
      'Cannot pause container web: Container 0123 is already paused',
    )
  })

  it('keep all of what the engine said behind the words that are known', () => {
    const said = { status: 409, text: 'remove v: volume is in use - [0123, 4567]' }
    expect(inWordsOf(22, 'VolumeDelete', said).text).toBe('Conflict: remove v: volume is in use - [0123, 4567]')
    expect(inWordsOf(21, 'VolumeDelete', said).text).toBe('Conflict: volume is in use')
  })

  it('name what the client had asked for, where newer engines do not: an image, a bind, a tag', () => {
    const badName = { status: 400, text: 'invalid reference format: repository name must be lowercase' }
    expect(inWordsOf(22, 'ContainerCreate', badName, { body: { Image: 'BAD' } })).toEqual({
      status: 404,
      text: 'No such image: BAD:latest',
    })
    const badMode = { status: 500, text: 'invalid mode: zz' }
    const body = { Image: 'a', HostConfig: { Binds: ['/x:/y', '/a:/b:zz'] } }
    expect(inWordsOf(24, 'ContainerCreate', badMode, { body }).text).toBe(
      'Invalid bind mount spec "/a:/b:zz": invalid mode: zz',
    )
    expect(inWordsOf(19, 'ImageCreate', badName, { query: 'fromImage=BAD:x' }).text).toBe(
      'Invalid repository name (BAD), only [a-z0-9-_.] are allowed',
    )
  })

  it('leave an error alone that the older engine did not have', () => {
    const said = { status: 400, text: "unknown log opt 'bogus' for json-file log driver" }
    expect(inWordsOf(24, 'ContainerCreate', said).status).toBe(500)
    expect(inWordsOf(22, 'ContainerCreate', said)).toEqual(said)
  })

  it.each<[number, OperationName, Said, Said]>([
    [
      22,
      'VolumeCreate',
      { status: 404, text: 'create v: error looking up volume plugin p: plugin "p" not found' },
      { status: 404, text: 'create v: Error looking up volume plugin p: plugin not found' },
    ],
    [21, 'NetworkCreate', { status: 404, text: 'plugin "p" not found' }, { status: 404, text: 'Plugin not found' }],
    [
      21,
      'ContainerCreate',
      { status: 400, text: 'conflicting options: dns and the network mode' },
      { status: 409, text: 'Conflicting options: --dns and the network mode (--net)' },
    ],
    [
      23,
      'ContainerUpdate',
      { status: 400, text: 'Invalid value: 101, valid memory swappiness range is 0-100' },
      { status: 500, text: 'Invalid value: 101, valid memory swappiness range is 0-100.' },
    ],
    [
      24,
      'ContainerStart',
      { status: 400, text: "invalid volume specification: '/a:/b:/c:/d'" },
      { status: 500, text: "Invalid volume specification: '/a:/b:/c:/d'" },
    ],
    [
      20,
      'ContainerStart',
      { status: 409, text: 'failed to join IPC namespace: container 0123 is not running' },
      { status: 500, text: 'Cannot start container web: cannot join IPC of a non running container: 0123' },
    ],
    [
      24,
      'SwarmLeave',
      { status: 503, text: 'This node is not part of a swarm' },
      { status: 406, text: 'This node is not part of a swarm' },
    ],
    [
      24,
      'ContainerDelete',
      { status: 409, text: 'cannot remove container "web": container is paused and must be unpaused first' },
      {
        status: 409,
        text: 'You cannot remove a running container web. Stop the container before attempting removal or use -f',
      },
    ],
    [
      24,
      'ContainerCreate',
      { status: 400, text: 'error looking up logging plugin bogus: plugin "bogus" not found' },
      { status: 500, text: "logger: no log driver named 'bogus' is registered" },
    ],
    [
      24,
      'ContainerDelete',
      {
        status: 409,
        text: `You cannot remove a paused container ${ID}. Unpause and then stop the container before attempting removal or force remove`,
      },
      {
        status: 409,
        text: `You cannot remove a running container ${ID}. Stop the container before attempting removal or use -f`,
      },
    ],
    [
      20,
      'ContainerCreate',
      {
        status: 409,
        text: 'Conflict. The container name "/web" is already in use by container "0123456789abcdef0123". You have to remove (or rename) that container to be able to reuse that name.',
      },
      {
        status: 409,
        text: 'Conflict. The name "web" is already in use by container 0123456789ab. You have to delete (or rename) that container to be able to reuse that name.',
      },
    ],
    [
      22,
      'ContainerStart',
      {
        status: 400,
        text: 'OCI runtime create failed: unable to start container process: exec: "nosuch": executable file not found in $PATH',
      },
      { status: 500, text: 'Container command not found or does not exist.' },
    ],
    // No row: the status that engines of that age read off the words.
    [24, 'ContainerLogs', { status: 400, text: 'something new' }, { status: 500, text: 'something new' }],
    [24, 'SwarmInit', { status: 400, text: 'a conflict' }, { status: 409, text: 'a conflict' }],
    ...(
      [
        [12, 'No such thing', 404],
        [18, 'Bad parameters: x', 400],
        [18, 'Impossible to say', 406],
        [18, 'Wrong login/password, please try again', 401],
        [22, "Your account hasn't been activated", 403],
        // 1.6 knows fewer words than 1.7, 1.11 and 1.12 more.
        [18, 'thing not found', 500],
        [19, 'thing not found', 404],
        [22, 'No command given', 500],
        [24, 'No command given', 400],
        [22, 'unauthorized: who are you', 500],
        [23, 'unauthorized: who are you', 401],
        [22, 'This node is odd', 500],
        [24, 'This node is odd', 406],
      ] as const
    ).map(([client, text, status]): [number, OperationName, Said, Said] => [
      client,
      'ContainerLogs',
      { status: 400, text },
      { status, text },
    ]),
  ])('for 1.%i and %s', (client, operation, said, was) => {
    expect(inWordsOf(client, operation, said)).toEqual(was)
  })
})
