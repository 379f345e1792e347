import type { OperationName } from '../operations.ts'
import { isNewer } from '../version.ts'
import { commitConfig, createConfig, endpointConfig } from './container-config.ts'
import { hostConfig, update } from './host-config.ts'
import {
  type Area,
  detachKeysPattern,
  flag,
  type Kind,
  listOf,
  mapOf,
  object,
  of,
  text,
  textLike,
  textOrList,
} from './kinds.ts'

/** The specification's rules for JSON bodies (2.1, 2.2, 2.4, 4.1 to 4.6), one entry per operation. */
const detachKeys = textLike('must be one character or ctrl-<value>, several divided by commas', detachKeysPattern)

const execCreate: Area = {
  members: {
    AttachStdin: of(flag),
    AttachStdout: of(flag),
    AttachStderr: of(flag),
    Tty: of(flag),
    Cmd: of(textOrList),
    // The specification says 1.19; engine 1.6 has it too (exec inspect shows it), and clients of 1.18 send it.
    User: of(text),
    DetachKeys: of(detachKeys, { since: 22 }),
    // The specification says 1.22; engines have it from 1.18 on (daemon/exec.go @v1.6.2).
    Privileged: of(flag),
  },
}

const ipam: Area = {
  members: {
    Driver: of(text),
    Config: of(
      listOf(
        object({
          members: {
            Subnet: of(text),
            IPRange: of(text),
            Gateway: of(text),
            // The API documents say AuxAddress, engines read AuxiliaryAddresses.
            AuxiliaryAddresses: of(mapOf(text)),
          },
        }),
      ),
    ),
    Options: of(mapOf(text), { since: 22 }),
  },
}

const networkCreate: Area = {
  members: {
    Name: of(text),
    CheckDuplicate: of(flag),
    Driver: of(text),
    IPAM: of(object(ipam)),
    Options: of(mapOf(text)),
    Internal: of(flag, { since: 22 }),
  },
  rules: [
    {
      field: 'Name',
      words: 'is mandatory',
      breaks: ({ Name }) => Name === undefined || Name === null || Name === '',
    },
  ],
}

const credentials: Area = {
  members: { username: of(text), password: of(text), email: of(text), serveraddress: of(text) },
}

/** Start takes a bare or wrapped HostConfig (src/translate/replaced/start-body.ts), up to 1.23. */
const startBody = object({ ...hostConfig, members: { ...hostConfig.members, HostConfig: of(object(hostConfig)) } })
const START_BODY_UNTIL = 23

const bodies: Partial<Record<OperationName, Kind>> = {
  ContainerCreate: object(createConfig),
  ContainerStart: startBody,
  ContainerUpdate: object(update),
  ContainerCopy: object({ members: { Resource: of(text) } }),
  ContainerExec: object(execCreate),
  ExecStart: object({ members: { Detach: of(flag), Tty: of(flag) } }),
  ImageCommit: object(commitConfig),
  SystemAuth: object(credentials),
  VolumeCreate: object({ members: { Name: of(text), Driver: of(text), DriverOpts: of(mapOf(text)) } }),
  NetworkCreate: object(networkCreate),
  NetworkConnect: object({
    members: { Container: of(text), EndpointConfig: of(object(endpointConfig), { since: 22 }) },
  }),
  NetworkDisconnect: object({ members: { Container: of(text), Force: of(flag, { since: 22 }) } }),
}

export const bodyOf = (operation: OperationName, version: number): Kind | undefined =>
  operation === 'ContainerStart' && isNewer(version, START_BODY_UNTIL) ? undefined : bodies[operation]
