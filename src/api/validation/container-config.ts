import { isObject, isUnset } from '../json/json.ts'
import { fieldOf } from '../json/names.ts'
import { hostConfig, portKeys } from './host-config.ts'
import {
  type Area,
  type CrossRule,
  emptyObject,
  flag,
  kind,
  listOf,
  mapOf,
  object,
  of,
  text,
  textLike,
  textOrList,
} from './kinds.ts'

/** The container configuration of the specification's table 2.1, in its order. */
const stopSignal = kind(
  'must be a string or an unsigned integer',
  (value) => typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value) && value >= 0),
)

const mac = textLike('must be a MAC address', /^(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$/)

/** A container's network endpoint, as in requests. */
export const endpointConfig: Area = {
  members: {
    IPAMConfig: of(object({ members: { IPv4Address: of(text), IPv6Address: of(text) } })),
    Links: of(listOf(text)),
    Aliases: of(listOf(text)),
  },
}

const members: Area['members'] = {
  Hostname: of(text),
  Domainname: of(text),
  User: of(text),
  AttachStdin: of(flag),
  AttachStdout: of(flag),
  AttachStderr: of(flag),
  Tty: of(flag),
  OpenStdin: of(flag),
  StdinOnce: of(flag),
  Env: of(listOf(textLike('must be VAR=value', /^[^=]+=/s))),
  Labels: of(mapOf(text)),
  Cmd: of(textOrList),
  Entrypoint: of(textOrList),
  Image: of(text),
  Volumes: of(mapOf(emptyObject)),
  WorkingDir: of(text),
  NetworkDisabled: of(flag),
  MacAddress: of(mac),
  ExposedPorts: of(mapOf(emptyObject, portKeys)),
  StopSignal: of(stopSignal, { since: 21 }),
}

/**
 * Not in the specification; engines 1.9 and 1.10 refused it (recordings create-net-host-hostname at 1.21, 1.22),
 * earlier and later ones do not.
 */
const hostnameInHostNetwork: CrossRule = {
  field: 'Hostname',
  words: 'must be empty when NetworkMode is host (API 1.21 and 1.22)',
  versions: [21, 22],
  breaks: ({ Hostname, HostConfig }) => !isUnset(Hostname) && fieldOf(HostConfig, 'NetworkMode') === 'host',
}

/** The body of commit: only the configuration. */
export const commitConfig: Area = { members }

/** The body of create, with the rules that only 1.21 and 1.22 have. */
export const createConfig: Area = {
  members: {
    ...members,
    HostConfig: of(object(hostConfig)),
    NetworkingConfig: of(object({ members: { EndpointsConfig: of(mapOf(object(endpointConfig))) } }), {
      since: 22,
      unset: (value) => isObject(value) && Object.values(value).every(isUnset),
    }),
  },
  rules: [hostnameInHostNetwork],
}
