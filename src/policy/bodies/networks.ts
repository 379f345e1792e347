import { words } from '../../config/text.ts'
import { type Judge, read } from '../judge.ts'
import type { Members } from './members.ts'

/** Drivers of isolated networks. Others connect to the host's network (macvlan, ipvlan), or are plugins. */
const OWN_DRIVERS: ReadonlySet<string> = new Set(['', 'default', 'bridge', 'overlay'])

/** Address management without plugins. */
const OWN_ADDRESSES: ReadonlySet<string> = new Set(['', 'default', 'host-local', 'none'])

/**
 * Options that refer to nothing on the host. Others name an interface (`parent`), an existing bridge
 * (`com.docker.network.bridge.name`; Podman's `mode=unmanaged`), or a routing table (Podman's `vrf`).
 */
const HARMLESS: ReadonlySet<string> = new Set([
  ...words(`
  enable_icc enable_ip_masquerade host_binding_ipv4 inhibit_ipv4 gateway_mode_ipv4 gateway_mode_ipv6
`).map((name) => `com.docker.network.bridge.${name}`),
  ...['com.docker.network.driver.mtu', 'com.docker.network.driver.overlay.vxlanid_list', 'encrypted'],
  ...['com.docker.network.container_iface_prefix', 'com.docker.network.enable_ipv4', 'com.docker.network.enable_ipv6'],
  ...['com.docker.network.internal', 'mtu', 'isolate', 'metric', 'no_default_route'],
])

/** Judges a new network. A driver in the rule's list may have any options. */
export function judgeNetwork(judge: Judge, body: Members): void {
  const driver = read.text(body.get('Driver'), 'Driver')
  const rule = 'network-drivers'
  const name = driver === '' || driver === 'default' ? 'bridge' : driver
  if (!OWN_DRIVERS.has(driver))
    judge.unlessListed(rule, name, `the network driver ${JSON.stringify(driver)} is not listed`)
  for (const [option] of read.object(body.get('Options'), 'Options')?.entries ?? [])
    if (!HARMLESS.has(option))
      judge.unlessListed(rule, name, `the network option ${JSON.stringify(option)} may refer to the host`)
  const addresses = read.text(read.object(body.get('IPAM'), 'IPAM')?.get('Driver'), 'IPAM.Driver')
  if (!OWN_ADDRESSES.has(addresses))
    judge.unlessListed(rule, addresses, `the IPAM driver ${JSON.stringify(addresses)} is not listed`)
}
