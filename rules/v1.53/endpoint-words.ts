import { isObject, type JsonValue, memberAt } from '../../src/api/json/json.ts'
import type { Example, Op } from '../../src/translate/change.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import { byHand } from '../../src/translate/ops.ts'
import type { Reworded } from '../by-hand/reworded.ts'

const NOTE = 'endpoint.addresses'
const ON = ['ContainerCreate', 'NetworkConnect'] as const

const endpointsOf = (body: JsonValue | undefined): (JsonValue | undefined)[] => {
  if (!isObject(body)) return []
  const networking = memberAt(body['NetworkingConfig'], 'EndpointsConfig')
  return [body['EndpointConfig'], ...(isObject(networking) ? Object.values(networking) : [])]
}

/** The older text does not name the address, so it is taken from the request. */
function noteAddress({ body }: RequestMessage, { memory }: StepContext): void {
  const ipam = endpointsOf(body).flatMap((endpoint) => (isObject(endpoint) ? [endpoint['IPAMConfig']] : []))
  const addresses = ipam.flatMap((config) => (isObject(config) ? [config['IPv4Address'], config['IPv6Address']] : []))
  const [first] = addresses.filter((address) => typeof address === 'string' && address !== '')
  memory.set(NOTE, first ?? '')
}

const noted = ({ memory }: StepContext): string => String(memory.get(NOTE) ?? '')

const LEAD = '^((?:.|\\n)*endpoint settings:\\n)'
const NO_SUBNETS =
  'user specified IP address is supported only when connecting to networks with user configured subnets'
const SETTINGS = 'invalid config for network bridge: invalid endpoint settings:\n'

/** Seen on 28.5 and 29.8; engine 29.0 still has the older texts. */
export const endpointWords: readonly Reworded[] = [
  {
    on: ON,
    before: {
      status: 400,
      says: new RegExp(
        `${LEAD}\\* user specified IP address is supported on user defined networks only\\n\\* ${NO_SUBNETS}$`,
      ),
      text: `$1* user specified IP address is supported on user defined networks only\n* ${NO_SUBNETS}`,
    },
    after: {
      status: 400,
      says: new RegExp(
        `${LEAD}\\* user-specified IP address is supported on user-defined networks only\\n\\* no configured .*$`,
      ),
      text: ([, lead = ''], context) =>
        `${lead}* user-specified IP address is supported on user-defined networks only\n* no configured subnet contains IP address ${noted(context)}`,
    },
    sample: {
      before: `${SETTINGS}* user specified IP address is supported on user defined networks only\n* ${NO_SUBNETS}`,
      after: `${SETTINGS}* user-specified IP address is supported on user-defined networks only\n* no configured subnet contains IP address 1.2.3.4`,
    },
  },
  {
    on: ON,
    before: {
      status: 400,
      says: new RegExp(`${LEAD}no configured subnet or ip-range contain the IP address (\\S+)$`),
      text: '$1no configured subnet or ip-range contain the IP address $2',
    },
    after: {
      status: 400,
      says: new RegExp(`${LEAD}no configured subnet contains IP address (\\S+)$`),
      text: '$1no configured subnet contains IP address $2',
    },
    sample: {
      before: `${SETTINGS}no configured subnet or ip-range contain the IP address 1.2.3.4`,
      after: `${SETTINGS}no configured subnet contains IP address 1.2.3.4`,
    },
  },
  {
    on: ON,
    // The newer text also belongs to an address outside all configured subnets.
    only: 'up',
    before: { status: 400, says: new RegExp(`${LEAD}${NO_SUBNETS}$`), text: '' },
    after: {
      status: 400,
      says: /^$/,
      text: ([, lead = ''], context) => `${lead}no configured subnet contains IP address ${noted(context)}`,
    },
    sample: {
      before: `${SETTINGS}${NO_SUBNETS}`,
      after: `${SETTINGS}no configured subnet contains IP address 1.2.3.4`,
    },
  },
]

export const endpointAddressNoted: Op = byHand(ON, 'the address is remembered for the text of an error', {
  profile: 'engine',
  requestDown: noteAddress,
})

const asked = { body: { EndpointConfig: { IPAMConfig: { IPv4Address: '1.2.3.4' } } } }

export const endpointExamples: readonly Example[] = endpointWords.flatMap(({ only, sample }): Example[] => {
  const older = { status: 400, text: sample.before }
  const newer = { status: 400, text: sample.after }
  return [
    { on: 'NetworkConnect', leg: 'responseUp', asked, before: older, after: newer },
    ...(only === 'up' ? [] : [{ on: 'NetworkConnect', leg: 'responseDown', before: newer, after: older } as const]),
  ]
})
