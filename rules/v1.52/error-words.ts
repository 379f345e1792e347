import { isObject, type JsonObject, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import { below, onlyIn, type Shape } from '../../src/api/shapes/shape.ts'
import { ProgressRecord } from '../../src/api/shapes/shapes.ts'
import { type Change, errorTexts, type Op, retyped } from '../../src/translate/ops.ts'

const pools = (body: JsonValue | undefined): JsonObject[] => listOf(memberAt(body, 'IPAM', 'Config')).filter(isObject)
const auxiliary = (body: JsonValue | undefined): [name: string, value: JsonValue | undefined][] =>
  pools(body).flatMap(({ AuxiliaryAddresses: addresses }) => Object.entries(objectOf(addresses)))

function badPrefix(value: string): string {
  const [address = '', bits] = value.split(/\/(?=[^/]*$)/)
  if (bits === undefined) return "no '/'"
  if (!/^[\d.:a-f]+$/i.test(address)) return `ParseAddr("${address}"): unable to parse IP`
  return /^([1-9]\d*|0)$/.test(bits) ? 'prefix length out of range' : `bad bits after slash: "${bits}"`
}

const CONFIG = { Subnet: '10.0.0.0/24', IPRange: '10.0.0.0/99', AuxiliaryAddresses: { router: 'nope' } }
const values = { prefix: '10.0.0.0/99', which: 'ip-range', why: 'prefix length out of range' }

/** Texts of engines from 29.0 on do not name the member of an address, so it is looked up in the request. */
const addresses = errorTexts(
  `
  NetworkCreate
    400 invalid JSON: netip.ParsePrefix("{prefix}"): {why}
      400 invalid network config:\\ninvalid {which=subnet|ip-range} {prefix}: invalid CIDR block notation
    400 invalid JSON: ParseAddr("{address}"): unable to parse IP
    400 invalid JSON: ParseAddr("{address}"): {reason}
      400 invalid network config:\\ninvalid {member=gateway|auxiliary address} {given}: invalid address
`,
  {
    remembers: ['NetworkCreate'],
    holes: {
      which: ({ found, body }) =>
        pools(body).some(({ IPRange: range }) => range === found['prefix']) ? 'ip-range' : 'subnet',
      why: ({ found }) => badPrefix(found['prefix'] ?? ''),
      address: ({ found: { member, given = '' }, body }) =>
        member === 'gateway' ? given : String(auxiliary(body).find(([name]) => name === given)?.[1] ?? ''),
      member: ({ found, body }) =>
        auxiliary(body).some(([, value]) => value === found['address']) ? 'auxiliary address' : 'gateway',
      given: ({ found: { address }, body }) => auxiliary(body).find(([, value]) => value === address)?.[0] ?? address,
    },
    samples: [
      { values: { prefix: 'nope', which: 'subnet', why: "no '/'", address: 'nope', member: 'gateway', given: 'nope' } },
      {
        body: { Name: 'n', IPAM: { Config: [CONFIG] } },
        values: { ...values, address: 'nope', member: 'auxiliary address', given: 'router' },
      },
    ],
  },
)

const texts = errorTexts(`
  SystemAuth
    400 invalid X-Registry-Auth header: invalid JSON: {decoder=invalid character |json: }{rest}
      500 {decoder=invalid character |json: }{rest}
    400 invalid X-Registry-Auth header: invalid JSON: {decoder=unexpected EOF|EOF}
      500 {decoder=unexpected EOF|EOF}
    400 invalid X-Registry-Auth header: invalid JSON: {rest}
      down 500 {rest}
  ContainerPause
    409 container {word} is already paused
      409 Container {word} is already paused
  ContainerCreate
    # An invalid host port still has the older text.
    400 invalid JSON: invalid port '{port}': invalid syntax
      down 400 invalid port specification: "{port}"
    # The other operations still have the older text.
    400 invalid JSON: EOF
      400 invalid JSON: got EOF while reading request body
  ContainerCreate NetworkConnect
    400 {rest}network-scoped aliases are only supported for user-defined networks{rest2}
      400 {rest}network-scoped alias is supported only for containers in user defined networks{rest2}
`)

const NO_MANIFEST = 'invalid archive: does not contain a manifest.json'
const NO_REPOSITORIES = /^open \S*\/repositories: no such file or directory$/

const LoadRecord = onlyIn(ProgressRecord, 'ImageLoad')
const SAMPLE = 'open /var/lib/docker/tmp/docker-import-1/repositories: no such file or directory'

/** daemon/internal/image/tarexport/load.go:Load @docker-v29.0.0 */
const emptyArchive = (shape: Shape, member: string): Op =>
  retyped(shape, member, {
    samples: [[SAMPLE, NO_MANIFEST], ['unexpected EOF']],
    toNewer: (text) => (NO_REPOSITORIES.test(String(text)) ? NO_MANIFEST : undefined),
  })

export const errorWords = {
  summary: 'An invalid login is 400, not 500; errors about addresses, aliases, ports and paused containers differ.',
  see: 'daemon/server/router, api/types/network @docker-v29.0.0; seen on 20.10, 26.1, 28.5 and 29.8',
  ops: [
    texts,
    addresses,
    // Not for older clients: the older text names a path on the engine's disk.
    emptyArchive(LoadRecord, 'error'),
    emptyArchive(below(LoadRecord, 'errorDetail'), 'message'),
  ],
} satisfies Change
