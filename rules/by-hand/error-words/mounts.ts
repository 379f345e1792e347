import { olderErrors, type Row } from './words.ts'

/** The bind whose third field was refused. */
const bindOf = (found: RegExpExecArray, binds: readonly string[]): string | undefined =>
  binds.find((bind) => bind.endsWith(`:${found[1]}`))

const invalid = (rest: string): RegExp =>
  new RegExp(`^invalid volume specification: '([^']*)'${rest && `: invalid mount config for type "\\w+": ${rest}`}$`)

/** Invalid binds. Create begins its text with the bind, on 1.10 followed by a code; up to 1.9 it had the sentence only. */
const INVALID: readonly (readonly [says: RegExp, code: string, sentence: string, at21?: string])[] = [
  [invalid(''), 'volumeinvalid', "Invalid volume specification: '$1'", 'Invalid volume specification: $1'],
  [
    invalid("invalid mount path: '(.+?)' mount path must be absolute"),
    'volumeabs',
    "Invalid volume destination path: '$2' mount path must be absolute.",
    'Invalid volume destination path: $2 mount path must be absolute.',
  ],
  [
    invalid("invalid specification: destination can't be '/'"),
    'volumeslash',
    "Invalid specification: destination can't be '/' in '$1'",
  ],
]

/** volume/volume_unix.go, daemon/volumes.go @v1.6.2 … v1.12.6; recorded as create-bind-…. Start does not name the bind. */
export const mounts = olderErrors({
  ContainerCreate: [
    [
      /^invalid mode: (.*)$/,
      { when: ({ binds }, found) => bindOf(found, binds) !== undefined },
      ['1.24 500', (found, { binds }) => `Invalid bind mount spec "${bindOf(found, binds)}": ${found[0]}`],
      [
        '1.22 500',
        (found, { binds }) =>
          `Invalid bind mount spec "${bindOf(found, binds)}": volumeinvalidmode: invalid mode: "${found[1]}"`,
      ],
      '1.21 500 invalid mode for volumes-from: $1',
    ],
    ...INVALID.map(
      ([says, code, sentence, at21 = sentence]): Row => [
        says,
        `1.24 500 Invalid bind mount spec "$1": ${sentence}`,
        `1.22 500 Invalid bind mount spec "$1": ${code}: ${sentence}`,
        `1.21 500 ${at21}`,
      ],
    ),
  ],
  'ContainerCreate ContainerStart': [
    [/^invalid mode: (.*)$/, '1.24 500', '1.22 500 invalid mode: "$1"', '1.21 500 invalid mode for volumes-from: $1'],
    [
      /^volumes-from specification cannot be an empty string$/,
      '1.24 500 malformed volumes-from specification: ',
      '1.22 500 malformed volumes-from specification: ""',
      '1.21 500 malformed volumes-from specification: ',
    ],
    [/^Duplicate mount point: (.*)$/, "1.24 500 Duplicate mount point '$1'", '1.21 500 Duplicate bind mount $1'],
  ],
  ContainerStart: INVALID.map(
    ([says, , sentence, at21 = sentence]): Row => [says, `1.24 500 ${sentence}`, `1.21 500 ${at21}`],
  ),
})
