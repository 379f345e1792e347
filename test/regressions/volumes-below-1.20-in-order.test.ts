import { expect, test } from 'vitest'
import { answered } from '../support/api-documents/bridge.ts'

test('a client of 1.19 sees the volumes of a container in order of their paths, however the engine lists its mounts', () => {
  const Mounts = ['/c', '/a', '/b'].map((Destination) => ({ Type: 'volume', Source: '/v', Destination, RW: true }))
  const shown = answered({ operation: 'ContainerInspect', client: 19, engine: 51 }, { Id: 'c1', Mounts })
  expect(shown).toMatchObject({ Volumes: {}, VolumesRW: {} })
  const { Volumes, VolumesRW } = JSON.parse(JSON.stringify(shown))
  expect([Object.keys(Volumes), Object.keys(VolumesRW)]).toEqual([
    ['/a', '/b', '/c'],
    ['/a', '/b', '/c'],
  ])
})
