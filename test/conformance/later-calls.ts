import type { JsonValue } from '../../src/api/json/json.ts'
import type { CatalogueCall } from './catalogue.ts'

const filters = (wanted: JsonValue): string => `filters=${encodeURIComponent(JSON.stringify(wanted))}`
const get = (name: string, path: string): CatalogueCall => ({ name, method: 'GET', path })
const post = (name: string, path: string): CatalogueCall => ({ name, method: 'POST', path })
const create = (name: string, container: string, body: JsonValue): CatalogueCall => ({
  name,
  method: 'POST',
  path: `/containers/create?name=${container}`,
  type: 'application/json',
  json: { Image: 'busybox', Cmd: ['true'], ...(body as object) },
})

/** Calls of versions from 1.25 on that nobody recorded, by the name of the call that they precede. */
export const laterCalls: Readonly<Record<string, readonly CatalogueCall[]>> = {
  '055-create-hc-cpuset-alias': [
    create('054-create-hc-mounts-volume', 'rec-mounts', {
      HostConfig: {
        Mounts: [
          { Type: 'volume', Source: 'rec-mounted', Target: '/m', ReadOnly: true, VolumeOptions: { NoCopy: true } },
          { Type: 'tmpfs', Target: '/t', TmpfsOptions: { SizeBytes: 1048576 } },
        ],
      },
    }),
    get('054-inspect-mounts', '/containers/rec-mounts/json'),
    create('054-create-health', 'rec-health', {
      StopTimeout: 3,
      Healthcheck: { Test: ['CMD', 'true'], Interval: 1e9, Timeout: 1e9, Retries: 2, StartPeriod: 1e9 },
    }),
    get('054-inspect-health', '/containers/rec-health/json'),
    create('054-create-limits', 'rec-limits', {
      HostConfig: { PidsLimit: 50, NanoCpus: 500000000, Init: true, OomScoreAdj: 100, GroupAdd: ['video'] },
    }),
    get('054-inspect-limits', '/containers/rec-limits/json'),
    create('054-create-tmpfs', 'rec-tmpfs', {
      HostConfig: { Tmpfs: { '/run': 'size=1m' }, Sysctls: { 'net.ipv4.ip_forward': '1' }, IpcMode: 'shareable' },
    }),
    get('054-inspect-tmpfs', '/containers/rec-tmpfs/json'),
  ],
  // The lists that follow show whether it still runs.
  '095-start-error-missing': [post('094-wait-mac', '/containers/rec-cfg-macaddress/wait')],
  '101-list-since': [
    get('100-list-health', `/containers/json?all=1&${filters({ health: ['none'] })}`),
    get('100-list-network', `/containers/json?all=1&${filters({ network: ['bridge'] })}`),
    get('100-list-name', `/containers/json?all=1&${filters({ name: ['rec-full'] })}`),
  ],
  '113-top': [post('112-wait-next-exit', '/containers/rec-mounts/wait?condition=not-running')],
  '176-volumes': [
    get('175-images-before', `/images/json?${filters({ reference: ['busybox'] })}`),
    post('175-images-prune-all', `/images/prune?${filters({ dangling: ['true'] })}`),
  ],
  '181-volume-delete': [get('180-volumes-filter', `/volumes?${filters({ label: ['a=b'] })}`)],
  '184-network-create-dup': [
    get('183-network-inspect-new', '/networks/rec-net'),
    get('183-networks-filter', `/networks?${filters({ name: ['rec-net'] })}`),
    get('183-networks-scope', `/networks?${filters({ scope: ['local'] })}`),
  ],
  '219-events': [
    post('218-volumes-prune', '/volumes/prune'),
    post('218-volumes-prune-all', `/volumes/prune?${filters({ all: ['true'] })}`),
    post('218-networks-prune', '/networks/prune'),
    post('218-build-prune', '/build/prune'),
  ],
  '232-session': [get('231-system-df-type', '/system/df?type=volume')],
}
