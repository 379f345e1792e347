import { olderErrors } from './words.ts'

/** Recorded on 1.9.1, 1.10.3 and 1.12.6 as volume… and network…. */
export const volumesNetworks = olderErrors({
  'VolumeCreate ContainerCreate ContainerStart': [
    [
      /^create ([^"]+): ("([^"]+)" includes invalid characters for a local volume name, only "([^"]+)" are allowed)/,
      '1.24 500 create $1: $2',
      '1.22 500 create $1: volume name invalid: $2',
      '1.21 400 $3 includes invalid characters for a local volume name, only $4 are allowed',
    ],
    [
      /^create (\S+): error looking up volume plugin (\S+): plugin "[^"]*" not found$/,
      '1.24 404 create $1: Error looking up volume plugin $2: plugin not found',
      '1.21 404 Error looking up volume plugin $2: Plugin not found',
    ],
  ],
  VolumeList: [
    [
      /^invalid filter 'dangling=\[\S+ .*\]'$/i,
      '1.24 500',
      '1.22 409 Conflict: cannot use more than 1 value for `dangling` filter',
    ],
    [/^error reading volume filters: (.*)$/, '1.24 500 $1'],
  ],
  VolumeDelete: [
    [
      /^remove .+?: volume is in use - [\s\S]*$/,
      '1.24 409 Unable to remove volume, volume still in use: $0',
      '1.22 409 Conflict: $0',
      '1.21 409 Conflict: volume is in use',
    ],
  ],
  'VolumeList NetworkList': [
    // Engine 1.9 ignored unknown filters.
    [/^invalid filter '(.*?)'/i, "1.24 500 Invalid filter '$1'"],
  ],
  NetworkList: [[/^invalid filter: ('type'='.*')$/i, '1.24 500 Invalid filter: $1']],
  NetworkCreate: [
    [/^plugin "[^"]*" not found$/, '1.24 404 plugin not found', '1.21 404 Plugin not found'],
    [
      /^invalid network config:\s*invalid gateway ([^\s:]+): /,
      '1.24 500 invalid gateway address $1 in Ipam configuration',
    ],
    [/^(network with name .* already exists|only one instance of ".*" network is allowed)$/, '1.24 500'],
    [/^invalid name: /, ['1.24 500', (_, { bodiless }) => (bodiless ? 'EOF' : 'invalid name: ')]],
    [
      /^operation is not permitted on predefined (\S+) network ?$/,
      '1.24 403 $1 is a pre-defined network and cannot be created',
    ],
    [/Pool overlaps with other one on this address space$/, '1.24 409'],
    [
      /^invalid network config:\s*invalid subnet ([^\s:]\S*?|):? /,
      '1.24 500 Invalid subnet $1 : invalid CIDR address: $1',
    ],
  ],
  NetworkDelete: [
    [
      /^error while removing network: network (\S+) (?:id \w+ )?has active endpoints/,
      '1.24 500 network $1 has active endpoints',
    ],
  ],
  NetworkDisconnect: [
    [
      /^container (\w+) is not connected to (?:the )?network .+$/,
      '1.24 500 container $1 is not connected to the network',
    ],
  ],
})
