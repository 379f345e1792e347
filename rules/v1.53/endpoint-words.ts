import { memberAt, objectOf } from '../../src/api/json/json.ts'
import type { RequestMessage, StepContext } from '../../src/translate/message.ts'
import type { Reworded } from '../by-hand/reworded.ts'

const NOTE = 'endpoint.addresses'
const ON = ['ContainerCreate', 'NetworkConnect'] as const

/** The older text does not name the address, so it is taken from the request. */
function noteAddress({ body }: RequestMessage, { memory }: StepContext): void {
  const created = objectOf(memberAt(body, 'NetworkingConfig', 'EndpointsConfig'))
  const endpoints = [memberAt(body, 'EndpointConfig'), ...Object.values(created)]
  const addresses = endpoints.flatMap((endpoint) =>
    ['IPv4Address', 'IPv6Address'].map((member) => memberAt(endpoint, 'IPAMConfig', member)),
  )
  memory.set(NOTE, addresses.find((address) => typeof address === 'string' && address !== '') ?? '')
}

const noted = ({ memory }: StepContext): string => String(memory.get(NOTE) ?? '')

const LEAD = '^((?:.|\\n)*endpoint settings:\\n)'
const NO_SUBNETS =
  'user specified IP address is supported only when connecting to networks with user configured subnets'
const OWN_NETWORKS = 'user specified IP address is supported on user defined networks only'
const NEWER_NETWORKS = 'user-specified IP address is supported on user-defined networks only'
const outsideBefore = (address: string): string => `no configured subnet or ip-range contain the IP address ${address}`
const outside = (address: string): string => `no configured subnet contains IP address ${address}`
const SETTINGS = 'invalid config for network bridge: invalid endpoint settings:\n'

const notes = { requestDown: noteAddress }
const asked = { body: { EndpointConfig: { IPAMConfig: { IPv4Address: '1.2.3.4' } } } }

/** Seen on 28.5 and 29.8; engine 29.0 still has the older texts. */
export const endpointWords: readonly Reworded[] = [
  {
    on: ON,
    notes,
    before: {
      status: 400,
      says: new RegExp(`${LEAD}\\* ${OWN_NETWORKS}\\n\\* ${NO_SUBNETS}$`),
      text: `$1* ${OWN_NETWORKS}\n* ${NO_SUBNETS}`,
    },
    after: {
      status: 400,
      says: new RegExp(`${LEAD}\\* ${NEWER_NETWORKS}\\n\\* no configured .*$`),
      text: ([, lead = ''], context) => `${lead}* ${NEWER_NETWORKS}\n* ${outside(noted(context))}`,
    },
    samples: [
      {
        asked,
        before: `${SETTINGS}* ${OWN_NETWORKS}\n* ${NO_SUBNETS}`,
        after: `${SETTINGS}* ${NEWER_NETWORKS}\n* ${outside('1.2.3.4')}`,
      },
    ],
  },
  {
    on: ON,
    before: {
      status: 400,
      says: new RegExp(`${LEAD}${outsideBefore('(\\S+)')}$`),
      text: `$1${outsideBefore('$2')}`,
    },
    after: { status: 400, says: new RegExp(`${LEAD}${outside('(\\S+)')}$`), text: `$1${outside('$2')}` },
    samples: [{ before: `${SETTINGS}${outsideBefore('1.2.3.4')}`, after: `${SETTINGS}${outside('1.2.3.4')}` }],
  },
  {
    on: ON,
    notes,
    // The newer text also belongs to an address outside all configured subnets.
    only: 'up',
    before: { status: 400, says: new RegExp(`${LEAD}${NO_SUBNETS}$`), text: '' },
    after: { status: 400, says: /^$/, text: ([, lead = ''], context) => `${lead}${outside(noted(context))}` },
    samples: [{ asked, before: `${SETTINGS}${NO_SUBNETS}`, after: `${SETTINGS}${outside('1.2.3.4')}` }],
  },
]
