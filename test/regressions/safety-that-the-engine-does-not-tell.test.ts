import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { DockerLike, type Fault } from '../support/docker-like.ts'

const make = stages()
const headers = { 'Content-Type': 'application/json' }
const post = (socket: string, path: string, body: unknown): ReturnType<typeof call> =>
  call(socket, path, { method: 'POST', headers, body: JSON.stringify(body) })
const fails: Fault = { status: 500, message: 'database is locked' }

/** An engine that failed to list or to show the others counted as one where nothing depends on the container. */
it.each<[string, string, Fault[], string]>([
  ['list', 'GET json', ['none', 'none', fails], 'the engine does not list the containers that may depend on it'],
  ['show', 'GET json', ['none', 'none', 'none', fails], 'database is locked'],
])('a container is not made anew when the engine does not %s the others', async (_what, step, faults, words) => {
  const engine = new DockerLike()
  const { socket } = await make(engine.script)
  const made = await post(socket, '/v1.22/containers/create?name=web', { Image: 'busybox' })
  const { Id: id } = JSON.parse(made.text)
  const ipc = { IpcMode: `container:${id}` }
  await post(socket, '/v1.51/containers/create?name=other', { Image: 'busybox', HostConfig: ipc })
  engine.seen.length = 0
  engine.faults.set(step, [...faults])
  const reply = await post(socket, `/v1.22/containers/${id}/start`, { Binds: ['/usr:/mnt'] })
  expect([reply.status, reply.text]).toEqual([expect.toSatisfy((code) => code >= 400), expect.stringContaining(words)])
  expect(engine.held).toMatchObject([{ Id: id, Name: '/web' }, { Name: '/other' }])
  expect(engine.seen).not.toContainEqual(expect.stringMatching(/^(?!GET)/))
})
