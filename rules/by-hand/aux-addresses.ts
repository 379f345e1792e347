import { isObject, type JsonValue, listOf } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { Ipam, IpamConfig } from '../../src/api/shapes/shapes.ts'
import type { Pairs } from '../../src/translate/ops/members/values.ts'
import { filled, retyped, sameAs } from '../../src/translate/ops.ts'

const a = { a: '10.0.0.9' }
const DOCUMENTED = { AuxAddress: a }
const ON_WIRE = { AuxiliaryAddresses: a }
const SENT: Pairs = [DOCUMENTED, { ...ON_WIRE, ...DOCUMENTED }].map((pool) => [[pool], [ON_WIRE]])

/** The documents say AuxAddress, every daemon AuxiliaryAddresses (daemon/network/settings.go:IPAMConfig @v1.9.1). */
function wireAddresses(config: JsonValue): undefined {
  for (const pool of listOf(config).filter(isObject)) {
    if (pool['AuxAddress'] === undefined) continue
    pool['AuxiliaryAddresses'] ??= pool['AuxAddress']
    delete pool['AuxAddress']
  }
}

export const addressesSent = retyped(onSide(Ipam, 'request'), 'Config', {
  samples: { toNewer: SENT, toOlder: SENT },
  toNewer: wireAddresses,
  toOlder: wireAddresses,
  description: 'IPAM.Config[].AuxAddress is sent as AuxiliaryAddresses',
})

/** The documented name stands beside the real one. */
export const addressesShown = (['responseDown', 'responseUp'] as const).map((leg) =>
  filled(onSide(IpamConfig, 'response'), 'AuxAddress', sameAs('AuxiliaryAddresses'), { leg, sample: a }),
)
