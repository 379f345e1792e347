import type { OperationName } from '../operations.ts'
import { isNewer } from '../version.ts'
import { commitConfig, createConfig, endpointConfig } from './container-config.ts'
import { startBody, update } from './host-config.ts'
import {
  DETACH_KEYS,
  each,
  flag,
  type Kind,
  listOf,
  mapOf,
  object,
  rule,
  since,
  specified,
  text,
  textOrList,
} from './kinds.ts'

const execCreate = object({
  ...each('AttachStdin AttachStdout AttachStderr Tty', flag),
  Cmd: textOrList,
  // The specification says 1.19; engine 1.6 has it too (exec inspect shows it), and clients of 1.18 send it.
  User: text,
  DetachKeys: since(22, specified('must be one character or ctrl-<value>, several divided by commas', DETACH_KEYS)),
  // The specification says 1.22; engines have it from 1.18 on (daemon/exec.go @v1.6.2).
  Privileged: flag,
})

const ipam = object({
  Driver: text,
  // The API documents say AuxAddress, engines read AuxiliaryAddresses.
  Config: listOf(object({ ...each('Subnet IPRange Gateway', text), AuxiliaryAddresses: mapOf(text) })),
  Options: since(22, mapOf(text)),
})

const networkCreate = object(
  { Name: text, CheckDuplicate: flag, Driver: text, IPAM: ipam, Options: mapOf(text), Internal: since(22, flag) },
  rule('Name', 'is mandatory', ({ Name }) => Name === undefined || Name === null || Name === ''),
)

const START_BODY_UNTIL = 23

/** The specification's rules for JSON bodies (2.1, 2.2, 2.4, 4.1 to 4.6), one entry per operation. */
const bodies: Partial<Record<OperationName, Kind>> = {
  ContainerCreate: createConfig,
  ContainerStart: startBody,
  ContainerUpdate: update,
  ContainerCopy: object({ Resource: text }),
  ContainerExec: execCreate,
  ExecStart: object({ Detach: flag, Tty: flag }),
  ImageCommit: commitConfig,
  SystemAuth: object(each('username password email serveraddress', text)),
  VolumeCreate: object({ Name: text, Driver: text, DriverOpts: mapOf(text) }),
  NetworkCreate: networkCreate,
  NetworkConnect: object({ Container: text, EndpointConfig: since(22, endpointConfig) }),
  NetworkDisconnect: object({ Container: text, Force: since(22, flag) }),
}

export const bodyOf = (operation: OperationName, version: number): Kind | undefined =>
  operation === 'ContainerStart' && isNewer(version, START_BODY_UNTIL) ? undefined : bodies[operation]
