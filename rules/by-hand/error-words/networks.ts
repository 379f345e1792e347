import type { ErrorTextsOptions } from '../../../src/translate/ops/calls/error-texts.ts'

export const holes: ErrorTextsOptions['holes'] = {
  // Without a body older engines reported the end of the input instead of the missing member.
  unnamed: ({ body }) => (body === false ? 'EOF' : 'invalid name: '),
}

/**
 * Errors of endpoints: at start on 20.10, at create from 28 on, and when a network is connected. Texts from
 * daemon/container_operations_unix.go @v1.9.1 … v1.12.6.
 */
const endpoints = `
  ContainerCreate ContainerStart NetworkConnect
    {rest}user specified IP address is supported on user defined networks only{rest2}
      1.24 500 User specified IP address is supported on user defined networks only
    {rest}user specified IP address is supported only when connecting to networks with user configured subnets{rest2}
      1.24 500 User specified IP address is supported only when connecting to networks with user configured subnets
    {rest}network-scoped alias is supported only for containers in user defined networks{rest2}
      1.24 500 Network-scoped alias is supported only for containers in user defined networks
    Invalid address {ip}: It does not belong to any of this network's subnets
    {rest}no configured subnet or ip-range contain the IP address {ip}
      1.24 500 Invalid address {ip}: It does not belong to any of this network's subnets
      1.22 500 Invalid preferred address {ip}: It does not belong to any of this network's subnets
  ContainerStart
    cannot join network{of= namespace|} of a non running container: container {word} is {state}
    cannot join network{of= namespace|} of a non running container: {kind=container |}{word}
      1.24 409 cannot join network of a non running container: {word}
      1.22 500 cannot join network of a non running container: {word}
      1.21 500 Cannot start container {name}: cannot join network of a non running container: {word}
    can't join IPC of container {word2}: container {word} is not running
    failed to join IPC namespace: container {word} is not running
      1.24 500 cannot join IPC of a non running container: {word}
      1.21 500 Cannot start container {name}: cannot join IPC of a non running container: {word}
  NetworkConnect NetworkDisconnect
    container cannot be disconnected from host network or connected to host network
    cannot {way=connect container to|disconnect container from} host network - {rest}
      1.24 500 Container cannot be disconnected from host network or connected to host network
    container cannot be connected to multiple networks with one of the networks in private (none) mode
      1.24 500 Container cannot be connected to multiple networks with one of the networks in private (none) mode
      1.21 500 Container cannot be connected to multiple networks with one of the networks in --none mode
    container sharing network namespace with another container or host cannot be connected to any other network
      1.24 500 Container sharing network namespace with another container or host cannot be connected to any other network
    endpoint with name {word} already exists in network {word2}
      1.24 500 service endpoint with name {word} already exists
`

/** Recorded on 1.9.1, 1.10.3 and 1.12.6 as volume… and network…. */
const volumesNetworks = `
  VolumeCreate ContainerCreate ContainerStart
    create {volume}: "{given}" includes invalid characters for a local volume name, only "{allowed}" are allowed{rest}
      1.24 500 create {volume}: "{given}" includes invalid characters for a local volume name, only "{allowed}" are allowed
      1.22 500 create {volume}: volume name invalid: "{given}" includes invalid characters for a local volume name, only "{allowed}" are allowed
      1.21 400 {given} includes invalid characters for a local volume name, only {allowed} are allowed
    create {word}: error looking up volume plugin {word2}: plugin "{plugin}" not found
      1.24 404 create {word}: Error looking up volume plugin {word2}: plugin not found
      1.21 404 Error looking up volume plugin {word2}: Plugin not found
  VolumeList
    invalid filter 'dangling=[{word} {more}]'
      1.24 500
      1.22 409 Conflict: cannot use more than 1 value for \`dangling\` filter
    error reading volume filters: {rest}
      1.24 500 {rest}
  VolumeDelete
    remove {volume}: volume is in use - {rest}
      1.24 409 Unable to remove volume, volume still in use: {all}
      1.22 409 Conflict: {all}
      1.21 409 Conflict: volume is in use
  VolumeList NetworkList
    # Engine 1.9 ignored unknown filters.
    invalid filter '{filter}'{rest}
      1.24 500 Invalid filter '{filter}'
  NetworkList
    invalid filter: 'type'='{type}'
      1.24 500 Invalid filter: 'type'='{type}'
  NetworkCreate
    plugin "{plugin}" not found
      1.24 404 plugin not found
      1.21 404 Plugin not found
    invalid network config:{rest2}invalid gateway {word}: {rest}
      1.24 500 invalid gateway address {word} in Ipam configuration
    network with name {network} already exists
    only one instance of "{driver}" network is allowed
      1.24 500
    invalid name: {rest}
      1.24 500 {unnamed}
    operation is not permitted on predefined {word} network{space= |}
      1.24 403 {word} is a pre-defined network and cannot be created
    {rest}Pool overlaps with other one on this address space
      1.24 409
    invalid network config:{rest2}invalid subnet {subnet}: {rest}
    invalid network config:{rest2}invalid subnet {subnet} {rest}
      1.24 500 Invalid subnet {subnet} : invalid CIDR address: {subnet}
  NetworkDelete
    error while removing network: network {word} id {word2} has active endpoints{rest}
    error while removing network: network {word} has active endpoints{rest}
      1.24 500 network {word} has active endpoints
  NetworkDisconnect
    container {word} is not connected to {the=the |}network {network}
      1.24 500 container {word} is not connected to the network
`

export const networks = endpoints + volumesNetworks
