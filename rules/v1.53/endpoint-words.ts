import { isUnset, type JsonValue, memberAt, objectOf, stringOf } from '../../src/api/json/json.ts'
import { errorTexts } from '../../src/translate/ops.ts'

/** The first address that a create or connect asks for: the older text does not name it. */
function addressIn(body: JsonValue | undefined): string {
  const created = objectOf(memberAt(body, 'NetworkingConfig', 'EndpointsConfig'))
  const endpoints = [memberAt(body, 'EndpointConfig'), ...Object.values(created)]
  const addresses = endpoints.flatMap((endpoint) =>
    ['IPv4Address', 'IPv6Address'].map((member) => memberAt(endpoint, 'IPAMConfig', member)),
  )
  return stringOf(addresses.find((address) => typeof address === 'string' && !isUnset(address)))
}

/** Seen on 28.5 and 29.8; engine 29.0 still has the older texts. Down, the newer text of the last row is that of the second. */
export const endpointWords = errorTexts(
  `
  ContainerCreate NetworkConnect
    400 {rest}endpoint settings:\\n* user-specified IP address is supported on user-defined networks only\\n* no configured subnet contains IP address {asked}
      400 {rest}endpoint settings:\\n* user specified IP address is supported on user defined networks only\\n* user specified IP address is supported only when connecting to networks with user configured subnets
    400 {rest}endpoint settings:\\nno configured subnet contains IP address {word}
      400 {rest}endpoint settings:\\nno configured subnet or ip-range contain the IP address {word}
    400 {rest}endpoint settings:\\nno configured subnet contains IP address {asked}
      up 400 {rest}endpoint settings:\\nuser specified IP address is supported only when connecting to networks with user configured subnets
`,
  {
    holes: { asked: ({ body }) => addressIn(body) },
    remembers: ['ContainerCreate', 'NetworkConnect'],
    samples: [{ body: { EndpointConfig: { IPAMConfig: { IPv4Address: '1.2.3.4' } } }, values: { asked: '1.2.3.4' } }],
  },
)
