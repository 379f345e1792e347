import fc from 'fast-check'
import { isObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { type Field, specification } from './specification.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/)
const exact = fc
  .bigInt({ min: 9007199254740993n, max: 9223372036854775807n })
  .map((value): JsonValue => JSON.rawJSON(value.toString()))

const BY_TYPE: Record<Field['type'], fc.Arbitrary<JsonValue>> = {
  string: word,
  int: fc.oneof({ weight: 3, arbitrary: fc.nat(1_000_000) }, { weight: 1, arbitrary: exact }),
  bool: fc.boolean(),
  array: fc.array(word, { maxLength: 3 }),
  map: fc.dictionary(word, word, { maxKeys: 3, noNullPrototype: true }),
  object: fc.constant({}),
}

/** Members whose values have a form of their own. */
const BY_NAME: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  Binds: fc.array(
    word.map((name) => `/${name}:/${name}:ro`),
    { maxLength: 2 },
  ),
  Links: fc.array(
    word.map((name) => `${name}:${name}`),
    { maxLength: 2 },
  ),
  PortBindings: fc.constant({ '80/tcp': [{ HostIp: '', HostPort: '8080' }] }),
  ExposedPorts: fc.constant({ '80/tcp': {} }),
  Volumes: fc.constant({ '/data': {} }),
  NetworkMode: fc.constantFrom('bridge', 'host', 'none', 'container:web'),
  PidMode: fc.constantFrom('', 'host'),
  IpcMode: fc.constantFrom('', 'host'),
  RestartPolicy: fc.constantFrom(
    { Name: 'always', MaximumRetryCount: 0 },
    { Name: 'on-failure', MaximumRetryCount: 3 },
  ),
  LogConfig: fc.constant({ Type: 'json-file', Config: {} }),
  CapAdd: fc.constantFrom<JsonValue>(null, ['NET_ADMIN']),
  SecurityOpt: fc.constantFrom<JsonValue>(null, ['label:type:web']),
  Devices: fc.constant([{ PathOnHost: '/dev/a', PathInContainer: '/dev/a', CgroupPermissions: 'rwm' }]),
  Ulimits: fc.constant([{ Name: 'nofile', Soft: 5, Hard: 6 }]),
  WorkingDir: word.map((name) => `/${name}`),
  Status: fc.constantFrom('running', 'exited'),
  CpuShares: fc.integer({ min: 2, max: 262144 }),
  Env: fc.array(
    word.map((name) => `${name}=1`),
    { maxLength: 3 },
  ),
  Ports: fc.constant([]),
  networks: fc.constant({ eth0: { rx_bytes: 1 } }),
}

const record = (fields: readonly Field[]): fc.Arbitrary<JsonObject> =>
  fc.record(Object.fromEntries(fields.map((field) => [field.name, BY_NAME[field.name] ?? BY_TYPE[field.type]])), {
    requiredKeys: [],
    noNullPrototype: true,
  })

/** Members that no table knows, under names that no table uses. */
const unknown = fc.dictionary(
  word.map((name) => `Zz${name}`),
  fc.oneof<fc.Arbitrary<JsonValue>[]>(
    word,
    exact,
    fc.constant(null),
    fc.array(fc.nat(9)),
    fc.constant({ a: [{ b: null }] }),
  ),
  { maxKeys: 3, noNullPrototype: true },
)

const shuffled = (object: JsonObject): fc.Arbitrary<JsonObject> =>
  fc
    .shuffledSubarray(Object.entries(object), { minLength: Object.keys(object).length })
    .map((entries): JsonObject => Object.fromEntries(entries))

/**
 * Bodies of an operation with members of the specification's tables, unknown ones among them, in any order. Parts that
 * lie in lists and maps are left to the examples. `which` chooses among the fields.
 */
export function bodies(
  operation: OperationName,
  side: 'request' | 'response',
  which: (field: Field) => boolean,
): fc.Arbitrary<JsonObject> {
  const parts = specification.fields.flatMap(({ places, fields }) =>
    places
      .filter((place) => place.operation === operation && place.side === side && !/[[{]/.test(place.path))
      .map(({ path }) => ({ path, fields: fields.filter(which) })),
  )
  parts.sort((a, b) => a.path.length - b.path.length)
  const objects = parts.map(({ fields }) =>
    fc.tuple(record(fields), unknown).chain(([own, more]) => shuffled({ ...own, ...more })),
  )
  return fc.tuple(...objects).map((made) => {
    const root: JsonObject = {}
    for (const [i, object] of made.entries()) {
      const path = parts[i]?.path ?? ''
      // Constants of the arbitraries are shared among runs: what is built on them is a copy.
      if (path !== '') root[path] = isObject(root[path]) ? { ...root[path] } : {}
      const place = path === '' ? root : root[path]
      if (isObject(place)) Object.assign(place, object)
    }
    return root
  })
}
