import { describe, expect, test } from 'vitest'
import { Client } from './support/client.ts'
import { onEngines, withBridge } from './support/suites.ts'

const VERSIONS = ['1.18', '1.19', '1.20']
const CREATE = { Cmd: ['true'], HostConfig: { Memory: 67108864, CpusetCpus: '0' } }
/** Which part of an inspection, and what in it engines wrote for these versions up to 25. */
const PARTS = [[], ['Config'], ['NetworkSettings']] as const
/** Newer than 1.10, the last engine whose own version was among these. */
const LATER = ['Platform']

const membersOf = (value: unknown): string[] => Object.keys(Object(value))

await onEngines(['20.10'], (engine) => {
  const { socket } = withBridge(engine)
  test.each(VERSIONS)(
    'what the engine shows of a container at %s stays, beside what its own engine showed',
    async (version) => {
      const client = new Client(socket, version)
      const id = await client.create(CREATE)
      const through = await client.get(`/containers/${id}/json`)
      const direct = await new Client(engine.socket, version, 'docker').get(`/containers/${id}/json`)
      for (const part of PARTS) {
        const shown = membersOf(direct.at(...part)).filter((name) => !LATER.includes(name))
        expect(shown.length).toBeGreaterThan(10)
        expect(membersOf(through.at(...part))).toEqual(expect.arrayContaining(shown))
      }
      expect(through.at('Config')).toMatchObject({ ...Object(direct.at('Config')) })
    },
  )
})

await onEngines(['28.5-min1.44'], (engine) => {
  const { socket } = withBridge(engine)
  test.each(VERSIONS)('what engines showed of a container at %s is made where they no longer do', async (version) => {
    const client = new Client(socket, version)
    const id = await client.create(CREATE)
    const shown = await client.get(`/containers/${id}/json`)
    const limits = version === '1.20' ? {} : { Cpuset: '0', Memory: 67108864 }
    const unset = { MacAddress: '', NetworkDisabled: false, ExposedPorts: null, VolumeDriver: '' }
    expect(shown.at('Config')).toMatchObject({ ...unset, ...limits })
    expect(shown.at('GraphDriver', 'Name')).toEqual(expect.any(String))
    expect((await client.get('/images/busybox/json')).at('GraphDriver', 'Name')).toEqual(expect.any(String))
  })
})

await onEngines(['20.10'], (engine) => {
  describe('with the profile spec', () => {
    const { socket } = withBridge(engine, ['--profile', 'spec'])
    test('a container is shown to the letter', async () => {
      const [older, newer] = [new Client(socket, '1.19'), new Client(socket, '1.20')]
      const id = await older.create(CREATE)
      const shown = await older.get(`/containers/${id}/json`)
      expect(membersOf(shown.json())).not.toContain('GraphDriver')
      expect(membersOf(shown.at('Config'))).not.toContain('Cpuset')
      const later = await newer.get(`/containers/${id}/json`)
      for (const name of ['MacAddress', 'NetworkDisabled', 'ExposedPorts', 'VolumeDriver'])
        expect(membersOf(later.at('Config'))).not.toContain(name)
      expect(membersOf(later.at('NetworkSettings'))).not.toContain('SandboxID')
    })
  })
})
