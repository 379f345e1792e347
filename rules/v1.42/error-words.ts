import type { Change } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { byHand } from '../../src/translate/ops.ts'
import { type Reworded, reworded, rewordedExamples } from '../by-hand/reworded.ts'
import { READS_JSON } from './json-errors.ts'

const ID = String.raw`\b[0-9a-f]{12,64}\b`

/** An error that only begins with a small letter. */
const smaller = (on: Reworded['on'], status: number, first: string, rest: string, sample: string): Reworded => {
  const small = `${first.charAt(0).toLowerCase()}${first.slice(1)}`
  const text = (word: string) => `${word}$1`
  return {
    on,
    before: { status, says: new RegExp(`^${first}(${rest})$`, 's'), text: text(first) },
    after: { status, says: new RegExp(`^${small}(${rest})$`, 's'), text: text(small) },
    sample: { before: `${first}${sample}`, after: `${small}${sample}` },
  }
}

const named = ({ call }: StepContext): string => call.params['name'] ?? ''

/** As the engine completes it. */
const repository = (repo: string): string => (repo.includes('/') ? repo : `library/${repo}`)

const LOWERCASE = 'invalid reference format: repository name must be lowercase'
const CONTENT_TYPE = "must be 'application/json'"

const UNTIL = /^(?:failed to parse value as time or duration: .*|more than one until filter specified)$/

const rows: readonly Reworded[] = [
  smaller(
    [
      'ContainerList',
      'ImageList',
      'NetworkList',
      'VolumeList',
      'ContainerPrune',
      'ImagePrune',
      'NetworkPrune',
      'VolumePrune',
    ],
    400,
    'Invalid filter',
    " '.*",
    " 'nonesuch'",
  ),
  smaller('ContainerCreate', 400, 'No command specified', '', ''),
  smaller('ContainerCreate', 400, 'Config cannot be empty in order to create a container', '', ''),
  smaller(
    ['ContainerTop', 'ContainerExec'],
    409,
    'Container',
    ` ${ID} is not running`,
    ` ${'0a'.repeat(32)} is not running`,
  ),
  {
    on: 'ContainerKill',
    before: {
      status: 409,
      says: /^Cannot kill container: (\S+): Container (\w+) is not running$/,
      text: 'Cannot kill container: $1: Container $2 is not running',
    },
    after: {
      status: 409,
      says: /^cannot kill container: (\S+): container (\w+) is not running$/,
      text: 'cannot kill container: $1: container $2 is not running',
    },
    sample: {
      before: 'Cannot kill container: web: Container 0a is not running',
      after: 'cannot kill container: web: container 0a is not running',
    },
  },
  {
    on: 'ContainerKill',
    before: { status: 400, says: /^Invalid signal: (.*)$/, text: 'Invalid signal: $1' },
    after: {
      status: 400,
      says: /^cannot kill container: \S+: invalid signal: (.*)$/,
      text: ([, signal], context) => `cannot kill container: ${named(context)}: invalid signal: ${signal}`,
    },
    sample: { name: 'web', before: 'Invalid signal: X', after: 'cannot kill container: web: invalid signal: X' },
  },
  {
    on: READS_JSON,
    before: {
      status: 400,
      says: /^Content-Type specified \((.+)\) must be 'application\/json'$/,
      text: `Content-Type specified ($1) ${CONTENT_TYPE}`,
    },
    after: {
      status: 400,
      says: /^unsupported Content-Type header \((.+)\): must be 'application\/json'$/,
      text: `unsupported Content-Type header ($1): ${CONTENT_TYPE}`,
    },
    sample: {
      before: `Content-Type specified (text/plain) ${CONTENT_TYPE}`,
      after: `unsupported Content-Type header (text/plain): ${CONTENT_TYPE}`,
    },
  },
  {
    on: READS_JSON,
    before: {
      status: 400,
      says: /^Content-Type specified \(\) must be 'application\/json'$/,
      text: `Content-Type specified () ${CONTENT_TYPE}`,
    },
    after: {
      status: 400,
      says: /^malformed Content-Type header \(\): mime: no media type$/,
      text: 'malformed Content-Type header (): mime: no media type',
    },
    sample: {
      before: `Content-Type specified () ${CONTENT_TYPE}`,
      after: 'malformed Content-Type header (): mime: no media type',
    },
  },
  {
    on: 'ImageBuild',
    before: {
      status: 400,
      says: /^dockerfile parse error line (\d+): (.*)$/s,
      text: 'dockerfile parse error line $1: $2',
    },
    after: {
      status: 400,
      says: /^dockerfile parse error on line (\d+): (.*)$/s,
      text: 'dockerfile parse error on line $1: $2',
    },
    sample: {
      before: 'dockerfile parse error line 1: unknown instruction: X',
      after: 'dockerfile parse error on line 1: unknown instruction: X',
    },
  },
  {
    on: 'ImageTag',
    only: 'up',
    before: { status: 500, says: /^invalid reference format: repository name must be lowercase$/, text: LOWERCASE },
    after: {
      status: 400,
      says: /^invalid reference format: repository name \(.*\) must be lowercase$/,
      text: (_, { call }) => LOWERCASE.replace('name', `name (${repository(call.query.get('repo') ?? '')})`),
    },
    sample: {
      query: 'repo=Bad!',
      before: LOWERCASE,
      after: 'invalid reference format: repository name (library/Bad!) must be lowercase',
    },
  },
  {
    on: 'DistributionInspect',
    only: 'up',
    before: { status: 400, says: /^invalid reference format: repository name must be lowercase$/, text: LOWERCASE },
    after: {
      status: 400,
      says: /^invalid reference format: repository name \(.*\) must be lowercase$/,
      text: (_, context) => LOWERCASE.replace('name', `name (${repository(named(context))})`),
    },
    sample: {
      name: 'Bad!',
      before: LOWERCASE,
      after: 'invalid reference format: repository name (library/Bad!) must be lowercase',
    },
  },
  {
    on: 'ImageInspect',
    only: 'up',
    before: { status: 404, says: /^no such image: \S+: (No such image: .*)$/, text: '$1' },
    after: { status: 404, says: /^No such image: .*$/, text: '$1' },
    sample: { before: 'no such image: a: No such image: a:latest', after: 'No such image: a:latest' },
  },
  {
    on: 'ContainerDelete',
    only: 'up',
    before: {
      status: 409,
      says: /^You cannot remove a running container \w+\. Stop the container before attempting removal or force remove$/,
      text: '$0',
    },
    after: {
      status: 409,
      says: /^cannot remove container "[^"]*": container is running: .*$/,
      text: (_, context) =>
        `cannot remove container "${named(context)}": container is running: stop the container before removing or force remove`,
    },
    sample: {
      name: 'web',
      before: 'You cannot remove a running container 0a. Stop the container before attempting removal or force remove',
      after: 'cannot remove container "web": container is running: stop the container before removing or force remove',
    },
  },
  {
    on: 'NetworkCreate',
    only: 'up',
    before: { status: 500, says: /^Invalid subnet (\S+) : invalid CIDR address: \S+$/, text: '$0' },
    after: {
      status: 400,
      says: /^invalid network config:\ninvalid subnet (\S+): invalid CIDR block notation$/,
      text: 'invalid network config:\ninvalid subnet $1: invalid CIDR block notation',
    },
    sample: {
      before: 'Invalid subnet x : invalid CIDR address: x',
      after: 'invalid network config:\ninvalid subnet x: invalid CIDR block notation',
    },
  },
  {
    on: 'NetworkCreate',
    only: 'up',
    before: {
      status: 500,
      says: /^failed to parse pool request for address space "[^"]*" pool "[^"]*" subpool "([^"]*)": Invalid Address SubPool$/,
      text: '$0',
    },
    after: {
      status: 400,
      says: /^invalid network config:\ninvalid ip-range (\S+): invalid CIDR block notation$/,
      text: 'invalid network config:\ninvalid ip-range $1: invalid CIDR block notation',
    },
    sample: {
      before:
        'failed to parse pool request for address space "LocalDefault" pool "10.0.0.0/24" subpool "x": Invalid Address SubPool',
      after: 'invalid network config:\ninvalid ip-range x: invalid CIDR block notation',
    },
  },
  {
    on: 'NetworkCreate',
    before: {
      status: 500,
      says: /^invalid gateway address (\S+) in Ipam configuration$/,
      text: 'invalid gateway address $1 in Ipam configuration',
    },
    after: {
      status: 400,
      says: /^invalid network config:\ninvalid gateway (\S+): invalid address$/,
      text: 'invalid network config:\ninvalid gateway $1: invalid address',
    },
    sample: {
      before: 'invalid gateway address x in Ipam configuration',
      after: 'invalid network config:\ninvalid gateway x: invalid address',
    },
  },
  {
    on: 'NetworkCreate',
    only: 'up',
    before: {
      status: 500,
      says: /^non parsable secondary ip address \((\S+):[^:)]*\) passed for network .*$/,
      text: '$0',
    },
    after: {
      status: 400,
      says: /^invalid network config:\ninvalid auxiliary address (\S+): invalid address$/,
      text: 'invalid network config:\ninvalid auxiliary address $1: invalid address',
    },
    sample: {
      before: 'non parsable secondary ip address (a:x) passed for network n',
      after: 'invalid network config:\ninvalid auxiliary address a: invalid address',
    },
  },
  {
    on: ['ContainerPrune', 'NetworkPrune'],
    before: { status: 500, says: UNTIL, text: '$0' },
    after: { status: 400, says: UNTIL, text: '$0' },
    sample: {
      before: 'failed to parse value as time or duration: "zz"',
      after: 'failed to parse value as time or duration: "zz"',
    },
  },
  {
    on: 'ContainerCopy',
    only: 'up',
    before: { status: 404, says: /^$/, text: '' },
    after: { status: 404, says: /^page not found$/, text: 'page not found' },
    sample: { before: '', after: 'page not found' },
  },
]

export const errorWords = {
  id: '1.42/error-words',
  gate: 'release',
  summary:
    'Many errors begin with a small letter, name what they are about, or are the client’s where they were the server’s.',
  see: 'asked of 20.10 and 26.1, call by call',
  ops: [
    ...reworded(rows),
    byHand('ExecStart', 'a start without a body is one with an empty object', {
      requestDown: (message) => {
        if (message.body !== undefined || message.text !== undefined) return
        message.body = {}
        message.headers.set('Content-Type', 'application/json')
      },
    }),
  ],
  examples: [
    ...rewordedExamples(rows),
    {
      on: 'ExecStart',
      leg: 'requestDown',
      before: {},
      after: { body: {}, headers: { 'Content-Type': 'application/json' } },
    },
    { on: 'ExecStart', leg: 'requestDown', before: { body: { Tty: true } }, after: { body: { Tty: true } } },
  ],
} satisfies Change
