import { expect, test } from 'vitest'
import { Client } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'

const inspected = async (client: Client, config: object, member: string): Promise<unknown> => {
  const id = await client.create({ Cmd: ['true'], ...config })
  return (await client.get(`/containers/${id}/json`)).at(member)
}

await asLegacyClients(CORNERS, ({ client, engine, own }) => {
  test('creates with a command that is one string, as every version documented', async () => {
    expect(await inspected(client, { Cmd: 'true' }, 'Config')).toMatchObject({ Cmd: ['true'] })
  })

  test('creates with an exposed port that names no protocol', async () => {
    const id = await client.create({ Cmd: ['true'], ExposedPorts: { '80': {} } })
    const ports = (await client.get(`/containers/${id}/json`)).at('Config', 'ExposedPorts')
    expect(Object.keys(ports ?? {})).toEqual([expect.stringMatching(/^80(\/tcp)?$/)]) // engines show it as it came
  })

  test('limits the memory in HostConfig', async () => {
    const hostConfig = await inspected(client, { HostConfig: { Memory: 67108864 } }, 'HostConfig')
    expect(hostConfig).toMatchObject({ Memory: 67108864 })
  })

  test('limits memory and CPU at the top level, where they stood before 1.18', async () => {
    const hostConfig = await inspected(client, { Memory: 67108864, MemorySwap: -1, CpuShares: 512 }, 'HostConfig')
    expect(hostConfig).toMatchObject({ Memory: 67108864, CpuShares: 512 })
  })

  test.each([
    ['without HostConfig', {}],
    ['beside "HostConfig": null', { HostConfig: null }],
  ])('asks at the top level for all that HostConfig may say, %s', async (_, beside) => {
    const asked = {
      ...{ Privileged: true, RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 2 } },
      ...{ PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '49080' }] }, CapAdd: ['NET_ADMIN'] },
      ...{ NetworkMode: 'none', CpusetCpus: '0', ReadonlyRootfs: true, PidMode: 'host', Memory: 67108864 },
    }
    const id = await client.create({ Cmd: ['true'], Binds: ['/usr:/mnt:ro'], ...asked, ...beside })
    const made = await Client.ofEngine(engine.socket).get(`/containers/${id}/json`)
    expect(made.at('HostConfig')).toMatchObject({ ...asked, CapAdd: [expect.stringMatching(/^(CAP_)?NET_ADMIN$/)] })
    expect(made.at('Mounts')).toMatchObject([{ Source: '/usr', Destination: '/mnt', RW: false }])
  })

  test('sends zeros at the top level, which mean nothing', async () => {
    const zeros = { Memory: 0, MemorySwap: 0, CpuShares: 0, Cpuset: '', VolumeDriver: '' }
    const hostConfig = await inspected(client, { ...zeros, HostConfig: { Memory: 67108864 } }, 'HostConfig')
    expect(hostConfig).toMatchObject({ Memory: 67108864 })
  })

  test('keeps its environment, labels and working directory', async () => {
    const config = { Env: ['A=1', 'B=two words'], Labels: { 'com.example.a': 'b' }, WorkingDir: '/tmp' }
    const kept = await inspected(client, config, 'Config')
    expect(kept).toMatchObject({ ...config, Env: expect.arrayContaining(config.Env) })
  })

  test('is refused a second container of the same name', async () => {
    await client.create({ Cmd: ['true'] }, own('once'))
    const reply = await client.post(`/containers/create?name=${own('once')}`, { Image: 'busybox', Cmd: ['true'] })
    expect(reply.status).toBe(409)
    expect(reply.type).toBe('text/plain; charset=utf-8')
    expect(reply.text).toContain('is already in use by container')
  })
})

await asLegacyClients(CORNERS, ({ client }) => {
  test('runs with an empty entrypoint string, which means none', async () => {
    const id = await client.finish({ Cmd: ['true'], Entrypoint: '' })
    expect((await client.get(`/containers/${id}/json`)).at('State', 'ExitCode')).toBe(0)
  })

  test('mounts a folder of the machine read-only', async () => {
    const id = await client.finish({
      Cmd: ['sh', '-c', 'touch /mnt/x 2>/dev/null; echo $?'],
      HostConfig: { Binds: ['/usr:/mnt:ro'] },
    })
    expect((await client.get(`/containers/${id}/logs?stdout=1`)).bytes.subarray(8).toString()).toBe('1\n')
  })
})
