import type { Change } from '../../src/translate/change.ts'
import { inWords, type Reworded, reworded, rewordedExamples } from '../by-hand/reworded.ts'

const NO_NUMBER = /^strconv\.Atoi: parsing "(.*)": invalid syntax$/

const rows: readonly Reworded[] = [
  {
    on: ['ContainerResize', 'ExecResize'],
    before: { status: 400, says: NO_NUMBER, text: 'strconv.Atoi: parsing "$2": invalid syntax' },
    after: {
      status: 400,
      says: /^invalid resize (height|width) "(.*)": invalid syntax$/,
      text: ([, value], { call }) =>
        `invalid resize ${(call.query.get('h') ?? '') === value ? 'height' : 'width'} "${value}": invalid syntax`,
    },
    sample: {
      query: 'h=3&w=x',
      before: 'strconv.Atoi: parsing "x": invalid syntax',
      after: 'invalid resize width "x": invalid syntax',
    },
  },
  {
    on: 'ContainerCreate',
    before: {
      status: 404,
      says: /^image with reference (\S+) was found but does not match the specified platform: wanted ([^\s,]+), actual: (\S+)$/,
      text: 'image with reference $1 was found but does not match the specified platform: wanted $3, actual: $2',
    },
    after: {
      status: 404,
      says: /^image with reference (\S+) was found but its platform \(([^()]+)\) does not match the specified platform \(([^()]+)\)$/,
      text: 'image with reference $1 was found but its platform ($3) does not match the specified platform ($2)',
    },
    sample: {
      before:
        'image with reference a was found but does not match the specified platform: wanted linux/x, actual: linux/y',
      after:
        'image with reference a was found but its platform (linux/y) does not match the specified platform (linux/x)',
    },
  },
  inWords(
    'ContainerCreate',
    `500 Invalid isolation: "$1" - $2 only supports 'default'`,
    "400 invalid isolation ($1): $2 only supports 'default'",
    [
      ['[^")]*', 'x'],
      ['\\w+', 'linux'],
    ],
  ),
  {
    ...inWords(
      'ContainerStart',
      '404 No such container: $1',
      '500 joining network namespace of container: No such container: $1',
      [['\\S+', 'x']],
    ),
    only: 'down', // the older text can also be about the container itself
  },
  inWords('PutContainerArchive', '500 extraction point is not a directory', '400 extraction point is not a directory'),
]

export const errorWords = {
  id: '1.48/error-words',
  gate: 'release',
  summary: 'Errors of resize, platforms and archives are worded differently, or 400 instead of 500.',
  see: 'seen on 20.10, 26.1 and 28.5',
  ops: reworded(rows),
  examples: rewordedExamples(rows),
} satisfies Change
