import type { Words } from './words.ts'

const on = 'ContainerCreate'
const BOTH = ['ContainerCreate', 'ContainerStart'] as const

/** The bind whose third field was refused. */
const bindOf = (found: RegExpExecArray, binds: readonly string[]): string | undefined =>
  binds.find((bind) => bind.endsWith(`:${found[1]}`))

/** volume/volume_unix.go, daemon/volumes.go @v1.6.2 … v1.12.6; recorded as create-bind-…. Start does not name the bind. */
export const mounts: readonly Words[] = [
  {
    on,
    says: /^invalid mode: (.*)$/,
    when: ({ binds }, found) => bindOf(found, binds) !== undefined,
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
    on: BOTH,
    says: /^invalid mode: (.*)$/,
    was: [
      [24, 500],
      [22, 500, 'invalid mode: "$1"'],
      [21, 500, 'invalid mode for volumes-from: $1'],
    ],
  },
  {
    on: BOTH,
    says: /^volumes-from specification cannot be an empty string$/,
    was: [
      [24, 500, 'malformed volumes-from specification: '],
      [22, 500, 'malformed volumes-from specification: ""'],
      [21, 500, 'malformed volumes-from specification: '],
    ],
  },
  ...specification('', 'volumeinvalid', "Invalid volume specification: '$1'", 'Invalid volume specification: $1'),
  ...specification(
    `: invalid mount config for type "\\w+": invalid mount path: '(.+?)' mount path must be absolute`,
    'volumeabs',
    "Invalid volume destination path: '$2' mount path must be absolute.",
    'Invalid volume destination path: $2 mount path must be absolute.',
  ),
  ...specification(
    `: invalid mount config for type "\\w+": invalid specification: destination can't be '/'`,
    'volumeslash',
    "Invalid specification: destination can't be '/' in '$1'",
  ),
  {
    on: BOTH,
    says: /^Duplicate mount point: (.*)$/,
    was: [
      [24, 500, "Duplicate mount point '$1'"],
      [21, 500, 'Duplicate bind mount $1'],
    ],
  },
]

/** An invalid bind. Create begins its text with the bind, on 1.10 followed by a code; up to 1.9 it had the sentence only. */
function specification(rest: string, code: string, sentence: string, at21?: string): readonly Words[] {
  const says = new RegExp(`^invalid volume specification: '([^']*)'${rest}$`)
  return [
    {
      on,
      says,
      was: [
        [24, 500, `Invalid bind mount spec "$1": ${sentence}`],
        [22, 500, `Invalid bind mount spec "$1": ${code}: ${sentence}`],
        [21, 500, at21 ?? sentence],
      ],
    },
    {
      on: 'ContainerStart',
      says,
      was: [
        [24, 500, sentence],
        [21, 500, at21 ?? sentence],
      ],
    },
  ]
}
