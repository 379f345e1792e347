import { describe, expect, it } from 'vitest'
import { ContainerConfig, HostConfig, NetworkSettings } from '../../../src/api/shapes/shapes.ts'
import { Headers } from '../../../src/http/headers.ts'
import { bindChange, type Example, examplesOf, type Leg, type Op } from '../../../src/translate/change.ts'
import type { HeadRetypedOptions } from '../../../src/translate/ops/calls/heads.ts'
import {
  callRefused,
  filtersKnown,
  filterValuesAdded,
  gated,
  headRetyped,
  ignored,
  moved,
  only,
  onlyMembers,
  parameterAsFilter,
  queryAdded,
  recordDropped,
  removed,
  statusChanged,
} from '../../../src/translate/ops.ts'
import { ClientMessage } from '../../../src/translate/query.ts'
import { runExample } from '../../support/example.ts'

/** Translates a message between the versions 1.21 and 1.22. */
async function outcome(op: Op, example: Pick<Example, 'on' | 'leg' | 'before'> & Partial<Example>) {
  const change = bindChange('1.22/x', { summary: 'x', see: 'x', ops: op })
  return runExample(change, { after: {}, ...example })
}

/** The query after translation. */
async function asked(op: Op, leg: Leg, query: string, on: Example['on'] = 'NetworkList'): Promise<unknown> {
  const { part } = await outcome(op, { on, leg, before: { query } })
  return typeof part === 'object' && 'query' in part ? decodeURIComponent(part.query ?? '') : part
}

describe('parts of a head', () => {
  const names = headRetyped('ImageGetAll', 'query names', { toOlder: (name) => (name === 'gone' ? null : `${name}!`) })

  it('are spelt each by itself where they repeat, and taken out', async () => {
    expect(await asked(names, 'requestDown', 'names=a&other=1&names=gone&names=b', 'ImageGetAll')).toBe(
      'names=a!&other=1&names=b!',
    )
  })

  it('are spelt value by value where they are filters, an empty one too; one without values goes', async () => {
    const actions = { '': '', die: ['died', 'remove'], destroy: 'remove', gone: null } as const
    const events = headRetyped('SystemEvents', 'filter event', { toOlder: (name) => actions[name as 'die'] })
    const list = (...event: string[]) => `filters=${JSON.stringify({ event })}`
    const sent = (query: string) => asked(events, 'requestDown', query, 'SystemEvents')
    expect(await sent(list('', 'die', 'destroy', 'other'))).toBe(list('', 'died', 'remove', 'other'))
    expect(await sent('filters={"event":{"die":true}}')).toBe('filters={"event":{"died":true,"remove":true}}')
    expect(await sent(list('gone'))).toBe('')
    for (const query of [list(), 'filters={"event":{"die":false}}', 'filters=die', ''])
      expect(await sent(query)).toBe(query)
  })

  it('stay in the other direction, and where nothing is said of them', async () => {
    expect(await asked(names, 'requestDown', 'other=1', 'ImageGetAll')).toBe('other=1')
    const header = headRetyped('ImageBuild', 'header X-Test', { toNewer: () => undefined })
    const { part } = await outcome(header, {
      on: 'ImageBuild',
      leg: 'requestUp',
      before: { headers: { 'X-Test': 'a' } },
    })
    expect(part).toMatchObject({ headers: { 'X-Test': 'a' } })
  })
})

describe('new values of a filter', () => {
  const states = filterValuesAdded('ContainerList', 'status', { values: ['removing'] })
  const scopes = filterValuesAdded('SystemEvents', 'scope', { before: ['local'] })

  it('are taken out beside known ones; alone they match nothing, and the engine is not called', async () => {
    const filter = (...values: string[]) => `filters=${JSON.stringify({ status: values })}`
    expect(await asked(states, 'requestDown', filter('removing', 'exited'), 'ContainerList')).toBe(filter('exited'))
    expect(await asked(states, 'requestDown', filter('removing'), 'ContainerList')).toEqual({ answered: 200 })
    for (const query of [filter('exited'), filter(), 'all=1'])
      expect(await asked(states, 'requestDown', query, 'ContainerList')).toBe(query)
  })

  it('drop every event if the filter names none that an older engine has', async () => {
    const event = { on: 'SystemEvents', leg: 'responseUp', before: { body: { Type: 'container' } } } as const
    const partFor = async (query: string) => (await outcome(scopes, { ...event, asked: { query } })).part
    expect(await partFor('filters={"scope":["swarm"]}')).toBe('dropped')
    expect(await partFor('filters={"scope":["swarm","local"]}')).not.toBe('dropped')
    expect(await asked(scopes, 'requestDown', 'filters={"scope":["local"]}', 'SystemEvents')).toBe('')
  })
})

describe('a parameter that became a filter', () => {
  it('joins the values that the filter has; an empty one goes', async () => {
    const op = parameterAsFilter('ImageList', 'filter', 'reference')
    const list = (query: string) => asked(op, 'requestUp', query, 'ImageList')
    expect(await list('filter=a&filters={"reference":["b"]}')).toBe('filters={"reference":["b","a"]}')
    expect(await list('filter=&all=1')).toBe('all=1')
  })
})

describe('filters', () => {
  const known = filtersKnown('NetworkList', { before: ['name'], after: ['name', 'id'], status: () => 500 })

  it('that an older engine ignored are taken out beside others that stay', async () => {
    expect(await asked(known, 'requestUp', 'filters={"name":["a"],"id":["b"]}')).toBe('filters={"name":["a"]}')
  })

  it('that the newer engine does not know are its error', async () => {
    expect(await asked(known, 'requestDown', 'filters={"id":["b"],"x":["1"]}')).toEqual({
      refused: "Invalid filter 'x'",
    })
    expect(await asked(known, 'requestDown', 'filters={"id":["b"]}')).toBe('filters={"id":["b"]}')
  })

  // Each unknown filter caused all filters to be parsed and written again: thousands took seconds.
  it('that are not known are taken out together, however many there are', () => {
    const reads: string[] = []
    class Watched extends URLSearchParams {
      override get(name: string): string | null {
        reads.push(name)
        return super.get(name)
      }
    }
    const change = bindChange('1.22/x', { summary: 'x', see: 'x', ops: known })
    const [step] = known.steps(change).filter(({ leg }) => leg === 'requestUp')
    if (step === undefined) throw new Error('no step upwards')
    const many = Array.from({ length: 100 }, (_, i) => [`bogus${i}`, ['1']] as const)
    const query = new Watched({ filters: JSON.stringify(Object.fromEntries([...many, ['name', ['a']]])) })
    const run = step.run as (message: object, context: object) => void
    run({ query }, { ignore: () => undefined })
    expect([query.toString(), reads]).toEqual([
      new URLSearchParams({ filters: '{"name":["a"]}' }).toString(),
      ['filters'],
    ])
  })
})

describe('answers', () => {
  it('that become a success with a body have it as JSON', async () => {
    const op = statusChanged('SystemAuth', { before: 204, after: 200, legs: 'up', body: { Status: 'ok' } })
    const { part } = await outcome(op, { on: 'SystemAuth', leg: 'responseUp', before: { status: 204 } })
    expect(part).toMatchObject({
      status: 200,
      body: { Status: 'ok' },
      headers: { 'Content-Type': 'application/json' },
    })
  })

  it('lose records on either leg', async () => {
    const op = recordDropped('SystemEvents', 'x', (record) => record === 'a', { leg: 'responseUp' })
    const of = async (body: string) =>
      (await outcome(op, { on: 'SystemEvents', leg: 'responseUp', before: { body } })).part
    expect([await of('a'), await of('b')]).toMatchObject(['dropped', { body: 'b' }])
  })
})

describe('members', () => {
  it('of a shape that has these alone are all others taken out', async () => {
    const op = onlyMembers(NetworkSettings, ['Ports'])
    const before = { body: { NetworkSettings: { Ports: {}, Bridge: 'x' } } }
    const { part } = await outcome(op, { on: 'ContainerInspect', leg: 'responseDown', before })
    expect(part).toMatchObject({ body: { NetworkSettings: { Ports: {} } } })
  })

  it('that newer engines refuse are dropped where an object is so, and reported', async () => {
    const op = ignored(HostConfig, ['Dns'], { where: ({ NetworkMode: mode }) => mode === 'none' })
    const of = async (NetworkMode: string) =>
      outcome(op, {
        on: 'ContainerCreate',
        leg: 'requestUp',
        before: { body: { HostConfig: { NetworkMode, Dns: ['a'] } } },
      })
    expect(await of('none')).toMatchObject({
      part: { body: { HostConfig: { NetworkMode: 'none' } } },
      ignored: ['HostConfig.Dns'],
    })
    expect(await of('host')).toMatchObject({ part: { body: { HostConfig: { Dns: ['a'] } } }, ignored: [] })
  })

  it('that are gone are a loss where they are set', async () => {
    const op = removed(ContainerConfig, 'Old', { down: '', onLoss: 'warn' })
    const of = async (Old: string) =>
      (await outcome(op, { on: 'ContainerCreate', leg: 'requestUp', before: { body: { Old } } })).losses
    expect([await of('x'), await of('')]).toEqual([['Old'], []])
  })

  it('move empty where they keep their empty values', async () => {
    const of = async (keepsEmpty: boolean) => {
      const op = moved(ContainerConfig, 'Old', 'New', { keepsEmpty })
      const { part } = await outcome(op, { on: 'ContainerCreate', leg: 'requestUp', before: { body: { Old: '' } } })
      return typeof part === 'object' && 'body' in part ? part.body : part
    }
    expect([await of(true), await of(false)]).toEqual([{ New: '' }, {}])
  })
})

it('a refused call has the status and the words of the client’s engine', () => {
  const op = callRefused('ImageTag', 'x', {
    says: 'validation',
    finds: ({ query }) => (query.has('repo') ? undefined : '500 no repo'),
    samples: [[{ query: 'a=1' }, 'no repo']],
    stay: [{ query: 'repo=1' }],
  })
  const made = examplesOf(bindChange('1.22/x', { summary: 'x', see: 'x', ops: op }))
  expect(made.map(({ leg, after }) => [leg, after])).toEqual([
    ['requestDown', { refused: /^no repo$/ }],
    ['requestDown', { query: 'repo=1' }],
  ])
})

it('ops of some legs have no loss that is one of the others', () => {
  const op = queryAdded('ContainerStats', 'x', { onLoss: 'warn', request: 'always' })
  expect(only({ legs: ['requestUp'] }, op).map(({ loss }) => loss)).toEqual([undefined])
  expect(only({ legs: ['requestDown'] }, op).map(({ loss }) => loss?.what)).toEqual(['query parameter x'])
})

it('a gate of a part stays where only some of its legs are taken', () => {
  const op = queryAdded('ContainerStats', 'x', { onLoss: 'warn' })
  const parts = only({ legs: ['requestDown'] }, ...gated({ gate: 'prefix', from: '1.19' }, op))
  const change = bindChange('1.22/x', { summary: 'x', see: 'x', ops: parts })
  const places = parts.flatMap((part) => part.steps(change))
  expect(places.map(({ inForce }) => inForce)).toEqual([{ gate: 'prefix', from: 19 }])
})

it('the words for a part of a head say whether it is set, left out or spelt in another way', () => {
  const descriptionOf = (options: HeadRetypedOptions) =>
    headRetyped('SystemPing', 'response header Swarm', options).description
  expect(descriptionOf({ toOlder: null })).toBe('SystemPing: response header Swarm is left out')
  expect(descriptionOf({ toOlder: 'x', toNewer: 'y', ifMissing: true })).toBe(
    'SystemPing: response header Swarm is set',
  )
  expect(descriptionOf({ toOlder: null, toNewer: 'y' })).toBe('SystemPing: response header Swarm is set or left out')
  expect(descriptionOf({ toOlder: String })).toBe('SystemPing: response header Swarm has another form')
})

it('a status can change only for calls with a parameter, and a parameter can go without a loss', async () => {
  const op = statusChanged('VolumeDelete', { before: 404, after: 204, asked: 'force', legs: 'up' })
  const missing = { on: 'VolumeDelete', leg: 'responseUp', before: { status: 404, text: 'no such volume' } } as const
  expect((await outcome(op, { ...missing, asked: { query: 'force=1' } })).part).toMatchObject({ status: 204 })
  expect((await outcome(op, { ...missing, asked: { query: 'force=0' } })).part).toMatchObject({ status: 404 })
  const force = queryAdded('VolumeDelete', 'force', {})
  const { losses } = await outcome(force, { on: 'VolumeDelete', leg: 'requestDown', before: { query: 'force=1' } })
  expect([losses, force.loss]).toEqual([[], undefined])
})

// The query of a client's request is a getter, which a copy of the message lost: the parameter became a header.
it('a parameter is set in the query of a client’s request', () => {
  const op = headRetyped('ImageLoad', 'query quiet', { toNewer: '1' })
  const change = bindChange('1.22/x', { summary: 'x', see: 'x', ops: op })
  const message = new ClientMessage({ method: 'POST', search: '?a=b' }, '/images/load', {}, new Headers())
  for (const { run } of op.steps(change)) (run as (one: object, context: object) => void)(message, {})
  expect([message.query.toString(), message.headers.raw()]).toEqual(['a=b&quiet=1', []])
})
