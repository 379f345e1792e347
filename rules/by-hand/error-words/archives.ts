import type { Words } from './words.ts'

/** Errors of archives and of their destinations. Recorded like those of create, as archive-… and image-load-…. */
export const archives: readonly Words[] = [
  {
    on: ['ImageLoad', 'PutContainerArchive'],
    says: /^(?:Error processing tar file\(exit status 1\): )?unexpected EOF$/,
    was: [
      [24, 500, 'Error processing tar file(exit status 1): unexpected EOF'],
      [22, 500, 'Untar re-exec error: exit status 1: output: unexpected EOF'],
      [21, 500, 'EOF'],
    ],
  },
  {
    on: 'PutContainerArchive',
    says: /\bcannot overwrite (directory|non-directory) "\/?((?:[^"\\]|\\.)*)" with (non-directory|directory) "((?:[^"\\]|\\.)*)"/,
    was: [
      [24, 500, 'Error processing tar file(exit status 1): cannot overwrite $1 "/$2" with $3 "$4"'],
      [22, 500, 'Untar re-exec error: exit status 1: output: cannot overwrite $1 "/$2" with $3 "$4"'],
    ],
  },
  { on: 'PutContainerArchive', says: /^extraction point is not a directory$/, was: [[24, 500]] },
  {
    on: ['ContainerArchive', 'ContainerArchiveInfo', 'PutContainerArchive'],
    says: /^bad parameter: '?path'? ?cannot be empty$/,
    was: [[24, 400, "bad parameter: 'path' cannot be empty"]],
  },
  {
    // Older engines named the path on the host, which newer errors do not have.
    on: ['ContainerArchive', 'ContainerArchiveInfo', 'PutContainerArchive'],
    says: /^Could not find the file (.+) in container \S+$/,
    was: [[24, 404, 'lstat $1: no such file or directory']],
  },
]
