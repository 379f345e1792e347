import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/**
 * Podman unmounts a container a moment after its end, and copies without a lock: `docker wait c && docker cp c:/x .` got an empty
 * archive with a 200, 4 times in 60. (Seen on Podman 5.4.2 and 5.8.6, with overlay.)
 */
const stage = stages()
const podman = {
  ...{ ApiVersion: '1.41', MinAPIVersion: '1.24', Version: '5.4.2', Os: 'linux', Arch: 'amd64' },
  Components: [{ Name: 'Podman Engine', Version: '5.4.2' }],
}

const COPIES: readonly (readonly [method: string, path: string, body: string | undefined])[] = [
  ['GET', '/v1.41/containers/a/archive?path=/x', undefined],
  ['PUT', '/v1.41/containers/a/archive?path=/x', 'tar'],
  ['POST', '/v1.19/containers/a/copy', '{"Resource":"/x"}'],
]

/** The calls that reach the engine: for an inspect the mount that it answered with, for a copy `copy`. */
async function askedFor([method, path, body]: (typeof COPIES)[number], age: number): Promise<unknown[]> {
  const places = ['/merged', '/merged', undefined]
  const asked: unknown[] = []
  const { socket } = await stage({
    version: podman,
    onRequest: (req, res) => {
      req.resume()
      if (req.url?.endsWith('/json') === true) {
        const MergedDir = places.shift()
        asked.push(MergedDir)
        res.writeHead(200, { 'Content-Type': 'application/json' })
        const State = { Status: 'exited', FinishedAt: new Date(Date.now() - age).toISOString() }
        res.end(JSON.stringify({ Id: 'a', State, GraphDriver: { Data: { MergedDir } } }))
        return
      }
      if (req.method !== 'HEAD') asked.push('copy')
      res.writeHead(200, { 'Content-Type': 'application/x-tar' })
      res.end()
    },
  })
  const headers = { 'Content-Type': body?.startsWith('{') === true ? 'application/json' : 'application/x-tar' }
  await call(socket, path, { method, headers, ...(body !== undefined && { body }) })
  return asked
}

it.each(COPIES)('a copy waits until a container that has ended is unmounted: %s %s', async (...copy) => {
  expect(await askedFor(copy, 500)).toEqual(['/merged', '/merged', undefined, 'copy'])
})

it.each(COPIES)('a copy does not wait for what somebody else keeps mounted: %s %s', async (...copy) => {
  expect(await askedFor(copy, 60_000)).toEqual(['/merged', 'copy'])
})
