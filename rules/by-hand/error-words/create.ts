import type { Words } from './words.ts'

const on = 'ContainerCreate'

const NAME_IN_USE =
  /^(Error when allocating new name: |)Conflict\. The container name "\/?(.+?)" is already in use by container "?(([0-9a-f]{12})[0-9a-f]*)"?\. You have to remove \(or rename\) that container to be able to reuse that name\.$/

/** Operations whose body has to say that it is JSON. */
const WITH_JSON = [
  ...(['ContainerCreate', 'ContainerExec', 'ContainerUpdate', 'VolumeCreate'] as const),
  ...(['NetworkCreate', 'NetworkConnect', 'NetworkDisconnect'] as const),
]

/**
 * What create refuses. Recorded on 1.6.2 (1.18), 1.7.1, 1.8.3, 1.9.1, 1.10.3 (1.22) and 1.12.6 (1.24): the exchanges
 * create-…; newer words from 20.10.24, 26.1 and 28.5.
 */
export const create: readonly Words[] = [
  { on, says: NAME_IN_USE, was: nameInUse({ from19: 409 }) },
  { on: 'ContainerRename', says: NAME_IN_USE, was: nameInUse({ from19: 500 }) },
  { on, says: /^no command specified$/i, was: [[24, undefined, 'No command specified']] },
  { on, says: /^Invalid container name \(/, was: [[24, 500]] },
  {
    on,
    says: /^config cannot be empty in order to create a container$/i,
    was: [
      [24, 500, 'Config cannot be empty in order to create a container'],
      [18, 500, 'No command specified'],
    ],
  },
  {
    on,
    says: /^invalid reference format\b/,
    was: [
      [24, 500, (_, { image }) => `Error parsing reference: "${image}" is not a valid repository/tag`],
      [22, 404, (_, { image }) => `No such image: ${image}:latest`],
    ],
  },
  {
    on: WITH_JSON,
    says: /^(?:Content-Type specified|(?:unsupported|malformed) Content-Type header) \(([^)]*)\)(?:[: ]+must be 'application\/json'|: mime: .*)$/,
    was: [[24, 500, "Content-Type specified ($1) must be 'application/json'"]],
  },
  // The limit that is named is the engine's own.
  { on: ['ContainerCreate', 'ContainerUpdate'], says: /^Minimum memory limit allowed is /, was: [[24, 500]] },
  {
    on,
    says: /^(You should always set the Memory limit when using Memoryswap limit, see usage|Minimum memoryswap limit should be larger than memory limit, see usage|Invalid value: -?\d+, valid memory swappiness range is 0-100|Requested (?:CPUs|memory nodes) are not available - .*)$/,
    was: [
      [24, 500],
      [22, 500, '$1.'],
    ],
  },
  {
    on,
    says: /^Invalid value (.*) for cpuset (cpus|mems): invalid format: /,
    was: [
      [24, 500, 'Invalid value $1 for cpuset $2'],
      [22, 500, 'Invalid value $1 for cpuset $2.'],
    ],
  },
  { on, says: /^invalid port specification: (.*)$/i, was: [[24, 500, 'Invalid port specification: $1']] },
  {
    on,
    says: /^invalid mode: (.*)$/,
    was: [
      [24, 500, (found, { binds }) => `Invalid bind mount spec "${bindOf(found, binds)}": ${found[0]}`],
      [
        22,
        500,
        (found, { binds }) =>
          `Invalid bind mount spec "${bindOf(found, binds)}": volumeinvalidmode: invalid mode: "${found[1]}"`,
      ],
      [21, 500, 'invalid mode for volumes-from: $1'],
    ],
  },
  {
    on,
    says: /^invalid volume specification: '(.+?)': invalid mount config for type "\w+": invalid mount path: '(.+?)' mount path must be absolute$/,
    was: [
      [24, 500, `Invalid bind mount spec "$1": Invalid volume destination path: '$2' mount path must be absolute.`],
      [
        22,
        500,
        `Invalid bind mount spec "$1": volumeabs: Invalid volume destination path: '$2' mount path must be absolute.`,
      ],
      [21, 500, 'Invalid volume destination path: $2 mount path must be absolute.'],
    ],
  },
  {
    on,
    says: /^Duplicate mount point: (.*)$/,
    was: [
      [24, 500, "Duplicate mount point '$1'"],
      [21, 500, 'Duplicate bind mount $1'],
    ],
  },
  {
    on: ['ContainerCreate', 'ContainerStart'],
    says: /^could not get container for (\S+?): /i,
    was: [[24, 500, 'Could not get container for $1']],
  },
  {
    on,
    says: /^No such container: (\S+)$/,
    was: [
      [24, 404],
      [21, 404, 'no such id: $1'],
      [18, 500, 'Could not apply volumes of non-existent container "$1".'],
    ],
  },
  {
    on,
    says: /^invalid --security-opt (\d+): (.*)$/i,
    was: [
      [24, 500, 'Invalid --security-opt $1: $2'],
      [22, 500, 'Invalid --security-opt: $2'],
    ],
  },
  { on, says: /^invalid signal: (.*)$/i, was: [[24, 500, 'Invalid signal: $1']] },
  {
    on,
    says: /^the working directory '(.*)' is invalid, it needs to be an absolute path$/i,
    was: [
      [24, 500, "The working directory '$1' is invalid. It needs to be an absolute path"],
      [22, 500, "The working directory '$1' is invalid. It needs to be an absolute path."],
    ],
  },
  {
    on,
    says: /^SHM size can not be less than 0$/,
    was: [
      [24, 500, 'SHM size must be greater than 0'],
      [22, 500, 'SHM size must be greater then 0'],
    ],
  },
  {
    on,
    says: /^Container cannot be connected to (?:network endpoints: |\[)(.*?)\]?$/,
    was: [
      [24, 400, (found) => `Container cannot be connected to network endpoints: ${endpoints(found).join(', ')}`],
      [22, 400, (found) => `Container cannot be connected to [${endpoints(found).join(' ')}]`],
    ],
  },
  // 1.10 took these, and knew them at the start or not at all.
  {
    on,
    says: /^(unknown log opt |CPU cfs (period|quota) can not be less than )/,
    was: [[24, 500], [22]],
  },
]

/** In 1.9 and 1.10 the conflict of a rename was a server error. */
function nameInUse({ from19 }: { readonly from19: number }): Words['was'] {
  const words = (name: string, container: string, remedy: string): string => {
    const what = `The name ${name} is already in use by container ${container}`
    return `$1Conflict. ${what}. You have to ${remedy} (or rename) that container to be able to reuse that name.`
  }
  return [
    [24, 409, words('"/$2"', '$3', 'remove')],
    [22, from19, words('"/$2"', '$3', 'remove')],
    [21, from19, words('"$2"', '$4', 'remove')],
    [20, 409, words('"$2"', '$4', 'delete')],
  ]
}

/** The bind whose third field was refused. */
function bindOf(found: RegExpExecArray, binds: readonly string[]): string {
  return binds.find((bind) => bind.endsWith(`:${found[1]}`)) ?? ''
}

const endpoints = (found: RegExpExecArray): string[] => (found[1] ?? '').split(/,? /).sort()
