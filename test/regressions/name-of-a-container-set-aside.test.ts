import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { DockerLike } from '../support/docker-like.ts'

const make = stages()
const OURS = 'enginebridge-set-aside-aaaaaaaaaaaa.web'
const WORDS = /^Invalid container name \(\/?enginebridge-set-aside-.*\): names that start with/
const headers = { 'Content-Type': 'application/json' }

/** Events of a container that the bridge has set aside are not shown, so that a client could hide its own by such a name. */
describe('a name that the bridge gives to containers it sets aside', () => {
  it.each([
    ['create', `/containers/create?name=${OURS}`],
    ['create with a slash', `/containers/create?name=/${OURS}`],
    ['create with escapes', `/containers/create?n%61me=%65nginebridge%2Dset-aside-x`],
    ['create with a second name', `/containers/create?name=web&name=${OURS}`],
    ['create behind a semicolon', `/containers/create?platform=;name=${OURS}`],
    ['rename', `/containers/web/rename?name=${OURS}`],
    ['rename by the name of a link', `/containers/parent/alias/rename?name=${OURS}`],
  ])('is refused to a client, in the form of its version: %s', async (_what, path) => {
    const engine = new DockerLike()
    const { socket } = await make(engine.script)
    const ask = (version: string) => call(socket, `${version}${path}`, { method: 'POST', headers, body: '{}' })
    const [newer, older] = [await ask('/v1.44'), await ask('/v1.22')]
    expect(newer.status).toBe(400)
    expect(JSON.parse(newer.text)).toEqual({ message: expect.stringMatching(WORDS) })
    expect([older.status, older.text]).toEqual([400, expect.stringMatching(WORDS)])
    expect(engine.seen).not.toContainEqual(expect.stringMatching(/^POST/))
  })

  it.each([
    ['', 'name'],
    ['/v5.4.2', 'Name'],
    ['/v1.22', 'name'],
  ])('is refused in Podman’s own API as well: %s/libpod, %s', async (version, parameter) => {
    const engine = new DockerLike()
    const { socket } = await make(engine.script)
    const path = `${version}/libpod/containers/web/rename?${parameter}=${OURS}`
    const reply = await call(socket, path, { method: 'POST' })
    expect([reply.status, JSON.parse(reply.text)]).toEqual([400, { message: expect.stringMatching(WORDS) }])
    expect(engine.seen).not.toContainEqual(expect.stringMatching(/^POST/))
  })

  it.each(['web', 'parent/alias'])('is refused in the body of a form as well: %s', async (name) => {
    const engine = new DockerLike()
    const { socket } = await make(engine.script)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const reply = await call(socket, `/v1.44/containers/${name}/rename`, {
      method: 'POST',
      headers: form,
      body: `name=${OURS}`,
    })
    expect(reply.status).toBe(400)
    expect(engine.seen).not.toContainEqual(expect.stringMatching(/^POST/))
  })
})
