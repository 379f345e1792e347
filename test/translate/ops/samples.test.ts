import { describe, expect, it } from 'vitest'
import {
  ContainerListItem,
  ContainerState,
  HostConfig,
  Info,
  NetworkCreateRequest,
  StatsRecord,
} from '../../../src/api/shapes/shapes.ts'
import { bindChange, type Example, examplesOf, type Op } from '../../../src/translate/change.ts'
import {
  added,
  byClient,
  callRefused,
  endpointAdded,
  filled,
  gated,
  ignored,
  lookedUp,
  only,
  queryAdded,
  refusedAsFound,
  refusedWhere,
  removed,
  retyped,
  sameAs,
} from '../../../src/translate/ops.ts'

const madeOf = (...ops: Op[]): readonly Example[] => examplesOf(bindChange('1.22/x', { summary: 'x', see: 'x', ops }))

const shown = (examples: readonly Example[], wanted: string): unknown[] =>
  examples.filter(({ leg }) => leg === wanted).map(({ on, before, after }) => [on, before, after])

describe('the examples made of a sample', () => {
  it('show a new member on every leg, spelt in two ways, beside one that stays', () => {
    const made = madeOf(added(HostConfig, 'Tmpfs', { sample: 1, up: 2, onLoss: 'refuse' }))
    const body = (own: object) => ({ body: { HostConfig: { ...own, Neighbour: 'stays' } } })
    const refused = { refused: /^HostConfig\.Tmpfs .*needs API 1\.22\b/ }
    expect(shown(made, 'requestUp')).toEqual([
      ['ContainerCreate', body({ Tmpfs: 1 }), body({})],
      ['ContainerCreate', body({ tmpfs: 1 }), body({})],
    ])
    expect(shown(made, 'requestDown')).toEqual([
      ['ContainerCreate', body({ Tmpfs: 1 }), refused],
      ['ContainerCreate', body({ tmpfs: 1 }), refused],
      ['ContainerCreate', body({ Tmpfs: null }), body({})],
    ])
    expect(shown(made, 'responseDown')).toEqual([['ContainerInspect', body({ Tmpfs: 1 }), body({})]])
    expect(shown(made, 'responseUp')).toEqual([
      ['ContainerInspect', body({}), body({ Tmpfs: 2 })],
      ['ContainerInspect', body({ Tmpfs: 1 }), body({ Tmpfs: 1 })],
    ])
  })

  it('name what is lost where it is not refused, and neutral values that are not', () => {
    const made = madeOf(added(HostConfig, 'X', { sample: 'a', neutral: ['b'], onLoss: 'warn' }))
    const down = made.filter(({ leg }) => leg === 'requestDown')
    expect(down.map(({ losses }) => losses)).toEqual([['HostConfig.X'], ['HostConfig.X'], [], []])
  })

  it('show only what does not depend on a function', () => {
    const up = madeOf(added(StatsRecord, 'x', { sample: 1, up: () => 2, onLoss: 'ignore' }))
    const down = madeOf(removed(StatsRecord, 'x', { sample: 1, down: () => 2 }))
    const stays = ['ContainerStats', { body: { x: 1, Neighbour: 'stays' } }, { body: { x: 1, Neighbour: 'stays' } }]
    expect([shown(up, 'responseUp'), shown(down, 'responseDown')]).toEqual([[stays], [stays]])
  })

  it('show a member that has the value of another, in the object or beside it', () => {
    const own = madeOf(added(Info, 'X', { sample: 1, up: sameAs('Y.Z', 0), onLoss: 'ignore' }))
    expect(shown(own, 'responseUp').slice(0, 2)).toEqual([
      [
        'SystemInfo',
        { body: { Y: { Z: 1 }, Neighbour: 'stays' } },
        { body: { X: 1, Y: { Z: 1 }, Neighbour: 'stays' } },
      ],
      ['SystemInfo', { body: { Neighbour: 'stays' } }, { body: { X: 0, Neighbour: 'stays' } }],
    ])
    const other = madeOf(removed(ContainerState, 'X', { sample: 1, down: sameAs('/HostConfig.Y') }))
    const body = (state: object) => ({ body: { State: { ...state, Neighbour: 'stays' }, HostConfig: { Y: 1 } } })
    expect(shown(other, 'responseDown')[0]).toEqual(['ContainerInspect', body({}), body({ X: 1 })])
  })

  it('show each value of a history for its first client', () => {
    const history = byClient({ '1.22': 1, '1.24': undefined })
    const filledUp = madeOf(filled(Info, 'X', history, { leg: 'responseUp' }))
    expect(filledUp.map(({ client, after }) => [client, after])).toMatchObject([
      ['1.24', { body: { Neighbour: 'stays' } }],
      ['1.22', { body: { X: 1 } }],
      ['1.22', { body: { X: 1 } }],
      [undefined, { body: { X: 'said' } }],
    ])
    const pairs = madeOf(retyped(Info, 'X', { toNewer: byClient({ '1.22': [[0, 1]], '1.24': [] }) }))
    expect(pairs).toMatchObject([{ leg: 'responseUp', client: '1.22', after: { body: { X: 1 } } }])
  })

  it('show what is looked up, and that nothing is asked for an object that has it', () => {
    const made = madeOf(
      lookedUp(ContainerListItem, 'x', {
        ...{ asks: '/images/json', lacks: 'X', finds: (_item, found) => ({ X: found ?? 0 }) },
        samples: [[{ Id: 'c' }, [1], { X: [1] }]],
      }),
    )
    expect(made).toMatchObject([
      { after: { body: [{ Id: 'c', X: [1] }] }, calls: { 'GET /images/json': { body: [1] } } },
      { before: { body: [{ X: 'x' }] }, after: { body: [{ X: 'x' }] } },
    ])
    expect(made[1]?.calls).toBeUndefined()
  })

  it('show what an inspected object is refused for, on each leg', () => {
    const made = madeOf(
      refusedAsFound('ContainerLogs', 'x', {
        ...{ asks: '/containers/{name}/json', legs: ['requestUp', 'requestDown'], says: 'not-found' },
        finds: ({ status, error }) => (status === 404 ? error : undefined),
        samples: [[{ status: 404, body: 'gone' }, 'gone']],
        stay: [{ body: {} }],
      }),
    )
    const refused = { calls: { 'GET /containers/x/json': { status: 404 } }, after: { refused: /^gone$/ } }
    expect(made).toMatchObject([{ leg: 'requestUp', ...refused }, {}, { leg: 'requestDown', ...refused }, {}])
  })

  it('show what a function makes of given objects', () => {
    const op = removed(StatsRecord, 'x', { sample: 1, down: ({ y }) => y, downSamples: [[{ y: 2 }, 2]] })
    expect(shown(madeOf(op), 'responseDown')).toContainEqual([
      'ContainerStats',
      { body: { y: 2, Neighbour: 'stays' } },
      { body: { y: 2, x: 2, Neighbour: 'stays' } },
    ])
  })

  it('are of no leg that the op does not have', () => {
    const kept = madeOf(added(HostConfig, 'X', { sample: 1, request: 'keep', down: 'keep', onLoss: 'warn' }))
    expect([...new Set(kept.map(({ leg }) => leg))]).toEqual(['requestDown'])
    const half = madeOf(...only({ legs: ['responseUp'] }, retyped(Info, 'X', { toNewer: [[0, 1]], toOlder: [[1, 0]] })))
    expect(half.map(({ leg }) => leg)).toEqual(['responseUp'])
  })

  it('stand between the neighbours of the version of their gate', () => {
    const [example] = madeOf(...gated({ from: '1.30' }, added(Info, 'X', { sample: 1, onLoss: 'ignore' })))
    expect(example).toMatchObject({ leg: 'responseDown', client: '1.29', engine: '1.30' })
  })

  it('stand in the operation that was asked for', () => {
    const change = bindChange('1.22/x', {
      summary: 'x',
      see: 'x',
      ops: [added(HostConfig, 'X', { sample: 1, onLoss: 'warn' })],
    })
    expect(new Set(examplesOf(change, { on: 'ContainerStart' }).map(({ on }) => on))).toEqual(
      new Set(['ContainerStart']),
    )
  })

  it('show a new parameter and a new endpoint', () => {
    const query = madeOf(queryAdded('ContainerLogs', 'since', { sample: '1', onLoss: 'warn' }))
    expect(shown(query, 'requestUp')).toEqual([['ContainerLogs', { query: 'other=1&since=1' }, { query: 'other=1' }]])
    const endpoint = madeOf(endpointAdded('NetworkList', { missing: 501 }))
    expect(shown(endpoint, 'requestDown')).toEqual([
      ['NetworkList', {}, { refused: /^GET \/networks needs API 1\.22;/ }],
    ])
  })

  it('show what is refused, in the words of its engine or as a loss, and what stays', () => {
    const finds = ({ query }: { query: URLSearchParams }) => (query.has('a') ? 'two of a' : undefined)
    const samples = [['a=1', 'two of a']] as const
    const said = madeOf(callRefused('ImageGet', 'a', { leg: 'requestUp', says: 'bad-request', finds, samples }))
    expect(shown(said, 'requestUp')).toEqual([['ImageGet', { query: 'a=1' }, { refused: /^two of a$/ }]])
    const lost = madeOf(callRefused('ImageGet', 'a', { leg: 'requestDown', finds, samples, stay: ['b=1'] }))
    expect(shown(lost, 'requestDown')).toEqual([
      ['ImageGet', { query: 'a=1' }, { refused: /^two of a .*needs API 1\.22\b/ }],
      ['ImageGet', { query: 'b=1' }, { query: 'b=1' }],
    ])
    const warned = madeOf(callRefused('ImageGet', 'a', { leg: 'requestDown', onLoss: 'warn', finds, samples }))
    expect(warned).toMatchObject([{ leg: 'requestDown', losses: ['two of a'] }])
  })

  it('show what an older client asks for in an object, refused or only named', () => {
    const refused = madeOf(
      refusedWhere(NetworkCreateRequest, 'x', {
        ...{
          leg: 'requestUp',
          finds: ({ X: x }) => (x === 1 ? 'one' : undefined),
          says: 'validation',
          words: (what) => `not ${what}`,
        },
        samples: [[{ X: 1 }, 'one', { client: '1.20' }]],
      }),
    )
    expect(refused).toMatchObject([{ leg: 'requestUp', client: '1.20', after: { refused: /^not one$/ } }])
    const named = madeOf(
      refusedWhere(NetworkCreateRequest, 'x', {
        ...{ leg: 'requestUp', onLoss: 'ignore', finds: ({ X: x }) => (x === 1 ? 'one' : undefined) },
        samples: [[{ X: 1 }, 'one']],
      }),
    )
    expect(named).toMatchObject([{ leg: 'requestUp', losses: ['one'], after: { body: { X: 1 } } }])
  })

  it('show a member that is ignored, on the leg that it is ignored on', () => {
    const body = (own: object) => ({ body: { ...own, Neighbour: 'stays' } })
    const up = madeOf(ignored(NetworkCreateRequest, 'X', { sample: 1 }))
    expect(shown(up, 'requestUp')).toEqual([['NetworkCreate', body({ X: 1 }), body({})]])
    const down = madeOf(ignored(NetworkCreateRequest, 'X', { sample: 1, leg: 'requestDown' }))
    expect(down.map(({ leg }) => leg)).toEqual(['requestDown'])
  })
})
