import { olderErrors, type Row } from './words.ts'

/** runconfig/errors.go @v1.10.3; runconfig/parse.go @v1.9.1, which names the flags of the CLI. Engine 1.8 did not check. */
function conflict(now: string, flags: string): Row {
  return [
    new RegExp(`^conflicting options: ${now}$`, 'i'),
    `1.24 409 Conflicting options: ${now}`,
    `1.21 409 Conflicting options: ${flags}`,
  ]
}

const undefinedBehavior = "can't be used with links. This would result in undefined behavior"

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Errors of endpoints: at start on 20.10, at create from 28 on, and when a network is connected. */
const ofEndpoints = (sentence: string): Row => [new RegExp(sentence, 'i'), `1.24 500 ${capital(sentence)}`]

/** Errors of options that exclude each other. Texts from runconfig/errors.go and daemon/container_operations_unix.go @v1.9.1 … v1.12.6. */
export const networkModes = olderErrors({
  'ContainerCreate ContainerStart': [
    conflict('hostname and the network mode', '-h and the network mode (--net)'),
    conflict('dns and the network mode', '--dns and the network mode (--net)'),
    conflict('custom host-to-IP mapping and the network mode', '--add-host and the network mode (--net)'),
    conflict('mac-address and the network mode', '--mac-address and the network mode (--net)'),
    conflict(
      'port publishing and the container type network mode',
      '-p, -P, --publish-all, --publish and the network mode (--net)',
    ),
    conflict('port exposing and the container type network mode', '--expose and the network mode (--expose)'),
    conflict(`host type networking ${undefinedBehavior}`, `--net=host ${undefinedBehavior}`),
    conflict(`container type network ${undefinedBehavior}`, `--net=container ${undefinedBehavior}`),
    [
      /^invalid network mode: (invalid container format container:<name\|id>)$/i,
      '1.24 500 --net: invalid net mode: $1',
    ],
  ],
  'ContainerCreate ContainerStart NetworkConnect': [
    ofEndpoints('user specified IP address is supported on user defined networks only'),
    ofEndpoints('user specified IP address is supported only when connecting to networks with user configured subnets'),
    ofEndpoints('network-scoped alias is supported only for containers in user defined networks'),
    [
      /(?:^Invalid address ([^:]+): It does not belong to any of this network's subnets$|no configured subnet or ip-range contain the IP address (\S+)$)/,
      "1.24 500 Invalid address $1$2: It does not belong to any of this network's subnets",
      "1.22 500 Invalid preferred address $1$2: It does not belong to any of this network's subnets",
    ],
  ],
  ContainerStart: [
    [
      /^cannot join network(?: namespace)? of a non running container: (?:container )?(\S+?)(?: is \w+)?$/,
      '1.24 409 cannot join network of a non running container: $1',
      '1.22 500 cannot join network of a non running container: $1',
      '1.21 500 Cannot start container {name}: cannot join network of a non running container: $1',
    ],
    [
      /^(?:can't join IPC of container \S+|failed to join IPC namespace): container (\S+) is not running$/,
      '1.24 500 cannot join IPC of a non running container: $1',
      '1.21 500 Cannot start container {name}: cannot join IPC of a non running container: $1',
    ],
  ],
  'NetworkConnect NetworkDisconnect': [
    [
      /^(?:container cannot be disconnected from host network or connected to host network$|cannot (?:dis)?connect container (?:to|from) host network - )/i,
      '1.24 500 Container cannot be disconnected from host network or connected to host network',
    ],
    [
      /^container (cannot be connected to multiple networks with one of the networks in )private \(none\) mode$/i,
      '1.24 500 Container $1private (none) mode',
      '1.21 500 Container $1--none mode',
    ],
    [
      /^container (sharing network namespace with another container or host cannot be connected to any other network)$/i,
      '1.24 500 Container $1',
    ],
    [
      /^endpoint with name (\S+) already exists in network \S+$/,
      '1.24 500 service endpoint with name $1 already exists',
    ],
  ],
})
