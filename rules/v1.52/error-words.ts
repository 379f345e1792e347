import { isObject, type JsonObject, type JsonValue, listOf, memberAt, objectOf } from '../../src/api/json/json.ts'
import { below, onlyIn, type Shape } from '../../src/api/shapes/shape.ts'
import { ProgressRecord } from '../../src/api/shapes/shapes.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { type Change, type Op, retyped } from '../../src/translate/ops.ts'
import { inWords, inWordsDown, type Reworded, reworded } from '../by-hand/reworded.ts'

const NOTE = 'ipam.asked'
const INVALID = 'invalid network config:\ninvalid'
const NO_ADDRESS = 'invalid JSON: ParseAddr("nope"): unable to parse IP'

/** Texts of engines from 29.0 on do not name the member, so it is looked up in the request. */
function noteAddresses({ body }: RequestMessage, { memory }: StepContext): void {
  memory.set(NOTE, listOf(memberAt(body, 'IPAM', 'Config')))
}

const pools = ({ memory }: StepContext): JsonObject[] => listOf(memory.get(NOTE)).filter(isObject)
const auxiliary = (context: StepContext): [name: string, value: JsonValue | undefined][] =>
  pools(context).flatMap(({ AuxiliaryAddresses: addresses }) => Object.entries(objectOf(addresses)))

function badPrefix(value: string): string {
  const [address = '', bits] = value.split(/\/(?=[^/]*$)/)
  if (bits === undefined) return "no '/'"
  if (!/^[\d.:a-f]+$/i.test(address)) return `ParseAddr("${address}"): unable to parse IP`
  return /^([1-9]\d*|0)$/.test(bits) ? 'prefix length out of range' : `bad bits after slash: "${bits}"`
}

const olderAddress = ([, value = '']: RegExpExecArray, context: StepContext): string => {
  const [name] = auxiliary(context).find(([, address]) => address === value) ?? []
  return `${INVALID} ${name === undefined ? `gateway ${value}` : `auxiliary address ${name}`}: invalid address`
}

const newerAddress = ([, gateway, name = '']: RegExpExecArray, context: StepContext): string => {
  const [, value = ''] = auxiliary(context).find(([key]) => key === name) ?? []
  return `invalid JSON: ParseAddr("${gateway ?? value}"): unable to parse IP`
}

const notes = { requestUp: noteAddresses, requestDown: noteAddresses }
const CONFIG = { Subnet: '10.0.0.0/24', IPRange: '10.0.0.0/99', AuxiliaryAddresses: { router: 'nope' } }
const asked = { body: { Name: 'n', IPAM: { Config: [CONFIG] } } }

/** Invalid subnets, ranges, gateways and auxiliary addresses of a new network. */
const addresses: readonly Reworded[] = [
  {
    on: 'NetworkCreate',
    notes,
    before: {
      status: 400,
      says: /^invalid network config:\ninvalid (?:subnet|ip-range) (\S+): invalid CIDR block notation$/,
      text: ([, value = ''], context) => {
        const word = pools(context).some(({ IPRange: range }) => range === value) ? 'ip-range' : 'subnet'
        return `${INVALID} ${word} ${value}: invalid CIDR block notation`
      },
    },
    after: {
      status: 400,
      says: /^invalid JSON: netip\.ParsePrefix\("([^"]*)"\): .*$/,
      text: ([, value = '']) => `invalid JSON: netip.ParsePrefix("${value}"): ${badPrefix(value)}`,
    },
    samples: [
      {
        before: `${INVALID} subnet nope: invalid CIDR block notation`,
        after: 'invalid JSON: netip.ParsePrefix("nope"): no \'/\'',
      },
      {
        asked,
        before: `${INVALID} ip-range 10.0.0.0/99: invalid CIDR block notation`,
        after: 'invalid JSON: netip.ParsePrefix("10.0.0.0/99"): prefix length out of range',
      },
    ],
  },
  {
    on: 'NetworkCreate',
    notes,
    before: {
      status: 400,
      says: /^invalid network config:\ninvalid (?:gateway (\S+)|auxiliary address (\S+)): invalid address$/,
      text: olderAddress,
    },
    after: { status: 400, says: /^invalid JSON: ParseAddr\("([^"]*)"\): .*$/, text: newerAddress },
    samples: [
      { before: `${INVALID} gateway nope: invalid address`, after: NO_ADDRESS },
      { asked, before: `${INVALID} auxiliary address router: invalid address`, after: NO_ADDRESS },
    ],
  },
]

const rows: readonly Reworded[] = [
  {
    on: 'SystemAuth',
    before: { status: 500, says: /^(?:invalid character .*|unexpected EOF|EOF|json: .*)$/, text: '$1' },
    after: {
      status: 400,
      says: /^invalid X-Registry-Auth header: invalid JSON: (.*)$/,
      text: 'invalid X-Registry-Auth header: invalid JSON: $0',
    },
    samples: [{ before: 'EOF', after: 'invalid X-Registry-Auth header: invalid JSON: EOF' }],
  },
  inWords('ContainerPause', '409 Container $1 is already paused', '409 container $1 is already paused'),
  inWordsDown(
    'ContainerCreate', // an invalid host port still has the older text
    '400 invalid port specification: "$1"',
    "400 invalid JSON: invalid port '$1': invalid syntax",
  ),
  inWords(
    'ContainerCreate', // the other operations still have the older text
    '400 invalid JSON: got EOF while reading request body',
    '400 invalid JSON: EOF',
  ),
  ...addresses,
]

const NO_MANIFEST = 'invalid archive: does not contain a manifest.json'
const NO_REPOSITORIES = /^open \S*\/repositories: no such file or directory$/

const LoadRecord = onlyIn(ProgressRecord, 'ImageLoad')
const SAMPLE = 'open /var/lib/docker/tmp/docker-import-1/repositories: no such file or directory'

/** daemon/internal/image/tarexport/load.go:Load @docker-v29.0.0 */
const emptyArchive = (shape: Shape, member: string): Op =>
  retyped(shape, member, {
    samples: {
      toNewer: [
        [SAMPLE, NO_MANIFEST],
        ['unexpected EOF', 'unexpected EOF'],
      ],
    },
    sides: 'response',
    toNewer: (text) => (NO_REPOSITORIES.test(String(text)) ? NO_MANIFEST : undefined),
  })

export const errorWords = {
  summary: 'An invalid login is 400, not 500; errors about addresses, ports and paused containers differ.',
  see: 'daemon/server/router, api/types/network @docker-v29.0.0; seen on 20.10, 26.1, 28.5 and 29.8',
  ops: [
    ...reworded(rows),
    // Not for older clients: the older text names a path on the engine's disk.
    emptyArchive(LoadRecord, 'error'),
    emptyArchive(below(LoadRecord, 'errorDetail'), 'message'),
  ],
} satisfies Change
