import { isObject, type JsonValue } from '../../src/api/json/json.ts'
import { onSide } from '../../src/api/shapes/shape.ts'
import { Ipam } from '../../src/api/shapes/shapes.ts'
import type { Pairs } from '../../src/translate/ops/members/values.ts'
import { retyped } from '../../src/translate/ops.ts'

const a = { a: '10.0.0.9' }
const DOCUMENTED = { AuxAddress: a }
const ON_WIRE = { AuxiliaryAddresses: a }
const BOTH = { ...ON_WIRE, ...DOCUMENTED }

/** The documents say AuxAddress, every daemon AuxiliaryAddresses (daemon/network/settings.go:IPAMConfig @v1.9.1). */
function wireAddresses(config: JsonValue): JsonValue | undefined {
  if (!Array.isArray(config)) return undefined
  for (const pool of config) {
    if (!isObject(pool) || pool['AuxAddress'] === undefined) continue
    pool['AuxiliaryAddresses'] ??= pool['AuxAddress']
    delete pool['AuxAddress']
  }
  return config
}

/** Adds the documented name beside the real one. */
function documentedAddresses(config: JsonValue): JsonValue | undefined {
  if (!Array.isArray(config)) return undefined
  for (const pool of config)
    if (isObject(pool) && pool['AuxiliaryAddresses'] !== undefined) pool['AuxAddress'] ??= pool['AuxiliaryAddresses']
  return config
}

const SENT: Pairs = [DOCUMENTED, BOTH].map((pool) => [[pool], [ON_WIRE]])

export const addressesSent = retyped(onSide(Ipam, 'request'), 'Config', {
  samples: { toNewer: SENT, toOlder: SENT },
  toNewer: wireAddresses,
  toOlder: wireAddresses,
  words: 'IPAM.Config[].AuxAddress is sent as AuxiliaryAddresses',
})

const SHOWN: Pairs = [[[ON_WIRE], [BOTH]]]

export const addressesShown = retyped(onSide(Ipam, 'response'), 'Config', {
  samples: { toNewer: SHOWN, toOlder: SHOWN },
  toNewer: documentedAddresses,
  toOlder: documentedAddresses,
  words: 'IPAM.Config[].AuxAddress is shown, as documented',
})
