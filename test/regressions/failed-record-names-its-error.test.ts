import { expect, it } from 'vitest'
import { ProxyError } from '../../src/api/errors.ts'
import type { Observer } from '../../src/audit/watched.ts'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'

const stage = stages()

const ignore = (): void => undefined
/** Fails where a translated record goes to the client. */
const failing: Observer = () => ({
  ...{ request: ignore, response: ignore, stream: ignore, over: ignore },
  body: (side) => {
    if (side === 'clientResponse') throw new ProxyError('internal', 'out of paper')
  },
})

/** A record whose translation makes further calls failed with "the client left", whatever its error was. */
it.each([
  ['makes further calls', '1.22', '1.10.3'],
  ['makes none', '1.23', '1.11.2'],
])('a stream ends with the error of a record that %s', async (_, ApiVersion, Version) => {
  const { socket, audit } = await stage(
    {
      version: { ApiVersion, Version, Os: 'linux', Arch: 'amd64' },
      onRequest: (_req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.write('{"status":"start","id":"c1","from":"a","time":1}\n')
      },
    },
    ['--announce-api', '1.44'],
    { observers: [failing] },
  )
  const client = new RawConnection(socket)
  client.send('GET /v1.29/events HTTP/1.1\r\nHost: d\r\n\r\n')
  expect(await client.untilEnd(20_000)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  await expect
    .poll(() => audit.at(-1))
    .toMatchObject({ stage: 'failed', error: { code: 'internal', message: 'out of paper' } })
})
