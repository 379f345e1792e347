import { operationNames } from '../../../src/api/operations.ts'
import { olderErrors, type Row } from './words.ts'

const SYSTEM_ERRORS: readonly (readonly [says: RegExp, words: string])[] = [
  [/\bunable to find (user|group) (\S+): no matching entries in \w+ file\b/i, 'Unable to find $1 $2'],
  [/\buids and gids must be in range (\d+-\d+)\b/i, 'Uids and gids must be in range $1'],
  [/\bthe (minimum|maximum) allowed cpu-shares is (\d+)\b/i, 'The $1 allowed cpu-shares is $2'],
]

/** Errors of libcontainer, part of engines up to 1.10, and later of runc. Seen on engines 1.9.1 and 1.10.3. */
const systemErrors = SYSTEM_ERRORS.map(
  ([says, words]): Row => [
    says,
    '1.24 500',
    `1.22 500 Cannot start container {name}: [9] System error: ${words}`,
    `1.21 500 Cannot start container {name}: [8] System error: ${words}`,
  ],
)

export const others = olderErrors({
  ContainerStart: systemErrors,

  // Errors of archives and of their destinations. Recorded like those of create, as archive-… and image-load-….
  'ImageLoad PutContainerArchive': [
    [
      /^(?:Error processing tar file\(exit status 1\): )?unexpected EOF$/,
      '1.24 500 Error processing tar file(exit status 1): unexpected EOF',
      '1.22 500 Untar re-exec error: exit status 1: output: unexpected EOF',
      '1.21 500 EOF',
    ],
  ],
  PutContainerArchive: [
    [
      /\bcannot overwrite (directory|non-directory) "\/?((?:[^"\\]|\\.)*)" with (non-directory|directory) "((?:[^"\\]|\\.)*)"/,
      '1.24 500 Error processing tar file(exit status 1): cannot overwrite $1 "/$2" with $3 "$4"',
      '1.22 500 Untar re-exec error: exit status 1: output: cannot overwrite $1 "/$2" with $3 "$4"',
    ],
    [/^extraction point is not a directory$/, '1.24 500'],
  ],
  'ContainerArchive ContainerArchiveInfo PutContainerArchive': [
    [/^bad parameter: '?path'? ?cannot be empty$/, "1.24 400 bad parameter: 'path' cannot be empty"],

    // Older engines named the path on the host, which newer errors do not have.
    [/^Could not find the file (.+) in container \S+$/, '1.24 404 lstat $1: no such file or directory'],
  ],
  [operationNames.filter((name) => /^(Swarm|Node|Service|Task)(?!ata)/.test(name)).join(' ')]: [
    // Engine 1.12 derived the status from the words "this node" (api/server/httputils/errors.go @v1.12.6; recorded at 1.24).
    [/^This node is /, '1.24 406'],
  ],
})
