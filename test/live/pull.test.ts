import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client, records } from './support/client.ts'
import { registryFor } from './support/registry-process.ts'
import { CONTAINERD, DOCKER_ENGINES, LEGACY_VERSIONS, onEngines, withBridge } from './support/suites.ts'

/** Free in every engine's own network. */
const PORT = 5097
const PULL = `/images/create?fromImage=127.0.0.1:${PORT}/pulltest`

await onEngines([...DOCKER_ENGINES, CONTAINERD], (engine) => {
  const { socket } = withBridge(engine)
  let close = (): void => undefined
  beforeAll(async () => {
    close = await registryFor(engine.socket, PORT)
  })
  afterAll(() => close())

  test.each([...LEGACY_VERSIONS, '1.24'])(
    'a missing tag ends the pull of a %s client in its stream',
    async (version) => {
      for (const tag of ['nosuchtag', 'nosuchtag-bare']) {
        const reply = await new Client(socket, version).post(`${PULL}&tag=${tag}`)
        expect([reply.status, reply.type]).toEqual([200, 'application/json'])
        const image = version === '1.22' ? 'pulltest' : `pulltest:${tag}` // recorded: image-pull-404tag, 1.6.2 to 1.12.6
        const error = `Error: image ${image} not found`
        const began = { status: `Pulling repository 127.0.0.1:${PORT}/pulltest` }
        expect(records(reply.text)).toEqual([began, { errorDetail: { message: error }, error }])
        expect(reply.text).toMatch(/\}\r\n\{.*\}\r\n$/)
      }
    },
  )
})
