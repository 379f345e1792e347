import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { DockerLike } from '../support/docker-like.ts'

const make = stages()
const headers = { 'Content-Type': 'application/json' }
const post = (socket: string, path: string, body: unknown): ReturnType<typeof call> =>
  call(socket, path, { method: 'POST', headers, body: JSON.stringify(body) })

/**
 * While a start made a container anew, its name was free for a moment. Another client that took it was told 201, the start
 * failed, and the container kept the name under which it had been set aside. What named it in a body met one of two containers.
 */
it.each([
  ['create by that name', '/v1.51/containers/create?name=web', { Image: 'other' }, 409],
  ['rename to that name', '/v1.51/containers/other/rename?name=web', {}, 409],
  ['network connect', '/v1.51/networks/n/connect', { Container: 'web' }, 200],
  ['commit', '/v1.51/commit?container=web', {}, 201],
  ['prune', '/v1.51/containers/prune', {}, 200],
])('a %s waits while a start makes a container anew', async (_what, path, body, status) => {
  const engine = new DockerLike()
  const { onRequest, ...script } = engine.script
  const order: string[] = []
  let meanwhile: ReturnType<typeof call> | undefined
  const { socket } = await make({
    ...script,
    onRequest: async (req, res) => {
      const { method, url = '' } = req
      if (method === 'GET' || !/create|rename|start|connect|commit|prune|[0-9]{64}$/.test(url))
        return onRequest?.(req, res)
      order.push(`${method} ${url}`)
      if (/connect|commit|prune/.test(url)) return res.writeHead(status, headers).end('{}')
      const isAside = engine.held.some(({ Name }) => Name.startsWith('/enginebridge-set-aside-'))
      if (isAside && meanwhile === undefined) {
        meanwhile = post(socket, path, body)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      return onRequest?.(req, res)
    },
  })
  await post(socket, '/v1.51/containers/create?name=other', { Image: 'busybox' })
  const made = await post(socket, '/v1.22/containers/create?name=web', { Image: 'busybox' })
  const { Id: id } = JSON.parse(made.text)
  expect((await post(socket, `/v1.22/containers/${id}/start`, { Binds: ['/usr:/mnt'] })).status).toBe(204)
  expect((await meanwhile)?.status).toBe(status)
  expect(engine.held.map(({ Name }) => Name).sort()).toEqual(['/other', '/web'])
  const removal = order.findIndex((step) => step.startsWith('DELETE '))
  expect(order.indexOf(`POST ${path}`)).toBeGreaterThan(removal)
  expect(removal).toBeGreaterThan(0)
})
