import type { OperationName } from '../../src/api/operations.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { byHand, type Change } from '../../src/translate/ops.ts'
import { inWords, inWordsUp, type Reworded, reworded } from '../by-hand/reworded.ts'
import { READS_JSON } from './json-errors.ts'

const ID = String.raw`\b[0-9a-f]{12,64}\b`

/** An error whose newer text only begins with a lower-case letter. */
const smaller = (on: Reworded['on'], status: number, first: string, rest: string, sample: string): Reworded =>
  inWords(on, `${status} ${first}$1`, `${status} ${first.charAt(0).toLowerCase()}${first.slice(1)}$1`, [[rest, sample]])

const named = ({ call }: StepContext): string => call.params['name'] ?? ''

/** The name as completed by the engine. */
const repository = (repo: string): string => (repo.includes('/') ? repo : `library/${repo}`)

const LOWERCASE = 'invalid reference format: repository name must be lowercase'

/** The newer text names the repository. */
const lowercase = (
  on: OperationName,
  status: number,
  asked: Pick<Reworded['samples'][number], 'asked' | 'name'>,
  nameOf: (context: StepContext) => string,
): Reworded => ({
  on,
  only: 'up',
  before: { status, says: new RegExp(`^${LOWERCASE}$`), text: LOWERCASE },
  after: {
    status: 400,
    says: /^invalid reference format: repository name \(.*\) must be lowercase$/,
    text: (_, context) => LOWERCASE.replace('name', () => `name (${repository(nameOf(context))})`),
  },
  samples: [{ ...asked, before: LOWERCASE, after: LOWERCASE.replace('name', 'name (library/Bad!)') }],
})

/** The older text begins with the name in the path. */
const noSuchImage = (status: number, says: string, sample: string): Reworded => ({
  on: 'ImageInspect',
  before: {
    status,
    says: new RegExp(`^no such image: .*?: (${says})$`),
    text: ([text], context) => `no such image: ${named(context)}: ${text}`,
  },
  after: { status, says: new RegExp(`^${says}$`), text: '$1' },
  samples: [{ name: 'web', before: `no such image: web: ${sample}`, after: sample }],
})

const PARSE_ERROR = 'dockerfile parse error on line'
const SUGGESTION = String.raw`(?: \(did you mean .+\?\))?`

/** An error of the parser of Dockerfiles. Newer engines suggest the nearest name: buildkit util/suggest @v0.9.0. */
const unparsed = (before: string, after: string): Reworded => ({
  on: 'ImageBuild',
  before: { status: 400, says: new RegExp(`^(${PARSE_ERROR} \\d+: )${before}(.*)$`), text: `$1${before}$2` },
  after: {
    status: 400,
    says: new RegExp(`^(${PARSE_ERROR} \\d+: )${after}(.*?)${SUGGESTION}$`),
    text: `$1${after}$2`,
  },
  samples: [{ before: `${PARSE_ERROR} 1: ${before}moun`, after: `${PARSE_ERROR} 1: ${after}moun` }],
})

const unknownInstruction: Reworded = {
  ...unparsed('unknown instruction: ', 'unknown instruction: '),
  only: 'down',
  before: {
    status: 400,
    says: /^/,
    text: ([, line, name = '']) => `${line}unknown instruction: ${name.toUpperCase()}`,
  },
  samples: [
    {
      before: `${PARSE_ERROR} 2: unknown instruction: RUNN`,
      after: `${PARSE_ERROR} 2: unknown instruction: runn (did you mean run?)`,
    },
  ],
}

const UNTIL = '(?:failed to parse value as time or duration: .*|more than one until filter specified)'

const rows: readonly Reworded[] = [
  smaller(
    (['Container', 'Image', 'Network', 'Volume'] as const).flatMap((kind) => [`${kind}List`, `${kind}Prune`] as const),
    400,
    'Invalid filter',
    " '[^]*",
    " 'nonesuch'",
  ),
  {
    ...inWords('ImageSearch', "400 Invalid filter '$1'", "400 invalid filter '$1'"),
    after: {
      status: 400,
      says: /^invalid filter '([^']*)'(?:: strconv\..*)?$/,
      text: ([, filter]) => `invalid filter '${filter}'`,
    },
  },
  smaller('ContainerCreate', 400, 'No command specified', '', ''),
  smaller('ContainerCreate', 400, 'Invalid', ' signal: .*', ' signal: X'),
  inWords('ContainerCreate', '400 Unknown runtime specified $1', '400 unknown or invalid runtime name: $1'),
  smaller('ContainerCreate', 400, 'Config cannot be empty in order to create a container', '', ''),
  smaller(
    ['ContainerTop', 'ContainerExec', 'ContainerPause'],
    409,
    'Container',
    ` ${ID} is not running`,
    ` ${'0a'.repeat(32)} is not running`,
  ),
  {
    on: ['ExecStart', 'ExecResize'],
    only: 'up',
    before: { status: 500, says: new RegExp(`^Container (${ID}) is not running: .+$`), text: '$0' },
    after: { status: 409, says: new RegExp(`^container (${ID}) is not running$`), text: 'container $1 is not running' },
    samples: [
      {
        before: `Container ${'0a'.repeat(32)} is not running: Exited (137) Less than a second ago`,
        after: `container ${'0a'.repeat(32)} is not running`,
      },
    ],
  },
  inWords(
    'ContainerKill',
    '409 Cannot kill container: $1: Container $2 is not running',
    '409 cannot kill container: $1: container $2 is not running',
  ),
  {
    on: 'ContainerKill',
    before: { status: 400, says: /^Invalid signal: (.*)$/, text: 'Invalid signal: $1' },
    after: {
      status: 400,
      says: /^cannot kill container: \S+: invalid signal: (.*)$/,
      text: ([, signal], context) => `cannot kill container: ${named(context)}: invalid signal: ${signal}`,
    },
    samples: [{ name: 'web', before: 'Invalid signal: X', after: 'cannot kill container: web: invalid signal: X' }],
  },
  inWords(
    READS_JSON,
    "400 Content-Type specified ($1) must be 'application/json'",
    "400 unsupported Content-Type header ($1): must be 'application/json'",
    [['.+', 'text/plain']],
  ),
  inWords(
    READS_JSON,
    "400 Content-Type specified () must be 'application/json'",
    '400 malformed Content-Type header (): mime: no media type',
  ),
  inWords('ImageBuild', '400 dockerfile parse error line $1: $2', '400 dockerfile parse error on line $1: $2', [
    ['\\d+', '1'],
    ['[^]*', 'unknown instruction: X'],
  ]),
  // After the row above: they see its newer text.
  unknownInstruction,
  unparsed('Unknown flag: ', 'unknown flag: '),
  unparsed('Duplicate flag specified: ', 'duplicate flag specified: '),
  unparsed('Missing a value on flag: ', 'missing a value on flag: '),
  unparsed('Expecting boolean value for flag ', 'expecting boolean value for flag '),
  lowercase('ImageTag', 500, { asked: { query: 'repo=Bad!' } }, ({ call }) => call.query.get('repo') ?? ''),
  lowercase('DistributionInspect', 400, { name: 'Bad!' }, named),
  noSuchImage(404, 'No such image: .*', 'No such image: web:latest'),
  noSuchImage(400, 'invalid reference format.*', LOWERCASE),
  lowercase('ImageInspect', 400, { name: 'Bad!' }, named),
  {
    on: 'ImageTag',
    only: 'down',
    before: { status: 500, says: /^/, text: ([text]) => text },
    after: { status: 400, says: /^invalid (?:reference|tag) format.*$/, text: '$0' },
    samples: [{ before: LOWERCASE, after: LOWERCASE }],
  },
  inWordsUp(
    'NetworkCreate',
    '500 Invalid subnet $1 : invalid CIDR address: $1',
    '400 invalid network config:\ninvalid subnet $1: invalid CIDR block notation',
  ),
  inWordsUp(
    'NetworkCreate',
    '500 failed to parse pool request for address space "$1" pool "$2" subpool "$3": Invalid Address SubPool',
    '400 invalid network config:\ninvalid ip-range $3: invalid CIDR block notation',
  ),
  inWords(
    'NetworkCreate',
    '500 invalid gateway address $1 in Ipam configuration',
    '400 invalid network config:\ninvalid gateway $1: invalid address',
  ),
  inWordsUp(
    'NetworkCreate',
    '500 non parsable secondary ip address ($1:$2) passed for network $3',
    '400 invalid network config:\ninvalid auxiliary address $1: invalid address',
  ),
  inWords(['ContainerPrune', 'NetworkPrune'], '500 $1', '400 $1', [
    [UNTIL, 'failed to parse value as time or duration: "zz"'],
  ]),
  inWordsUp('ContainerCopy', '404 ', '404 page not found'),
]

export const errorWords = {
  summary: 'Many errors begin with a lower-case letter, name their subject, or are 400 instead of 500.',
  see: 'seen on 20.10 and 26.1, call by call',
  ops: [
    ...reworded(rows),
    byHand('ExecStart', 'a start without a body gets an empty object', {
      requestDown: (message) => {
        if (message.body !== undefined || message.text !== undefined) return
        message.body = {}
        message.headers.set('Content-Type', 'application/json')
      },
    }),
  ],
  examples: {
    'ImageBuild responseDown error': [
      [
        '400 dockerfile parse error on line 2: unknown instruction: runn (did you mean run?)',
        '400 dockerfile parse error line 2: unknown instruction: RUNN',
      ],
      [
        '400 dockerfile parse error on line 2: unknown flag: moun (did you mean mount?)',
        '400 dockerfile parse error line 2: Unknown flag: moun',
      ],
    ],
    'ExecStart requestDown': [[{}, { body: {}, headers: { 'Content-Type': 'application/json' } }]],
    'ExecStart requestDown body.Tty': [[true]],
  },
} satisfies Change
