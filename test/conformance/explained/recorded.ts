import type { CellOperation } from '../catalogue.ts'
import type { Explained, Place } from '../explain.ts'

const NEWER = ['26.1', '28.5', '28.5-min1.44'] as const
const status = (calls: string, problem: RegExp, clients?: readonly string[], ways?: readonly string[]): Place => ({
  against: 'recorded',
  calls,
  paths: ['status'],
  problem,
  ...(clients === undefined ? {} : { clients }),
  ...(ways === undefined ? {} : { ways }),
})
const text = (calls: string, problem?: RegExp, clients?: readonly string[], ways?: readonly string[]): Place => ({
  against: 'recorded',
  calls,
  paths: ['text'],
  ...(problem === undefined ? {} : { problem }),
  ...(clients === undefined ? {} : { clients }),
  ...(ways === undefined ? {} : { ways }),
})

const ENDPOINT = ['EndpointID', 'HairpinMode', 'SandboxKey', 'SecondaryIPAddresses', 'SecondaryIPv6Addresses'].map(
  (name) => `NetworkSettings.${name}`,
)
const added = (operation: CellOperation, paths: readonly string[], clients: readonly string[]): Place => ({
  against: 'recorded',
  operations: [operation],
  paths: paths.map((path) => `body.${path}`),
  problem: /^new$/,
  clients,
})

/** Differences from the engine of the client's version. */
const differences: readonly Omit<Explained, 'scenario'>[] = [
  {
    why: 'Later engines (1.8 or 1.9 to 25) show it to this version: what one real engine gives beside what another gives stays.',
    at: [
      added('ContainerInspect', ['GraphDriver'], ['1.18', '1.19']),
      added('ImageInspect', ['GraphDriver'], ['1.18', '1.19']),
      added('ContainerInspect', ['Config.VolumeDriver'], ['1.18', '1.20']),
      added(
        'ContainerInspect',
        ['Memory', 'MemorySwap', 'CpuShares', 'Cpuset'].map((name) => `Config.${name}`),
        ['1.19'],
      ),
      added(
        'ContainerInspect',
        ['MacAddress', 'NetworkDisabled', 'ExposedPorts'].map((name) => `Config.${name}`),
        ['1.20'],
      ),
      added('ContainerInspect', ['NetworkSettings.SandboxID'], ['1.18', '1.19', '1.20']),
      added('ContainerInspect', ENDPOINT, ['1.18']),
      // An exec shows its container as inspect does.
      added('ExecInspect', ['Container.NetworkSettings.SandboxID'], ['1.18', '1.19', '1.20']),
      added(
        'ExecInspect',
        ['Config.VolumeDriver', ...ENDPOINT].map((path) => `Container.${path}`),
        ['1.18'],
      ),
    ],
  },
  {
    why: 'Newer engines look at this value when the container is made; older ones took it and failed, or ignored it, at the start. To take the value out would start another container than was asked for.',
    at: [
      status('151 153', /^is 500, was 201$/, ['1.18']),
      status('180 183 197', /^is 500, was 201$/, ['1.18', '1.19', '1.20']),
      status('189', /^is 500, was 201$/, ['1.18', '1.19']),
      status('195', /^is 500, was 201$/, ['1.18']),
      status('211 301 303', /^is 400, was 201$/),
      status('248 278', /^is 500, was 201$/),
      status('226 229 232 266', /^is 500, was 201$/, undefined, NEWER),
    ],
  },
  {
    why: 'Engines up to 1.8 refused the create and left the container behind all the same. Nobody should count on that.',
    at: [
      status('196 204 235 241 254', /^is 404, was 200$/, ['1.18', '1.19', '1.20']),
      status('236 242 255', /^is 404, was (204|500)$/, ['1.18', '1.19', '1.20']),
    ],
  },
  {
    why: 'What the older engine alone refused, newer ones take at the same version, and go on with: by default the bridge is no stricter than the engine behind it, and reports what the specification forbids (--validation strict refuses it).',
    at: [
      status('580', /^is 20[01], was 500$/, undefined, NEWER),
      status('185', /^is 201, was 500$/, ['1.19', '1.20']),
      status('192 259 539', /^is 201, was 500$/, ['1.18', '1.19']),
      status('215', /^is 201, was 404$/, ['1.22']),
      text('217 612', undefined, ['1.20']),
      status('221', /^is 201, was 409$/, ['1.21', '1.22']),
      status('251', /^is 201, was 500$/, ['1.19']),
      status('286', /^is 201, was 500$/, ['1.18', '1.19', '1.20', '1.21']),
      status('289', /^is 201, was 500$/, ['1.19', '1.20', '1.21']),
      status('508 510', /^is (204|304), was 500$/),
      status('511', /^is 304, was 204$/),
      status('618', /^is 20[01], was 500$/, ['1.21', '1.22']),
      status('621', /^is 200, was 404$/, ['1.21', '1.22']),
      status('623', /^is 200, was 500$/, ['1.21']),
    ],
  },
  {
    why: 'The old engine could not start this container: it asked for what came later, or for what the machine of the recordings did not have.',
    at: [
      status('336 338', /^is 204, was (304|500)$/, ['1.19', '1.20']),
      status('342', /^is 204, was (404|500)$/, ['1.18', '1.19']),
    ],
  },
  {
    why: 'Engines up to 1.8 wrote this error into a stream that they had begun, where no client could tell it from output.',
    at: [status('397', /^is 404, was 200$/, ['1.19']), status('437', /^is 404, was 200$/, ['1.18', '1.19', '1.20'])],
  },
  {
    why: 'Newer engines do not let anybody attach to a paused container, and to unpause it for that is not the bridge’s to do.',
    at: [status('448', /^is 409, was 101$/, ['1.18', '1.19', '1.20', '1.21'])],
  },
  {
    why: 'Asked for a version below 1.20 the engine calls it a success to kill what does not run, and nothing tells it from one.',
    at: [
      {
        against: 'recorded',
        calls: '319 569',
        paths: ['status'],
        problem: /^is 204, was 500$/,
        ways: ['20.10 at 1.18', '20.10 at 1.19'],
      },
      {
        against: 'own',
        calls: '319 569',
        paths: ['status'],
        problem: /^is 204, there 500$/,
        ways: ['20.10 at 1.18', '20.10 at 1.19'],
      },
    ],
  },
  {
    why: 'The documents say 200 for every version, and clients take both (1.21/exec-start-detach-status).',
    at: [status('422', /^is 200, was 204$/, ['1.18', '1.19', '1.20'])],
  },
  {
    why: 'A mistake of one release: 1.6 asks a registry for what it could not read and announces an archive that it has not, 1.7 calls a stream text, 1.9 had lost OPTIONS, 1.9 and 1.10 wrote two errors as JSON strings, 1.10 panicked or lost the name.',
    at: [
      status('005', /^is 200, was 404$/, ['1.21']),
      status('008 009', /^is 500, was 404$/, ['1.18']),
      status('622', /^is 500, was null$/, ['1.22']),
      status('650', /^is 400, was null$/, ['1.22']),
      status('456', /^is 400, was 204$/, ['1.22']),
      status('458', /^is 500, was 404$/, ['1.22']),
      { against: 'recorded', calls: '387', clients: ['1.19'], paths: ['type'], problem: /was text\/plain/ },
      { against: 'recorded', calls: '463', clients: ['1.18'], paths: ['type'], problem: /was application\/x-tar$/ },
      {
        against: 'recorded',
        calls: '599',
        clients: ['1.21', '1.22'],
        paths: ['type'],
        problem: /was application\/json$/,
      },
      { against: 'recorded', calls: '631', clients: ['1.21'], paths: ['type'], problem: /was application\/json$/ },
    ],
  },
  {
    why: 'The bridge’s own words: it found the mistake itself, or says what it tried and that nothing was changed.',
    at: [text('464')],
  },
  {
    why: 'Words of Go’s libraries about JSON, filters and connections: they change with the toolchain that built the engine, in the recordings too.',
    at: [
      text('007'),
      text('057 379 656', /^is invalid filter,/, undefined, NEWER),
      text('586 608', /^is invalid filter,/, ['1.21', '1.22'], NEWER),
      text('087', undefined, ['1.18', '1.19']),
    ],
  },
  {
    why: 'Newer words tell less, or name what is so on this engine (its own limit, a path of its own): the older ones cannot be made of them.',
    at: [
      text('203', /^is Duplicate bind mount/, ['1.18']),
      text('285', /invalid tmpfs option/, ['1.22']),
      text('321', /paused, was/, ['1.20', '1.21', '1.22']),
      text('477 478', /^is lstat \/nosuch:/, ['1.20', '1.21', '1.22']),
      text('602', /Pool overlaps/, ['1.21', '1.22']),
    ],
  },
  {
    why: 'The exit code of a failed step is new in the stream of a build; older clients skip it.',
    at: [{ against: 'recorded', calls: '109', paths: ['body.errorDetail.code'], problem: /^new$/ }],
  },
  {
    why: 'Newer engines keep "as the kernel likes" as nothing at all, so that -1 cannot be told from a value never given: the bridge shows what command lines of 1.8 and 1.9 always sent.',
    at: [
      {
        against: 'recorded',
        operations: ['ContainerInspect'],
        clients: ['1.20', '1.21'],
        paths: ['body.HostConfig.MemorySwappiness'],
        problem: /^is number, was null$/,
      },
    ],
  },
]

export const recorded: readonly Explained[] = differences.map((entry) => ({ ...entry, scenario: 'old' }))
