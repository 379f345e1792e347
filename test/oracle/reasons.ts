import type { Played } from './play.ts'

export interface Reason {
  readonly engines: readonly string[]
  /** Matches the test, the request and the failed assertion. */
  readonly says: RegExp
  readonly why: string
}

const podman = (says: RegExp, why: string): Reason => ({ engines: ['podman-5.4'], says, why })

/** Why an engine fails assertions: it has lost the asserted behaviour, or never had it. */
export const reasons: readonly Reason[] = [
  podman(
    /HostConfig\.CapDrop is \[\]/,
    'Podman shows the capabilities that a container has, not what was dropped of others',
  ),
  podman(/CgroupPermissions is ""/, 'Podman shows no permissions of devices'),
  podman(/Config\.Env\.0 is/, 'Podman adds variables of its own in front'),
  podman(/Config\.MacAddress is/, 'Podman keeps the address with the network alone'),
  podman(/Ulimits\.0\.Name is/, 'Podman shows its own limits first'),
  podman(/Config\.Volumes\.\S+ is undefined/, 'Podman shows volumes among the mounts alone'),
  podman(/TooLowMemoryLimit/, 'Podman leaves the lower limit of memory to the kernel'),
  podman(/: says /, 'Podman says it in words of its own, with the status that was asserted'),
  podman(/testContainerDiff .*0\.Path is/, 'Podman lists folders that changed with the file'),
]

export const reasonOf = (engine: string, { row, differs }: Played): Reason | undefined =>
  reasons.find(({ engines, says }) => engines.includes(engine) && says.test(`${row.test} ${row.asks}: ${differs}`))
