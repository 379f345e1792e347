import { errorWords, inWords, inWordsDown, type Reworded } from '../by-hand/reworded.ts'

/** The parser of Dockerfiles names a flag with its dashes: buildkit 31a7c177e. */
const flag = (before: string, after: string): Reworded =>
  inWords(
    'ImageBuild',
    `400 dockerfile parse error on line $1: ${before}`,
    `400 dockerfile parse error on line $1: ${after}`,
    [['\\d+', '1']],
  )

export default errorWords(
  {
    summary: 'Errors of resize, platforms and archives are worded differently, or 400 instead of 500.',
    see: 'seen on 20.10, 26.1 and 28.5',
  },
  [
    {
      on: ['ContainerResize', 'ExecResize'],
      before: {
        status: 400,
        says: /^strconv\.Atoi: parsing "(.*)": invalid syntax$/,
        text: 'strconv.Atoi: parsing "$2": invalid syntax',
      },
      after: {
        status: 400,
        says: /^invalid resize (height|width) "(.*)": invalid syntax$/,
        text: ([, value], { call }) =>
          `invalid resize ${(call.query.get('h') ?? '') === value ? 'height' : 'width'} "${value}": invalid syntax`,
      },
      samples: [
        {
          asked: { query: 'h=3&w=x' },
          before: 'strconv.Atoi: parsing "x": invalid syntax',
          after: 'invalid resize width "x": invalid syntax',
        },
      ],
    },
    inWords(
      'ContainerCreate',
      '404 image with reference $1 was found but does not match the specified platform: wanted $2, actual: $3',
      '404 image with reference $1 was found but its platform ($3) does not match the specified platform ($2)',
      [
        ['\\S+', 'a'],
        ['[^\\s,()]+', 'linux/x'],
        ['[^\\s()]+', 'linux/y'],
      ],
    ),
    inWords(
      'ContainerCreate',
      `500 Invalid isolation: "$1" - $2 only supports 'default'`,
      "400 invalid isolation ($1): $2 only supports 'default'",
    ),
    flag('unknown flag: $2', 'unknown flag: --$2'),
    flag('duplicate flag specified: $2', 'duplicate flag specified: --$2'),
    flag('missing a value on flag: $2', 'missing a value on flag: --$2'),
    flag('expecting boolean value for flag $2, not: $3', 'expecting boolean value for flag --$2, not: $3'),
    // The older text can also be about the container itself.
    inWordsDown(
      'ContainerStart',
      '404 No such container: $1',
      '500 joining network namespace of container: No such container: $1',
    ),
    inWords(
      'PutContainerArchive',
      '500 extraction point is not a directory',
      '400 extraction point is not a directory',
    ),
  ],
)
