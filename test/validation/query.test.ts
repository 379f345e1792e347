import { describe, expect, it } from 'vitest'
import { look } from '../support/look.ts'
import { fromRow, type Row, testBrokenRules } from '../support/validation-rows.ts'

const filters = (value: unknown): string => `filters=${encodeURIComponent(JSON.stringify(value))}`
const BOOLEAN = 'must be 1, True, true, 0, False or false'

const broken: readonly Row[] = [
  ['a boolean that is a word', '1.18 GET /containers/json?all=maybe', undefined, ['query all', BOOLEAN]],
  ['a boolean that is yes', '1.22 DELETE /containers/x?force=yes', undefined, ['query force', BOOLEAN]],
  ['a boolean in capitals', '1.21 POST /commit?container=x&pause=TRUE', undefined, ['query pause', BOOLEAN]],
  ['a stream that is no boolean', '1.19 GET /containers/x/stats?stream=2', undefined, ['query stream', BOOLEAN]],
  ['a limit in words', '1.22 GET /containers/json?limit=ten', undefined, ['query limit', 'must be an integer']],
  ['a time to wait in words', '1.18 POST /containers/x/stop?t=soon', undefined, ['query t', 'must be an integer']],
  ['a height in words', '1.22 POST /containers/x/resize?h=tall&w=80', undefined, ['query h', 'must be an integer']],
  [
    'logs since a date',
    '1.19 GET /containers/x/logs?stdout=1&since=monday',
    undefined,
    ['query since', 'must be an integer'],
  ],
  [
    'logs since at 1.18',
    '1.18 GET /containers/x/logs?stdout=1&since=5',
    undefined,
    ['query since', 'is a parameter of API 1.19'],
  ],
  [
    'a tail in words',
    '1.22 GET /containers/x/logs?stdout=1&tail=few',
    undefined,
    ['query tail', 'must be all or a number'],
  ],
  [
    'a negative tail',
    '1.22 GET /containers/x/logs?stdout=1&tail=-1',
    undefined,
    ['query tail', 'must be all or a number'],
  ],
  [
    'stream of stats at 1.18',
    '1.18 GET /containers/x/stats?stream=0',
    undefined,
    ['query stream', 'is a parameter of API 1.19'],
  ],
  [
    'a name with a dot',
    '1.22 POST /containers/create?name=a.b',
    { Image: 'x' },
    ['query name', 'must match /?[a-zA-Z0-9_-]+'],
  ],
  ['a new name with a blank', '1.22 POST /containers/x/rename?name=a%20b', undefined, ['query name', 'must match']],
  ['an archive without a path', '1.21 GET /containers/x/archive', undefined, ['query path', 'is required']],
  [
    'an archive put without a path',
    '1.21 PUT /containers/x/archive?noOverwriteDirNonDir=1',
    undefined,
    ['query path', 'is required'],
  ],
  [
    'noOverwriteDirNonDir that is no',
    '1.21 PUT /containers/x/archive?path=/&noOverwriteDirNonDir=no',
    undefined,
    ['query noOverwriteDirNonDir', 'must be 1, true or True'],
  ],
  [
    'a signal with a blank',
    '1.22 POST /containers/x/kill?signal=SIG%20INT',
    undefined,
    ['query signal', 'must be a number or the name'],
  ],
  [
    'keys to detach that are none',
    '1.22 POST /containers/x/start?detachKeys=ctrl-1',
    undefined,
    ['query detachKeys', 'must be one character or ctrl-<value>'],
  ],
  [
    'keys to detach at 1.21',
    '1.21 POST /containers/x/start?detachKeys=ctrl-p',
    undefined,
    ['query detachKeys', 'is a parameter of API 1.22'],
  ],
  [
    'the size in an inspect at 1.19',
    '1.19 GET /containers/x/json?size=1',
    undefined,
    ['query size', 'is a parameter of API 1.20'],
  ],
  [
    'cpu period of a build at 1.18',
    '1.18 POST /build?cpuperiod=1000',
    undefined,
    ['query cpuperiod', 'is a parameter of API 1.19'],
  ],
  [
    'build arguments at 1.20',
    '1.20 POST /build?buildargs=%7B%7D',
    undefined,
    ['query buildargs', 'is a parameter of API 1.21'],
  ],
  [
    'build arguments that are a list',
    '1.21 POST /build?buildargs=%5B1%5D',
    undefined,
    ['query buildargs', 'must be a JSON object of strings'],
  ],
  [
    'build arguments that are a long integer',
    '1.21 POST /build?buildargs=12345678901234567890',
    undefined,
    ['query buildargs', 'must be a JSON object of strings'],
  ],
  [
    'a negative shared memory of a build',
    '1.22 POST /build?shmsize=-1',
    undefined,
    ['query shmsize', 'must be greater than 0'],
  ],
  [
    'shared memory of a build at 1.21',
    '1.21 POST /build?shmsize=5',
    undefined,
    ['query shmsize', 'is a parameter of API 1.22'],
  ],
  ['memory of a build in words', '1.22 POST /build?memory=1g', undefined, ['query memory', 'must be an integer']],
  ['events since a word', '1.22 GET /events?since=monday&until=1', undefined, ['query since', 'must be a timestamp']],
  ['events until a word', '1.18 GET /events?since=1&until=later', undefined, ['query until', 'must be a timestamp']],
  [
    'a parameter given twice',
    '1.22 GET /containers/json?all=0&all=1',
    undefined,
    ['query all', 'must not be repeated'],
  ],
  [
    'filters that are no JSON',
    '1.22 GET /containers/json?filters=notjson',
    undefined,
    ['query filters', 'must be a JSON object'],
  ],
  [
    'filters that are a list',
    `1.22 GET /images/json?${filters(['x'])}`,
    undefined,
    ['query filters', 'must be a JSON object'],
  ],
  [
    'a filter that is a string',
    `1.22 GET /images/json?${filters({ label: 'a' })}`,
    undefined,
    ['query filters.label', 'must be a list of strings, or a map'],
  ],
  [
    'a filter whose map holds numbers',
    `1.22 GET /images/json?${filters({ label: { a: 1 } })}`,
    undefined,
    ['query filters.label', 'must be a list of strings, or a map'],
  ],
  [
    'filters in map form at 1.21',
    `1.21 GET /containers/json?${filters({ label: { a: true } })}`,
    undefined,
    ['query filters.label', 'must be a list of strings (a map from API 1.22 on)'],
  ],
  [
    'filters in map form at 1.18',
    `1.18 GET /images/json?${filters({ dangling: { true: true } })}`,
    undefined,
    ['query filters.dangling', 'must be a list of strings (a map from API 1.22 on)'],
  ],
  [
    'an unknown filter',
    `1.18 GET /containers/json?${filters({ bogus: ['1'] })}`,
    undefined,
    ['query filters.bogus', 'is not a filter of this operation'],
  ],
  [
    'an unknown filter of images',
    `1.22 GET /images/json?${filters({ bogus: ['1'] })}`,
    undefined,
    ['query filters.bogus', 'is not a filter of this operation'],
  ],
  [
    'the status created at 1.19',
    `1.19 GET /containers/json?${filters({ status: ['created'] })}`,
    undefined,
    ['query filters.status', 'must be one of restarting, running, paused, exited'],
  ],
  [
    'the status dead at 1.21',
    `1.21 GET /containers/json?${filters({ status: ['dead'] })}`,
    undefined,
    ['query filters.status', 'must be one of'],
  ],
  [
    'an exit code in words',
    `1.18 GET /containers/json?${filters({ exited: ['zero'] })}`,
    undefined,
    ['query filters.exited', 'must be a number'],
  ],
  [
    'an empty value of a newer filter',
    `1.20 GET /containers/json?${filters({ ancestor: [''] })}`,
    undefined,
    ['query filters.ancestor', 'is a filter of API 1.21'],
  ],
  [
    'isolation at 1.21',
    `1.21 GET /containers/json?${filters({ isolation: ['default'] })}`,
    undefined,
    ['query filters.isolation', 'is a filter of API 1.22'],
  ],
  [
    'events by type at 1.21',
    `1.21 GET /events?since=1&until=2&${filters({ type: ['container'] })}`,
    undefined,
    ['query filters.type', 'is a filter of API 1.22'],
  ],
  [
    'events by label at 1.20',
    `1.20 GET /events?since=1&until=2&${filters({ label: ['a'] })}`,
    undefined,
    ['query filters.label', 'is a filter of API 1.21'],
  ],
  [
    'networks by a type of their own',
    `1.22 GET /networks?${filters({ type: ['mine'] })}`,
    undefined,
    ['query filters.type', 'must be one of custom, builtin'],
  ],
  [
    'networks by type at 1.21',
    `1.21 GET /networks?${filters({ type: ['custom'] })}`,
    undefined,
    ['query filters.type', 'is a filter of API 1.22'],
  ],
  [
    'volumes by another filter',
    `1.21 GET /volumes?${filters({ name: ['x'] })}`,
    undefined,
    ['query filters.name', 'is not a filter of this operation'],
  ],
  [
    'a change of a label at 1.19',
    '1.19 POST /commit?container=x&changes=LABEL%20a%3Db',
    undefined,
    ['query changes', 'must not hold LABEL'],
  ],
  [
    'a label among several changes',
    '1.18 POST /commit?container=x&changes=ENV%20a%3Db&changes=label%20a%3Db',
    undefined,
    ['query changes', 'must not hold LABEL'],
  ],
]

describe('query parameters that the specification does not allow', () => {
  testBrokenRules(broken.map(fromRow))
})

const FINE = [
  ['ContainerList', '1.18', '?all=1&limit=-1&size=0&since=abc&before=def'],
  ['ContainerList', '1.18', '?all=True&size=False'],
  ['ContainerList', '1.18', '?all='],
  ['ContainerList', '1.18', '?filters='],
  ['ContainerList', '1.18', `?${filters({ exited: ['0', '-1'], status: ['paused'], label: ['a', 'a=b'] })}`],
  ['ContainerList', '1.20', `?${filters({ status: ['created'] })}`],
  ['ContainerList', '1.22', `?${filters({ status: { dead: true }, isolation: ['hyperv'] })}`],
  ['ContainerList', '1.24', `?${filters({ network: ['x'], status: ['removing'] })}`],
  ['ContainerList', '1.22', '?nonesuch=1'],
  ['ContainerCreate', '1.18', '?name=/a_b-C9'],
  ['ContainerLogs', '1.19', '?follow=0&stdout=1&timestamps=true&since=0&tail=all'],
  ['ContainerLogs', '1.18', '?tail=10'],
  ['ContainerKill', '1.18', '?signal=SIGRTMIN%2B1'],
  ['ContainerKill', '1.18', '?signal=9'],
  ['ContainerAttach', '1.22', '?detachKeys=ctrl-p,ctrl-q&stream=1'],
  ['ImageBuild', '1.21', '?t=a&t=b:1&buildargs=%7B%22a%22%3A%22b%22%7D&memswap=-1'],
  ['ImageGetAll', '1.18', '?names=a&names=b'],
  ['ImageCommit', '1.20', '?container=x&changes=LABEL%20a%3Db&changes=ENV%20a%3Db'],
  ['ImageCommit', '1.18', '?container=x&changes=ENV%20LABEL%3Db'],
  ['SystemEvents', '1.18', '?since=1374067924&until=1374067970.123456'],
  ['SystemEvents', '1.22', `?until=2016-02-01T10:00:00Z&${filters({ type: ['network'], event: ['connect'] })}`],
  ['NetworkList', '1.22', `?${filters({ type: { custom: true }, name: ['n'], id: ['1'] })}`],
  ['VolumeList', '1.21', `?${filters({ dangling: ['true'] })}`],
  ['ContainerArchive', '1.21', '?path=/etc'],
] as const

describe('query parameters as the specification has them', () => {
  for (const [operation, version, query] of FINE) {
    it(`${operation} at ${version} with ${query} is valid, also in strict mode`, () => {
      expect(look('strict', { operation, version, query })).toEqual({ findings: [], refused: undefined })
    })
  }

  it('a filter with the name of a member that every object has is unknown', () => {
    const query = `?${filters({ constructor: ['x'] })}`
    expect(look('warn', { operation: 'ImageList', version: '1.18', query }).findings).toMatchObject([
      { field: 'query filters.constructor', rule: 'is not a filter of this operation' },
    ])
  })
})
