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

/** Adds the documented name beside the real one. */
export function documentedAddresses(config: JsonValue): JsonValue | undefined {
  if (!Array.isArray(config)) return undefined
  for (const pool of config)
    if (isObject(pool) && pool['AuxiliaryAddresses'] !== undefined) pool['AuxAddress'] ??= pool['AuxiliaryAddresses']
  return config
}
