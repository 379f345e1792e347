import { isObject, type JsonValue } from '../../src/api/json/json.ts'

/** Drivers that had their own name for the tag. */
const DRIVERS = ['syslog', 'gelf', 'fluentd']

const respelled = (config: JsonValue, spell: (name: string) => string): JsonValue | undefined =>
  isObject(config) ? Object.fromEntries(Object.entries(config).map(([name, value]) => [spell(name), value])) : undefined

export const commonTag = (config: JsonValue): JsonValue | undefined =>
  respelled(config, (name) => (DRIVERS.some((driver) => name === `${driver}-tag`) ? 'tag' : name))

export const driverTag = (config: JsonValue, type: JsonValue | undefined): JsonValue | undefined =>
  typeof type === 'string' && DRIVERS.includes(type)
    ? respelled(config, (name) => (name === 'tag' ? `${type}-tag` : name))
    : undefined
