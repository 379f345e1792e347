import { type JsonObject, type JsonValue, stringOf } from '../../src/api/json/json.ts'

/** In the order of the engine's map, which Go writes sorted (daemon/info.go:fillVersion @v18.01). */
const DETAILS = [
  'ApiVersion',
  'Arch',
  'BuildTime',
  'Experimental',
  'GitCommit',
  'GoVersion',
  'KernelVersion',
  'MinAPIVersion',
  'Os',
] as const

/** The engine itself as its only component; every detail is text. */
export function engineComponent(version: JsonObject): JsonValue {
  const details = DETAILS.map((name) => [
    name,
    name === 'Experimental' ? String(version[name] === true) : stringOf(version[name]),
  ])
  return [{ Name: 'Engine', Version: stringOf(version['Version']), Details: Object.fromEntries(details) }]
}
