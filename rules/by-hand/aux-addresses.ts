import { isObject, type JsonValue } from '../../src/api/json/json.ts'

/** The documents say AuxAddress, every daemon AuxiliaryAddresses (daemon/network/settings.go:IPAMConfig @v1.9.1). */
export function wireAddresses(config: JsonValue): JsonValue | undefined {
  if (!Array.isArray(config)) return undefined
  for (const pool of config) {
    if (!isObject(pool) || pool['AuxAddress'] === undefined) continue
    pool['AuxiliaryAddresses'] ??= pool['AuxAddress']
    delete pool['AuxAddress']
  }
  return config
}

/** Under both names, for those who read the documents. */
function asBoth(ipam: JsonValue | undefined): void {
  const config = isObject(ipam) ? ipam['Config'] : undefined
  for (const pool of Array.isArray(config) ? config : []) {
    if (isObject(pool) && pool['AuxiliaryAddresses'] !== undefined) pool['AuxAddress'] ??= pool['AuxiliaryAddresses']
  }
}

/** One network or a list of them. */
export function documentedAddresses(body: JsonValue | undefined): void {
  for (const network of Array.isArray(body) ? body : [body]) if (isObject(network)) asBoth(network['IPAM'])
}
