import { isUnset, type JsonValue, memberAt, objectOf, stringOf } from '../src/api/json/json.ts'
import { ImageInspect, Info } from '../src/api/shapes/shapes.ts'
import { added, type Changes, errorTexts } from '../src/translate/ops.ts'

/** The first address that a create or connect asks for: the older text does not name it. */
function addressIn(body: JsonValue | undefined): string {
  const created = objectOf(memberAt(body, 'NetworkingConfig', 'EndpointsConfig'))
  const endpoints = [memberAt(body, 'EndpointConfig'), ...Object.values(created)]
  const addresses = endpoints.flatMap((endpoint) =>
    ['IPv4Address', 'IPv6Address'].map((member) => memberAt(endpoint, 'IPAMConfig', member)),
  )
  return stringOf(addresses.find((address) => typeof address === 'string' && !isUnset(address)))
}

export default {
  // Further content types of events are selected by Accept: see 1.52/events-legacy-removed.
  '1.53/info-nri': {
    gate: 'prefix',
    summary: 'Info describes the Node Resource Interface (NRI).',
    ops: added(Info, 'NRI', { sample: { Info: [] } }),
  },
  '1.53/image-identity': {
    gate: 'prefix',
    summary: 'An image shows its origin.',
    ops: added(ImageInspect, 'Identity', { sample: { Pull: [] } }),
  },
  '1.53/endpoint-words': {
    summary: 'The error for an endpoint’s address outside every subnet is worded differently.',
    see: 'daemon/container_operations.go @docker-v29.1.5, @docker-v29.2.0; api/types/network/endpoint.go @v28.5.2',
    // Seen on 28.5 and 29.8; engine 29.0 still has the older texts. Down, the newer text of the last row is that of the second.
    ops: errorTexts(
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
        samples: [
          { body: { EndpointConfig: { IPAMConfig: { IPv4Address: '1.2.3.4' } } }, values: { asked: '1.2.3.4' } },
        ],
      },
    ),
  },
  '1.53/error-words': {
    summary: 'The error for an archive without a path is `path cannot be empty`; before, the space was missing.',
    see: 'daemon/server/httputils/form.go @docker-v29.1.5, @docker-v29.2.0',
    ops: errorTexts(`
      ContainerArchive PutContainerArchive
        400 bad parameter: path cannot be empty
          400 bad parameter: pathcannot be empty
    `),
  },
} satisfies Changes
