import { describe, expect, it } from 'vitest'
import { archives } from '../../rules/by-hand/error-words/archives.ts'
import { containers } from '../../rules/by-hand/error-words/containers.ts'
import { create } from '../../rules/by-hand/error-words/create.ts'
import { images } from '../../rules/by-hand/error-words/images.ts'
import { volumesNetworks } from '../../rules/by-hand/error-words/volumes-networks.ts'
import { inOlderWords, rememberAsked } from '../../rules/by-hand/error-words.ts'
import type { JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { apiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { RequestMessage, ResponseMessage, StepContext } from '../../src/translate/message.ts'

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
  rememberAsked({ body: asked.body } as RequestMessage, context)
  inOlderWords(message, context)
  return { status: message.status, text: message.text ?? '' }
}

describe('the words of older engines', () => {
  it('are listed from the newest engine to the oldest, each once', () => {
    for (const { says, was } of [...create, ...containers, ...images, ...archives, ...volumesNetworks]) {
      const versions = was.map(([upTo]) => upTo)
      expect(versions, String(says)).toEqual([...new Set(versions)].sort((a, b) => b - a))
    }
  })

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
})
