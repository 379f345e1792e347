import { expect, test } from 'vitest'
import { demultiplex } from './support/client.ts'
import { asLegacyClients, PODMAN } from './support/suites.ts'

await asLegacyClients({ [PODMAN]: ['1.18', '1.22'] }, ({ client, own }) => {
  test('pings and is told a version', async () => {
    expect((await client.get('/_ping')).said).toBe('200 OK')
    expect((await client.get('/version')).json()).toMatchObject({ ApiVersion: expect.any(String) })
  })

  test('runs a container and reads its output and exit code', async () => {
    const id = await client.finish({ Cmd: ['sh', '-c', 'echo out; exit 7'] }, own('podman'))
    expect((await client.post(`/containers/${id}/wait`)).at('StatusCode')).toBe(7)
    expect(demultiplex((await client.get(`/containers/${id}/logs?stdout=1`)).bytes).stdout).toBe('out\n')
  })

  test('attaches and ends its side', async () => {
    const id = await client.create({ OpenStdin: true, StdinOnce: true, AttachStdin: true, Cmd: ['cat'] })
    const { wire } = await client.hijack(`/containers/${id}/attach?stream=1&stdin=1&stdout=1`, 'upgrade')
    await client.post(`/containers/${id}/start`)
    wire.write('through podman\n')
    wire.halfClose()
    expect(demultiplex(await wire.rest()).stdout).toBe('through podman\n')
  })

  test('runs a command in a container', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const exec = (await client.post(`/containers/${id}/exec`, { AttachStdout: true, Cmd: ['echo', 'inside'] })).at('Id')
    const { wire } = await client.hijack(`/exec/${exec}/start`, 'upgrade', { Detach: false, Tty: false })
    expect(demultiplex(await wire.rest()).stdout).toBe('inside\n')
  })

  test('is told as text that there is no such container', async () => {
    const reply = await client.get('/containers/nosuch/json')
    expect([reply.status, reply.type]).toEqual([404, 'text/plain; charset=utf-8'])
  })
})
