import type { Change } from '../../src/translate/change.ts'
import type { StepContext } from '../../src/translate/message.ts'
import { type Reworded, reworded, rewordedExamples } from '../by-hand/reworded.ts'
import { READS_JSON } from '../v1.42/json-errors.ts'

const NUMBER = /^(strconv\.ParseInt): parsing "(.*)": invalid syntax$/

/** Which of the two moments is none. */
const badMoment = ({ call }: StepContext): string =>
  Number.isNaN(Number(call.query.get('since') ?? 0)) ? 'since' : 'until'

const rows: readonly Reworded[] = [
  {
    on: 'ContainerList',
    before: { status: 500, says: /^strconv\.Atoi: parsing .*$/, text: '$0' },
    after: { status: 400, says: /^strconv\.Atoi: parsing .*$/, text: '$0' },
    sample: {
      before: 'strconv.Atoi: parsing "abc": invalid syntax',
      after: 'strconv.Atoi: parsing "abc": invalid syntax',
    },
  },
  {
    on: 'SystemEvents',
    before: { status: 500, says: NUMBER, text: 'strconv.ParseInt: parsing "$2": invalid syntax' },
    after: {
      status: 400,
      says: /^invalid value for '(since|until)': invalid timestamp "(.*?)": .*$/s,
      text: ([, , value], context) =>
        `invalid value for '${badMoment(context)}': invalid timestamp "${value}": invalid seconds "${value}": invalid syntax`,
    },
    sample: {
      query: 'since=1&until=abc',
      before: 'strconv.ParseInt: parsing "abc": invalid syntax',
      after: 'invalid value for \'until\': invalid timestamp "abc": invalid seconds "abc": invalid syntax',
    },
  },
  {
    on: 'ContainerLogs',
    before: { status: 500, says: NUMBER, text: 'strconv.ParseInt: parsing "$2": invalid syntax' },
    after: {
      status: 400,
      says: /^invalid value for "(since|until)": invalid timestamp "(.*?)": .*$/s,
      text: ([, , value], context) =>
        `invalid value for "${badMoment(context)}": invalid timestamp "${value}": invalid seconds "${value}": invalid syntax`,
    },
    sample: {
      query: 'stdout=1&since=abc',
      before: 'strconv.ParseInt: parsing "abc": invalid syntax',
      after: 'invalid value for "since": invalid timestamp "abc": invalid seconds "abc": invalid syntax',
    },
  },
  {
    on: 'ContainerLogs',
    before: {
      status: 400,
      says: /^Bad parameters: you must choose at least one stream$/,
      text: 'Bad parameters: you must choose at least one stream',
    },
    after: {
      status: 400,
      says: /^must specify at least one of 'stdout' or 'stderr'$/,
      text: "must specify at least one of 'stdout' or 'stderr'",
    },
    sample: {
      before: 'Bad parameters: you must choose at least one stream',
      after: "must specify at least one of 'stdout' or 'stderr'",
    },
  },
  {
    on: 'ContainerArchive',
    before: { status: 400, says: /^bad parameter: pathcannot be empty$/, text: 'bad parameter: pathcannot be empty' },
    after: { status: 400, says: /^bad parameter: path cannot be empty$/, text: 'bad parameter: path cannot be empty' },
    sample: { before: 'bad parameter: pathcannot be empty', after: 'bad parameter: path cannot be empty' },
  },
  {
    on: 'SystemAuth',
    before: { status: 500, says: /^(?:invalid character .*|unexpected EOF|EOF|json: .*)$/, text: '$1' },
    after: {
      status: 400,
      says: /^invalid X-Registry-Auth header: invalid JSON: (.*)$/,
      text: 'invalid X-Registry-Auth header: invalid JSON: $0',
    },
    sample: { before: 'EOF', after: 'invalid X-Registry-Auth header: invalid JSON: EOF' },
  },
  {
    on: 'ContainerPause',
    before: { status: 409, says: /^Container (\S+) is already paused$/, text: 'Container $1 is already paused' },
    after: { status: 409, says: /^container (\S+) is already paused$/, text: 'container $1 is already paused' },
    sample: { before: 'Container c is already paused', after: 'container c is already paused' },
  },
  {
    on: 'ContainerCreate',
    before: { status: 400, says: /^invalid port specification: "(.*)"$/, text: 'invalid port specification: "$1"' },
    after: {
      status: 400,
      says: /^invalid JSON: invalid port '(.*)': invalid syntax$/,
      text: "invalid JSON: invalid port '$1': invalid syntax",
    },
    // A host port that is none is told in the older words to this day.
    only: 'down',
    sample: { before: 'invalid port specification: "x"', after: "invalid JSON: invalid port 'x': invalid syntax" },
  },
  {
    on: 'NetworkCreate',
    before: {
      status: 400,
      says: /^invalid network config:\ninvalid subnet ([^\s/]+): invalid CIDR block notation$/,
      text: 'invalid network config:\ninvalid subnet $1: invalid CIDR block notation',
    },
    after: {
      status: 400,
      says: /^invalid JSON: netip\.ParsePrefix\("(.*)"\): no '\/'$/,
      text: 'invalid JSON: netip.ParsePrefix("$1"): no \'/\'',
    },
    sample: {
      before: 'invalid network config:\ninvalid subnet nope: invalid CIDR block notation',
      after: 'invalid JSON: netip.ParsePrefix("nope"): no \'/\'',
    },
  },
  {
    on: 'NetworkCreate',
    before: {
      status: 400,
      says: /^invalid network config:\ninvalid gateway (\S+): invalid address$/,
      text: 'invalid network config:\ninvalid gateway $1: invalid address',
    },
    after: {
      status: 400,
      says: /^invalid JSON: ParseAddr\("(.*)"\): unable to parse IP$/,
      text: 'invalid JSON: ParseAddr("$1"): unable to parse IP',
    },
    sample: {
      before: 'invalid network config:\ninvalid gateway nope: invalid address',
      after: 'invalid JSON: ParseAddr("nope"): unable to parse IP',
    },
  },
]

const later: readonly Reworded[] = [
  {
    on: ['ContainerStop', 'ContainerRestart'],
    before: { status: 500, says: /^strconv\.Atoi: parsing .*$/, text: '$0' },
    after: { status: 400, says: /^strconv\.Atoi: parsing .*$/, text: '$0' },
    sample: { before: 'strconv.Atoi: parsing "x": invalid syntax', after: 'strconv.Atoi: parsing "x": invalid syntax' },
  },
  {
    on: READS_JSON,
    before: {
      status: 400,
      says: /^invalid JSON: got EOF while reading request body$/,
      text: 'invalid JSON: got EOF while reading request body',
    },
    after: { status: 400, says: /^invalid JSON: EOF$/, text: 'invalid JSON: EOF' },
    sample: { before: 'invalid JSON: got EOF while reading request body', after: 'invalid JSON: EOF' },
  },
]

export const errorWords = {
  id: '1.52/error-words',
  gate: 'release',
  summary: 'What cannot be read of a list, of events, logs and logins is 400, and some errors have other words.',
  see: 'daemon/server/router @docker-v29.0.0; asked of 20.10, 26.1, 28.5 and of 29.8',
  ops: reworded([...rows, ...later]),
  examples: rewordedExamples([...rows, ...later]),
} satisfies Change
