import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

/**
 * With `--audit-mode blocking` a call waits for its record. An attach that did so was not yet known to stay with its
 * container: a start with a HostConfig made the container anew meanwhile, and the client was attached to one that went.
 */
describe('an attach whose audit record is being stored', () => {
  const stage = stages()

  it('keeps its container from being made anew, and no longer than it lasts', async () => {
    const stored = Promise.withResolvers<void>()
    let waits = false
    const { bridge, socket } = await stage(
      {
        onUpgrade: (_req, engine) => {
          engine.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
          engine.resume().on('end', () => engine.end())
        },
      },
      [],
      {
        audit: {
          write: ({ stage: at }) => {
            if (at !== 'received') return undefined
            waits = true
            return stored.promise
          },
        },
      },
    )
    const client = new RawConnection(socket)
    client.send(
      'POST /v1.44/containers/web/attach?stream=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    )
    await eventually(() => waits, 'its record is being stored')
    const web = { id: 'f'.repeat(64), name: 'web' }
    expect(bridge.replacedContainers.isWatched(web)).toBe(true)
    stored.resolve()
    await client.until((text) => text.includes('101'))
    expect(bridge.replacedContainers.isWatched(web)).toBe(true)
    client.socket.destroy()
    await eventually(() => !bridge.replacedContainers.isWatched(web), 'it is free again')
  })

  it('frees it when the record cannot be stored', async () => {
    const stored = Promise.withResolvers<void>()
    const { bridge, socket } = await stage({}, [], {
      audit: { write: ({ stage: at }) => (at === 'received' ? stored.promise : undefined) },
    })
    const client = new RawConnection(socket)
    client.send('GET /v1.44/containers/web/logs?follow=1 HTTP/1.1\r\nHost: d\r\n\r\n')
    const web = { id: 'f'.repeat(64), name: 'web' }
    await eventually(() => bridge.replacedContainers.isWatched(web), 'it is watched')
    stored.reject(new Error('the disk is full'))
    await client.until((text) => text.includes('500'))
    expect(bridge.replacedContainers.isWatched(web)).toBe(false)
    client.socket.destroy()
  })
})
