import type { Words } from './words.ts'

const SYSTEM_ERRORS: readonly (readonly [says: RegExp, words: string])[] = [
  [/\bunable to find (user|group) (\S+): no matching entries in \w+ file\b/i, 'Unable to find $1 $2'],
  [/\buids and gids must be in range (\d+-\d+)\b/i, 'Uids and gids must be in range $1'],
  [/\bthe (minimum|maximum) allowed cpu-shares is (\d+)\b/i, 'The $1 allowed cpu-shares is $2'],
]

/** Errors of libcontainer, part of engines up to 1.10, and later of runc. Seen on engines 1.9.1 and 1.10.3. */
export const systemErrors: readonly Words[] = SYSTEM_ERRORS.map(([says, words]) => ({
  on: 'ContainerStart',
  says,
  was: [
    [24, 500],
    [22, 500, `Cannot start container {name}: [9] System error: ${words}`],
    [21, 500, `Cannot start container {name}: [8] System error: ${words}`],
  ],
}))
