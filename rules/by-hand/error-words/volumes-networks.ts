import type { Words } from './words.ts'

/** Recorded on 1.9.1, 1.10.3 and 1.12.6 as volume… and network…. */
export const volumesNetworks: readonly Words[] = [
  {
    on: ['VolumeCreate', 'ContainerCreate', 'ContainerStart'],
    says: /^create ([^"]+): ("([^"]+)" includes invalid characters for a local volume name, only "([^"]+)" are allowed)/,
    was: [
      [24, 500, 'create $1: $2'],
      [22, 500, 'create $1: volume name invalid: $2'],
      [21, 400, '$3 includes invalid characters for a local volume name, only $4 are allowed'],
    ],
  },
  {
    on: ['VolumeCreate', 'ContainerCreate', 'ContainerStart'],
    says: /^create (\S+): error looking up volume plugin (\S+): plugin "[^"]*" not found$/,
    was: [
      [24, 404, 'create $1: Error looking up volume plugin $2: plugin not found'],
      [21, 404, 'Error looking up volume plugin $2: Plugin not found'],
    ],
  },
  {
    on: 'VolumeList',
    says: /^invalid filter 'dangling=\[\S+ .*\]'$/i,
    was: [
      [24, 500],
      [22, 409, 'Conflict: cannot use more than 1 value for `dangling` filter'],
    ],
  },
  { on: 'VolumeList', says: /^error reading volume filters: (.*)$/, was: [[24, 500, '$1']] },
  {
    on: 'VolumeDelete',
    says: /^remove .+?: volume is in use - [\s\S]*$/,
    was: [
      [24, 409, 'Unable to remove volume, volume still in use: $0'],
      [22, 409, 'Conflict: $0'],
      [21, 409, 'Conflict: volume is in use'],
    ],
  },
  // Engine 1.9 ignored unknown filters.
  { on: ['VolumeList', 'NetworkList'], says: /^invalid filter '(.*?)'/i, was: [[24, 500, "Invalid filter '$1'"]] },
  { on: 'NetworkList', says: /^invalid filter: ('type'='.*')$/i, was: [[24, 500, 'Invalid filter: $1']] },
  {
    on: 'NetworkCreate',
    says: /^plugin "[^"]*" not found$/,
    was: [
      [24, 404, 'plugin not found'],
      [21, 404, 'Plugin not found'],
    ],
  },
  {
    on: 'NetworkCreate',
    says: /^invalid network config:\s*invalid gateway ([^\s:]+): /,
    was: [[24, 500, 'invalid gateway address $1 in Ipam configuration']],
  },
  {
    on: 'NetworkCreate',
    says: /^(network with name .* already exists|only one instance of ".*" network is allowed)$/,
    was: [[24, 500]],
  },
  {
    on: 'NetworkCreate',
    says: /^invalid name: /,
    was: [[24, 500, (_, { bodiless }) => (bodiless ? 'EOF' : 'invalid name: ')]],
  },
  {
    on: 'NetworkCreate',
    says: /^operation is not permitted on predefined (\S+) network ?$/,
    was: [[24, 403, '$1 is a pre-defined network and cannot be created']],
  },
  { on: 'NetworkCreate', says: /Pool overlaps with other one on this address space$/, was: [[24, 409]] },
  {
    on: 'NetworkCreate',
    says: /^invalid network config:\s*invalid subnet ([^\s:]\S*?|):? /,
    was: [[24, 500, 'Invalid subnet $1 : invalid CIDR address: $1']],
  },
  {
    on: 'NetworkDelete',
    says: /^error while removing network: network (\S+) (?:id \w+ )?has active endpoints/,
    was: [[24, 500, 'network $1 has active endpoints']],
  },
  {
    on: 'NetworkDisconnect',
    says: /^container (\w+) is not connected to (?:the )?network .+$/,
    was: [[24, 500, 'container $1 is not connected to the network']],
  },
]
