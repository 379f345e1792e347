import type { Explained, Place } from '../explain.ts'
import { OWN } from '../release.ts'

type Paths = Pick<Place, 'paths' | 'problem' | 'clients'>
const on = (calls: string, more: Paths = {}): Place => ({ against: 'own', calls, ways: ['20.10 direct'], ...more })
const status = (calls: string, problem?: RegExp, clients?: readonly string[]): Place =>
  on(calls, {
    paths: ['status'],
    ...(problem === undefined ? {} : { problem }),
    ...(clients === undefined ? {} : { clients }),
  })
const settings = (...members: string[]): string[] => members.map((member) => `body.NetworkSettings.${member}`)

/**
 * What differs from the engine’s own answer where a `release` change does more than change this answer: it changes the
 * request, of this call or of the one that made the thing, or asks the engine for more. By the id of the change.
 */
const byRequest: Readonly<Record<string, readonly Place[]>> = {
  '1.19/config-onbuild': [on('307 337', { paths: ['body.Config.OnBuild'] })],
  '1.19/create-start-body-typing': [
    status('155 157 159 161 163 165 167 431 493', /^is 500, there 201$/),
    on('008 009', { paths: ['text'] }),
    on('663', { paths: ['body'] }),
    on('651 654', { paths: ['body'], clients: ['1.18'] }),
  ],
  '1.19/hostconfig-blkio-weight': [on('123 185', { paths: ['body.Warnings'] })],
  '1.19/json-serialisation': [on('325', { paths: ['text'] })],
  '1.19/logs-since': [status('394'), on('393', { paths: ['text'] })],
  '1.19/workdir-validated': [status('269')],
  '1.20/capadd-string': [on('252', { paths: ['body.HostConfig.CapAdd'] })],
  '1.20/config-volume-driver': [on('308 340', { paths: ['body.Config.VolumeDriver'], clients: ['1.18'] })],
  '1.20/exec-create-content-type': [status('434', /^is 500, there 201$/)],
  '1.20/filter-status-created': [on('354 355 358 374 377 378', { paths: ['body[].Status'] })],
  '1.20/memory-swappiness': [status('178')],
  '1.21/containers-ps-alias': [status('048')],
  '1.21/filter-unknown-volume': [status('587', undefined, ['1.21'])],
  '1.21/netsettings-expanded': [
    {
      against: 'own',
      operations: ['ContainerInspect'],
      ways: ['20.10 direct'],
      paths: settings('NetworkID'),
      clients: ['1.19', '1.20'],
    },
  ],
  '1.21/stop-signal': [status('264')],
  '1.22/empty-name': [status('622', undefined, ['1.21'])],
  '1.22/events-filters': [on('655', { paths: ['body'] })],
  '1.22/exec-inspect-shape': [on('410 412 423 428', { paths: ['body.Container'] })],
  '1.22/filters-before-since': [status('361 362')],
  '1.22/lxc-conf-removed': [on('286 289', { paths: ['body.Warnings'] })],
  '1.22/networking-config': [status('293')],
  '1.22/networks-filters': [status('609', undefined, ['1.21'])],
  '1.22/shm-size': [status('281')],
  '1.22/tag-force': [status('071')],
  '1.22/tmpfs': [status('285')],
  '1.23/hostname-domainname': [on('307 337', { paths: ['body.Config.Hostname', 'body.Config.Domainname'] })],
  '1.23/images-load-stream': [status('102 103')],
  '1.23/unknown-filters-rejected': [status('376')],
  '1.23/update-restart-policy': [
    on('543 566 619', { paths: ['body.HostConfig.RestartPolicy.Name'], clients: ['1.22'] }),
  ],
  '1.24/copy-removed': [
    status('461 462 464 465'),
    on('463', { paths: ['text', 'type'], problem: /, there $/ }),
    on('651 654', { paths: ['body'], clients: ['1.20', '1.21', '1.22'] }),
  ],
  // Engines up to 1.11 remembered 64 events and sent what was later than `until` too; 20.10 has 256.
  '1.24/events-window': [
    on('651 654', { paths: ['body'], clients: ['1.19'] }),
    on('653', { paths: ['body'], clients: ['1.22'] }),
    on('659', { paths: ['body'] }),
  ],
  '1.24/volume-options-checked': [status('578', undefined, ['1.21', '1.22'])],
  '1.25/error-words': [status('357 657 658', /^is 500, there 200$/), status('509')],
  '1.25/host-mounts': [on('309 343', { paths: ['body.Mounts', 'body.Volumes./mm', 'body.VolumesRW./mm'] })],
  '1.25/restart-policy-validated': [status('205')],
  '1.40/ipc-default': [
    {
      against: 'own',
      operations: ['ContainerInspect'],
      ways: ['20.10 direct'],
      paths: ['body.HostConfig.IpcMode'],
      problem: /^is "private", there ""$/,
    },
  ],
}

const ofItself: Omit<Explained, 'scenario'> = {
  why: OWN,
  at: [on('018 020')],
}

const PODMAN = ['podman-5.4 direct', 'podman-5.8 direct'] as const
const DIRECT = ['20.10 direct', '26.1 direct', '28.5 direct', ...PODMAN] as const
const later = (calls: string, ways: readonly string[], more: Paths = {}): Place => ({
  against: 'own',
  calls,
  ways,
  ...more,
})
const at1_24 = { clients: ['1.23', '1.24'] }

/** The same of clients from 1.23 on. */
const byLaterRequest: Readonly<Record<string, readonly Place[]>> = {
  '1.24/copy-removed': [
    later('148', ['20.10 direct'], { paths: ['status'], clients: ['1.23'] }),
    later('221', ['20.10 direct'], { paths: ['body'], clients: ['1.23'] }),
  ],
  '1.24/events-window': [later('219 220', ['20.10 direct'], { paths: ['body'], clients: ['1.23'], problem: /^has / })],
  '1.25/host-mounts': [
    // Newer engines read it at every version, and look for the folder.
    later('054', ['20.10 direct', '26.1 direct', '28.5 direct'], { paths: ['status'], ...at1_24 }),
    later('054 098 100 101', DIRECT, { paths: ['body.Mounts', 'body[].Mounts'], ...at1_24 }),
    later('054', PODMAN, {
      paths: ['body.HostConfig.Binds', 'body.HostConfig.Tmpfs'],
      clients: ['1.24'],
    }),
    later('218', DIRECT, {
      paths: ['body.VolumesDeleted'],
      ...at1_24,
    }),
  ],
  '1.25/hostconfig-new': [
    later('054', PODMAN, {
      paths: ['body.Args', 'body.Path', 'body.HostConfig.Annotations'],
      clients: ['1.24'],
    }),
  ],
  '1.25/restart-policy-validated': [later('041 042', DIRECT, { paths: ['status'], ...at1_24 })],
  '1.40/device-requests': [
    later('051', ['26.1 direct', '28.5 direct', 'podman-5.4 direct'], { paths: ['status'], clients: ['1.40'] }),
  ],
  '1.40/ipc-default': [
    {
      against: 'own',
      operations: ['ContainerInspect'],
      ways: ['20.10 direct'],
      paths: ['body.HostConfig.IpcMode'],
      clients: ['1.23', '1.24', '1.30', '1.37'],
      problem: /^is "private", there "(shareable)?"$/,
    },
  ],
  'podman/detached-execs': [later('139', PODMAN, { paths: ['text'] })],
  'podman/default-network': [later('072', PODMAN, { paths: ['status'] })],
  'podman/links': [later('025 043', PODMAN, { paths: ['status', 'text'] })],
  'podman/volume-prune': [later('218', ['podman-5.8 direct'], { paths: ['status'], clients: ['1.44'] })],
  'podman/image-digests': [later('016', PODMAN, { paths: ['type'] })],
  'podman/unread-settings': [
    later('098 100 101', PODMAN, {
      paths: ['HostConfig.NetworkMode', ...['bridge', 'none'].map((name) => `NetworkSettings.Networks.${name}`)].map(
        (member) => `body[].${member}`,
      ),
    }),
    later('054', PODMAN, { paths: ['body.HostConfig.Binds[]'] }),
  ],
  'podman/list-ports': [later('098 100 101 102 103', ['podman-5.4 direct'], { paths: ['body[].Ports'] })],
  'podman/single-stats': [
    later('116', PODMAN, {
      paths: [
        ...['cpu_usage.percpu_usage', 'online_cpus', 'system_cpu_usage'].map((member) => `body.precpu_stats.${member}`),
        'body.preread',
      ],
    }),
  ],
  'podman/read-otherwise': [
    later('107', PODMAN, {
      paths: ['body.Config.Env[]', 'body.Config.Hostname', 'body.NetworkSettings.Networks.bridge.Aliases[]'],
    }),
    later('098 100 101 102 103', PODMAN, { paths: ['body[].NetworkSettings.Networks.bridge.Aliases[]'] }),
  ],
  'podman/list-filters': [later('183', PODMAN, { paths: ['status'] })],
  'podman/archive-names': [later('149 151', PODMAN, { paths: ['text'] })],
  'podman/archive-targets': [
    later('155', PODMAN, { paths: ['status'] }),
    later('157', PODMAN, { paths: ['body'] }),
    later('231', ['podman-5.8 direct'], { paths: ['body.Images[].SharedSize'] }),
  ],
  'podman/least-memory': [later('048', PODMAN, { paths: ['status'] })],
  'podman/tmpfs': [later('054', PODMAN, { paths: ['body.HostConfig.Tmpfs./t'] })],
  '1.44/restart-policy-name': [
    {
      against: 'own',
      operations: ['ContainerInspect'],
      ways: ['26.1 direct', '28.5 direct'],
      paths: ['body.HostConfig.RestartPolicy.Name'],
      problem: /^is "no", there ""$/,
    },
  ],
  '1.46/create-top-level-gone': [
    later('107', ['28.5 direct'], {
      paths: ['CpuShares', 'CpusetCpus', 'Memory', 'MemorySwap', 'VolumeDriver'].map(
        (name) => `body.HostConfig.${name}`,
      ),
    }),
  ],
}

const restIsLeft: Explained = {
  why: 'Engines from 23.0 on (1.42) refuse what follows a JSON value, those of older clients did not look: for them it is taken off.',
  scenario: 'later',
  at: [
    later('078', ['26.1 direct', '28.5 direct'], { paths: ['text'], problem: /^is unexpected content after JSON, / }),
  ],
}

const entries = (places: typeof byRequest, scenario: Explained['scenario']): Explained[] =>
  Object.entries(places).map(([why, at]) => ({ why, scenario, at }))

export const byIds: readonly Explained[] = [
  ...entries(byRequest, 'old'),
  ...entries(byLaterRequest, 'later'),
  restIsLeft,
  { ...ofItself, scenario: 'old' },
]
