import { isObject, type JsonObject, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import type { PodmanChanges } from '../../src/translate/change.ts'
import type { EmulationContext, ResponseMessage } from '../../src/translate/message.ts'
import { emulated } from '../../src/translate/ops.ts'
import { LISTS } from '../by-hand/places.ts'

async function networkIds({ body }: ResponseMessage, context: EmulationContext): Promise<void> {
  const named = [body ?? []]
    .flat()
    .flatMap((one) => Object.entries(objectOf(memberAt(one, 'NetworkSettings', 'Networks'))))
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]) && entry[1]['NetworkID'] === entry[0])
  if (named.length === 0 || context.allows?.('GET', '/networks') === false) return
  const { body: networks } = await context.engineCall('GET', '/networks')
  const ids = new Map(listOf(networks).map((one) => [memberAt(one, 'Name'), memberAt(one, 'Id')]))
  for (const [name, endpoint] of named) endpoint['NetworkID'] = ids.get(name === 'podman' ? 'bridge' : name) ?? name
}

const NETWORKS = {
  calls: {
    'GET /networks': {
      body: [
        { Name: 'bridge', Id: '0a' },
        { Name: 'n', Id: '0b' },
      ],
    },
  },
}

export default {
  'podman/network-ids': {
    summary: 'Containers show the names of their networks for the ids (before 5.4).',
    see: 'libpod/networking_common.go @v5.2.0, @v5.4.2; Compose 2.40 makes containers again whose NetworkID is another',
    ops: emulated(['ContainerInspect', ...LISTS], 'the ids come from the list of networks', {
      responseDown: networkIds,
    }),
    examples: {
      'ContainerInspect responseDown body.NetworkSettings.Networks': [
        [
          { podman: { NetworkID: 'podman' }, n: { NetworkID: 'n' }, gone: { NetworkID: 'gone' } },
          { podman: { NetworkID: '0a' }, n: { NetworkID: '0b' }, gone: { NetworkID: 'gone' } },
          NETWORKS,
        ],
        [{ n: { NetworkID: '0b' } }],
      ],
      'ContainerList responseDown body.[].NetworkSettings.Networks': [
        [{ n: { NetworkID: 'n' } }, { n: { NetworkID: '0b' } }, NETWORKS],
      ],
    },
  },
} satisfies PodmanChanges
