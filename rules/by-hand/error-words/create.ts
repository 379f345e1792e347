import { olderErrors, type Row } from './words.ts'

const NAME_IN_USE =
  /^(Error when allocating new name: |)Conflict\. The container name "\/?(.+?)" is already in use by container "?(([0-9a-f]{12})[0-9a-f]*)"?\. You have to remove \(or rename\) that container to be able to reuse that name\.$/

/** Operations that require a Content-Type of JSON. */
const WITH_JSON =
  'ContainerCreate ContainerExec ContainerUpdate VolumeCreate ImageCommit NetworkCreate NetworkConnect NetworkDisconnect'

/**
 * Errors of create. Recorded on 1.6.2 (1.18), 1.7.1, 1.8.3, 1.9.1, 1.10.3 (1.22) and 1.12.6 (1.24) as create-…; newer
 * texts from 20.10.24, 26.1 and 28.5.
 */
export const create = olderErrors({
  ContainerCreate: [
    nameInUse({ from19: 409 }),
    [/^no command specified$/i, '1.24 No command specified'],
    [/^Invalid container name \(/, '1.24 500'],
    [
      /^config cannot be empty in order to create a container$/i,
      '1.24 500 Config cannot be empty in order to create a container',
      '1.18 500 No command specified',
    ],
    [
      /^invalid reference format\b/,
      ['1.24 500', (_, { image }) => `Error parsing reference: "${image}" is not a valid repository/tag`],
      ['1.22 404', (_, { image }) => `No such image: ${image}:latest`],
    ],
    [
      /^No such container: (\S+)$/,
      '1.24 404',
      '1.21 404 no such id: $1',
      '1.18 500 Could not apply volumes of non-existent container "$1".',
    ],
    [/^invalid signal: (.*)$/i, '1.24 500 Invalid signal: $1'],
    [
      /^the working directory '(.*)' is invalid, it needs to be an absolute path$/i,
      "1.24 500 The working directory '$1' is invalid. It needs to be an absolute path",
      "1.22 500 The working directory '$1' is invalid. It needs to be an absolute path.",
    ],
    [
      /^Container cannot be connected to (?:network endpoints: |\[)(.*?)\]?$/,
      ['1.24 400', (found) => `Container cannot be connected to network endpoints: ${endpoints(found).join(', ')}`],
      ['1.22 400', (found) => `Container cannot be connected to [${endpoints(found).join(' ')}]`],
    ],

    // Engines up to 18.09 reported these at start (daemon/caps/utils.go @v18.09.9).
    [/^invalid CapAdd: unknown capability: "(?:CAP_)?(.*)"$/, '1.24 500 Unknown capability to add: "$1"'],
    [/^invalid CapDrop: unknown capability: "(?:CAP_)?(.*)"$/, '1.24 500 Unknown capability drop: "$1"'],

    // Engine 1.10 accepted these, and refused them at start or not at all.
    [/^(unknown log opt |CPU cfs (period|quota) can not be less than )/, '1.24 500', '1.22'],
  ],
  ContainerRename: [nameInUse({ from19: 500 })],
  [WITH_JSON]: [
    [
      /^(?:Content-Type specified|(?:unsupported|malformed) Content-Type header) \(([^)]*)\)(?:[: ]+must be 'application\/json'|: mime: .*)$/,
      "1.24 500 Content-Type specified ($1) must be 'application/json'",
    ],
  ],
  'ContainerCreate ContainerStart': [
    [
      /^error looking up logging plugin (\S+): plugin ".*" not found$/,
      "1.24 500 logger: no log driver named '$1' is registered",
      '1.22',
    ],
    [/^invalid port specification: (.*)$/i, '1.24 500 Invalid port specification: $1'],
    [/^could not get container for (\S+?): /i, '1.24 500 Could not get container for $1'],
    [
      /^invalid --security-opt (\d+): (.*)$/i,
      '1.24 500 Invalid --security-opt $1: $2',
      '1.22 500 Invalid --security-opt: $2',
    ],
  ],
})

/** Engines 1.9 and 1.10 answered the conflict of a rename with 500. */
function nameInUse({ from19 }: { readonly from19: number }): Row {
  const words = (name: string, container: string, remedy: string): string => {
    const what = `The name ${name} is already in use by container ${container}`
    return `$1Conflict. ${what}. You have to ${remedy} (or rename) that container to be able to reuse that name.`
  }
  return [
    NAME_IN_USE,
    `1.24 409 ${words('"/$2"', '$3', 'remove')}`,
    `1.22 ${from19} ${words('"/$2"', '$3', 'remove')}`,
    `1.21 ${from19} ${words('"$2"', '$4', 'remove')}`,
    `1.20 409 ${words('"$2"', '$4', 'delete')}`,
  ]
}

const endpoints = (found: RegExpExecArray): string[] => (found[1] ?? '').split(/,? /).sort()
