import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'

/** Runs until it is told to stop, and then stops at once. */
const obedient = { Cmd: ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 0.05; done'] }

const state = async (client: Client, id: string, member: string): Promise<unknown> =>
  (await client.get(`/containers/${id}/json`)).at('State', member)

await asLegacyClients(CORNERS, ({ client, own }) => {
  test('creates a container and is given its id', async () => {
    const reply = await client.post(`/containers/create?name=${own('made')}`, { Image: 'busybox', Cmd: ['true'] })
    expect(reply.said).toMatch(/^201 /)
    expect(reply.at('Id')).toMatch(/^[0-9a-f]{64}$/)
  })

  test('renames a container', async () => {
    const id = await client.create({ Cmd: ['true'] }, own('before'))
    expect((await client.post(`/containers/${id}/rename?name=${own('after')}`)).said).toBe('204 ')
    expect((await client.get(`/containers/${own('after')}/json`)).at('Id')).toBe(id)
  })

  test('deletes a container, which is gone then', async () => {
    const id = await client.create({ Cmd: ['true'] })
    expect((await client.delete(`/containers/${id}`)).said).toBe('204 ')
    expect((await client.get(`/containers/${id}/json`)).status).toBe(404)
  })

  describe('with a running container', () => {
    let id = ''
    beforeAll(async () => {
      const HostConfig = { PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }] } }
      id = await client.run({ ...obedient, ExposedPorts: { '80/tcp': {} }, HostConfig }, own('runs'))
    })

    test('is told with 304 that it already runs', async () => {
      expect((await client.post(`/containers/${id}/start`)).status).toBe(304)
    })

    test('finds it in the list', async () => {
      const list = (await client.get('/containers/json')).json()
      expect(list).toContainEqual(expect.objectContaining({ Id: id, Names: [`/${own('runs')}`] }))
    })

    test('gets its published port', async () => {
      const ports = (await client.get(`/containers/${id}/json`)).at('NetworkSettings', 'Ports', '80/tcp')
      expect(ports).toEqual([{ HostIp: '127.0.0.1', HostPort: expect.stringMatching(/^\d+$/) }])
    })

    test('gets its address at the top level of its network settings', async () => {
      const address = (await client.get(`/containers/${id}/json`)).at('NetworkSettings', 'IPAddress')
      expect(address).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
    })

    // An engine sets the state with its answer, and once more when containerd's event comes (daemon/monitor.go,
    // ProcessEvent): one that is late by 20 ms says "paused" again behind an unpause until the next event comes.
    test('pauses and unpauses it', async () => {
      const paused = (): Promise<unknown> => state(client, id, 'Paused')
      expect((await client.post(`/containers/${id}/pause`)).said).toBe('204 ')
      await expect.poll(paused, { timeout: 10_000 }).toBe(true)
      expect((await client.post(`/containers/${id}/unpause`)).said).toBe('204 ')
      await expect.poll(paused, { timeout: 10_000 }).toBe(false)
    })

    test('deletes it by force', async () => {
      expect((await client.delete(`/containers/${id}?force=1&v=1`)).said).toBe('204 ')
    })
  })

  describe('with a container to start and end', () => {
    let id = ''
    beforeAll(async () => {
      id = await client.create(obedient)
    })
    const running = async (): Promise<unknown> => client.post(`/containers/${id}/start`)

    test('starts it', async () => {
      expect((await client.post(`/containers/${id}/start`)).said).toBe('204 ')
      expect(await state(client, id, 'Running')).toBe(true)
    })

    test('restarts it', async () => {
      await running()
      const before = await state(client, id, 'StartedAt')
      expect((await client.post(`/containers/${id}/restart?t=5`)).said).toBe('204 ')
      expect(await state(client, id, 'Running')).toBe(true)
      expect(await state(client, id, 'StartedAt')).not.toBe(before)
    })

    test('stops it, and is told with 304 that it already stands', async () => {
      await running()
      expect((await client.post(`/containers/${id}/stop?t=5`)).said).toBe('204 ')
      expect((await client.post(`/containers/${id}/stop?t=5`)).status).toBe(304)
    })

    test('kills it', async () => {
      await running()
      expect((await client.post(`/containers/${id}/kill?signal=KILL`)).said).toBe('204 ')
      expect((await client.post(`/containers/${id}/wait`)).at('StatusCode')).toBe(137)
    })
  })

  describe('with a finished container', () => {
    let id = ''
    beforeAll(async () => {
      id = await client.finish({ Cmd: ['sh', '-c', 'exit 7'] })
    })

    test('waits and is told the exit code, and nothing else', async () => {
      const reply = await client.post(`/containers/${id}/wait`)
      expect(reply.json()).toEqual({ StatusCode: 7 })
    })

    if (client.minor < 20)
      test('kills it without an error', async () => {
        expect((await client.post(`/containers/${id}/kill`)).said).toBe('204 ')
      })

    if (client.minor >= 20)
      test('is told as text that it cannot kill it', async () => {
        const reply = await client.post(`/containers/${id}/kill`)
        expect([409, 500]).toContain(reply.status)
        expect(reply.text).toMatch(/is not running\n$/)
      })
  })
})
