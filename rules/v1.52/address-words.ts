import { isObject, type JsonObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import type { Example, Op } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { byHand } from '../../src/translate/ops.ts'
import type { Reworded } from '../by-hand/reworded.ts'

const NOTE = 'ipam.asked'

/** Texts of engines from 29.0 on do not name the member, so it is looked up in the request. */
function noteAddresses({ body }: RequestMessage, { memory }: StepContext): void {
  const ipam = memberAt(body, 'IPAM')
  const configs = isObject(ipam) && Array.isArray(ipam['Config']) ? ipam['Config'].filter(isObject) : []
  const ranges = configs.map(({ IPRange: range }) => range ?? null)
  const aux = configs.flatMap(({ AuxiliaryAddresses: addresses }) => (isObject(addresses) ? [addresses] : []))
  memory.set(NOTE, { ranges, aux })
}

function noted({ memory }: StepContext): { ranges: readonly JsonValue[]; aux: readonly JsonObject[] } {
  const { ranges, aux } = (memory.get(NOTE) ?? {}) as { ranges?: JsonValue[]; aux?: JsonObject[] }
  return { ranges: ranges ?? [], aux: aux ?? [] }
}

function badPrefix(value: string): string {
  const [address = '', bits] = value.split(/\/(?=[^/]*$)/)
  if (bits === undefined) return "no '/'"
  if (!/^[\d.:a-f]+$/i.test(address)) return `ParseAddr("${address}"): unable to parse IP`
  return /^([1-9]\d*|0)$/.test(bits) ? 'prefix length out of range' : `bad bits after slash: "${bits}"`
}

const olderAddress = ([, value = '']: RegExpExecArray, context: StepContext): string => {
  const [name] = noted(context).aux.flatMap((aux) => Object.keys(aux).filter((key) => aux[key] === value))
  return `invalid network config:\ninvalid ${name === undefined ? `gateway ${value}` : `auxiliary address ${name}`}: invalid address`
}

const newerAddress = ([, gateway, name = '']: RegExpExecArray, context: StepContext): string => {
  const value = gateway ?? noted(context).aux.find((aux) => Object.hasOwn(aux, name))?.[name] ?? ''
  return `invalid JSON: ParseAddr("${value}"): unable to parse IP`
}

/** Invalid subnets, ranges, gateways and auxiliary addresses of a new network. */
export const addresses: readonly Reworded[] = [
  {
    on: 'NetworkCreate',
    before: {
      status: 400,
      says: /^invalid network config:\ninvalid (?:subnet|ip-range) (\S+): invalid CIDR block notation$/,
      text: ([, value = ''], context) => {
        const word = noted(context).ranges.includes(value) ? 'ip-range' : 'subnet'
        return `invalid network config:\ninvalid ${word} ${value}: invalid CIDR block notation`
      },
    },
    after: {
      status: 400,
      says: /^invalid JSON: netip\.ParsePrefix\("([^"]*)"\): .*$/,
      text: ([, value = '']) => `invalid JSON: netip.ParsePrefix("${value}"): ${badPrefix(value)}`,
    },
    sample: {
      before: 'invalid network config:\ninvalid subnet nope: invalid CIDR block notation',
      after: 'invalid JSON: netip.ParsePrefix("nope"): no \'/\'',
    },
  },
  {
    on: 'NetworkCreate',
    before: {
      status: 400,
      says: /^invalid network config:\ninvalid (?:gateway (\S+)|auxiliary address (\S+)): invalid address$/,
      text: olderAddress,
    },
    after: { status: 400, says: /^invalid JSON: ParseAddr\("([^"]*)"\): .*$/, text: newerAddress },
    sample: {
      before: 'invalid network config:\ninvalid gateway nope: invalid address',
      after: 'invalid JSON: ParseAddr("nope"): unable to parse IP',
    },
  },
]

export const addressesNoted: Op = byHand('NetworkCreate', 'addresses are remembered for the text of an error', {
  profile: 'engine',
  requestUp: noteAddresses,
  requestDown: noteAddresses,
})

const CONFIG = { Subnet: '10.0.0.0/24', IPRange: '10.0.0.0/99', AuxiliaryAddresses: { router: 'nope' } }
const asked = { body: { Name: 'n', IPAM: { Config: [CONFIG] } } }
const INVALID = 'invalid network config:\ninvalid'

export const addressExamples: readonly Example[] = (
  [
    [
      `${INVALID} ip-range 10.0.0.0/99: invalid CIDR block notation`,
      'invalid JSON: netip.ParsePrefix("10.0.0.0/99"): prefix length out of range',
    ],
    [`${INVALID} auxiliary address router: invalid address`, 'invalid JSON: ParseAddr("nope"): unable to parse IP'],
  ] as const
).flatMap(([older, newer]): Example[] => {
  const before = { status: 400, text: older }
  const after = { status: 400, text: newer }
  return [
    { on: 'NetworkCreate', leg: 'responseUp', asked, before, after },
    { on: 'NetworkCreate', leg: 'responseDown', asked, before: after, after: before },
  ]
})
