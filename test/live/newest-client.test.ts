import { expect, test } from 'vitest'
import { formatVersion, NEWEST } from '../../src/api/version.ts'
import { Client } from './support/client.ts'
import { onEngines, withBridge } from './support/suites.ts'

const NEWEST_CLIENT = formatVersion(NEWEST)

await onEngines(['20.10', '26.1', '28.5'], (engine) => {
  const { socket } = withBridge(engine, ['--announce-api', NEWEST_CLIENT])
  const client = new Client(socket, NEWEST_CLIENT)
  const direct = Client.ofEngine(engine.socket)

  test('disk usage of a newest client has a usage for each kind, counted from the engine’s own lists', async () => {
    const name = `newest-df-${process.pid}`
    await client.run({ Cmd: ['sh', '-c', 'echo 12345678 >/f; sleep 60'], Volumes: { '/v': {} } }, name)
    await client.create({}, `${name}-idle`)
    const own = await direct.get('/system/df')
    const reply = await client.get('/system/df?verbose=1')
    const containers = own.at('Containers') as { State: string }[]
    expect(reply.at('ContainerUsage')).toMatchObject({
      ActiveCount: containers.filter(({ State }) => State === 'running').length,
      TotalCount: containers.length,
      TotalSize: expect.any(Number),
      Items: containers.map(({ State }) => expect.objectContaining({ State })),
    })
    expect(reply.at('ImageUsage', 'TotalSize')).toBe(own.at('LayersSize'))
    expect(reply.at('ImageUsage', 'TotalCount')).toBe((own.at('Images') as unknown[]).length)
    expect(reply.at('VolumeUsage', 'TotalCount')).toBe((own.at('Volumes') as unknown[]).length)
    expect(Object.keys(reply.json() as object).sort()).toEqual([
      'BuildCacheUsage',
      'ContainerUsage',
      'ImageUsage',
      'VolumeUsage',
    ])
  })

  test('disk usage of a newest client that asks for volumes has volumes alone, flat too without verbose', async () => {
    const reply = await client.get('/system/df?type=volume')
    expect(Object.keys(reply.json() as object).sort()).toEqual(['VolumeUsage', 'Volumes'])
    expect(reply.at('VolumeUsage')).not.toHaveProperty('Items')
  })

  test('a prune of the build cache that reserves space is taken by an engine that calls it keep-storage', async () => {
    const reply = await client.post('/build/prune?all=1&reserved-space=1000000')
    expect([reply.said, reply.at('SpaceReclaimed')]).toEqual([expect.stringMatching(/^200 /), expect.any(Number)])
  })
})
