import { isObject, isUnset } from '../json/json.ts'
import { fieldOf } from '../json/names.ts'
import { hostConfig, portKey } from './host-config.ts'
import {
  anything,
  before,
  each,
  emptyObject,
  flag,
  type Kinds,
  kind,
  listOf,
  mapOf,
  object,
  rule,
  since,
  specified,
  text,
  textOrList,
} from './kinds.ts'

const stopSignal = kind(
  'must be a string or an unsigned integer',
  (value) => typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value) && value >= 0),
)

/** A container's network endpoint, as in requests. */
export const endpointConfig = object({
  IPAMConfig: object({ IPv4Address: text, IPv6Address: text }),
  ...each('Links Aliases', listOf(text)),
})

/** The container configuration of the specification's table 2.1, in its order. */
const members: Kinds = {
  ...each('Hostname Domainname User', text),
  ...each('AttachStdin AttachStdout AttachStderr Tty OpenStdin StdinOnce', flag),
  Env: listOf(specified('must be VAR=value', /^[^=]+=/s)),
  Labels: mapOf(text),
  ...each('Cmd Entrypoint', textOrList),
  Image: text,
  Volumes: mapOf(emptyObject),
  WorkingDir: text,
  NetworkDisabled: flag,
  MacAddress: specified('must be a MAC address', /^(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$/),
  ExposedPorts: mapOf(emptyObject, portKey),
  StopSignal: since(21, stopSignal),
}

/**
 * Not in the specification; engines 1.9 and 1.10 refused it (recordings create-net-host-hostname at 1.21, 1.22),
 * earlier and later ones do not.
 */
const hostnameInHostNetwork = rule(
  'Hostname',
  'must be empty when NetworkMode is host (API 1.21 and 1.22)',
  ({ Hostname, HostConfig }) => !isUnset(Hostname) && fieldOf(HostConfig, 'NetworkMode') === 'host',
)

/** The body of commit: only the configuration. */
export const commitConfig = object(members)

/** The body of create, with the rules that only 1.21 and 1.22 have. */
export const createConfig = object(
  {
    ...members,
    HostConfig: hostConfig,
    NetworkingConfig: since(
      22,
      object({ EndpointsConfig: mapOf(endpointConfig) }),
      (value) => isUnset(value) || (isObject(value) && Object.values(value).every(isUnset)),
    ),
  },
  before(21, anything, before(23, hostnameInHostNetwork, anything)),
)
