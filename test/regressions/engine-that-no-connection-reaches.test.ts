import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const make = stages()

/** It was told as an engine that had broken off: as if the call might have taken effect. */
it('an engine whose address no connection reaches cannot be reached, whatever the system calls that', async () => {
  const file = join(make.folder(), 'file')
  writeFileSync(file, '')
  const { socket } = await make.bridge(join(file, 'engine.sock'))
  const reached = /cannot reach the engine at unix:[^ ]+ \(ENOTDIR\)/
  expect(await call(socket, '/v1.24/info')).toMatchObject({ status: 503, text: expect.stringMatching(reached) })
  // A name with several addresses: Node tries all of them.
  const local = await make.bridge('tcp://localhost:1')
  const refused = /cannot reach the engine at tcp:[^ ]+ \(ECONNREFUSED\)/
  expect((await call(local.socket, '/v1.24/info')).text).toMatch(refused)
  const unrouted = await make.bridge('tcp://255.255.255.255:1')
  expect((await call(unrouted.socket, '/v1.24/info')).text).toMatch(/cannot reach the engine at tcp:[^ ]+ \(E[A-Z]+\)/)
})
