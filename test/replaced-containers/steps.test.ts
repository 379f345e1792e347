import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import type { JsonValue } from '../../src/api/json/json.ts'
import { type OperationName, operationNames } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import { IdTable } from '../../src/engine/replaced/table.ts'
import { Headers } from '../../src/http/headers.ts'
import type { ReplacedContainerIds, RequestMessage, StepContext } from '../../src/translate/message.ts'
import { Plans } from '../../src/translate/plans.ts'
import { recordFirst, replacedSteps } from '../../src/translate/replaced/steps.ts'
import { isEmpty } from '../support/empty-plan.ts'
import { contextWith, linux } from '../support/step-context.ts'
import { versionsOf } from '../support/versions.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)
const SHORT = A.slice(0, 12)
const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
const plans = new Plans({ changes, shapes }, policy)

function contextOf(operation: OperationName): { context: StepContext; forgotten: string[] } {
  const table = new IdTable()
  table.add(A, B)
  const forgotten: string[] = []
  const replacedContainers: ReplacedContainerIds = {
    begun: true,
    toEngine: (said) => table.toEngine(said),
    toClient: (id) => table.toClient(id),
    replaced: () => undefined,
    forget: (id) => forgotten.push(id),
    runExclusively: (_container, work) => work(),
    keep: async () => undefined,
    noteUnknownId: () => undefined,
    isMaking: (name, id) => name === 'web' && id === A,
    isWatched: () => false,
  }
  const highest = apiVersion(51)
  const context = contextWith({
    ...{ operation, client: highest, target: highest, engine: linux(highest, apiVersion(24)), policy },
    call: { params: { name: A }, query: new URLSearchParams() },
    replacedContainers,
  })
  return { context, forgotten }
}

/** The query and body that the engine gets. */
function asked(operation: OperationName, query: string, body?: JsonValue): Pick<RequestMessage, 'query' | 'body'> {
  const message: RequestMessage = {
    method: 'POST',
    path: '/',
    params: {},
    query: new URLSearchParams(query),
    headers: new Headers(),
    body,
  }
  const { context } = contextOf(operation)
  for (const { leg, run } of replacedSteps(operation).first) if (leg === 'requestUp') run(message, context)
  return message
}

const filters = (value: JsonValue): string => `filters=${encodeURIComponent(JSON.stringify(value))}`

describe('a request that names a container by the id that its client knows', () => {
  it('names the container that stands for it in the HostConfig and the endpoints of a create', () => {
    const { body } = asked('ContainerCreate', '', {
      HostConfig: {
        NetworkMode: `container:${SHORT}`,
        IpcMode: `container:${A}`,
        PidMode: 'container:web',
        VolumesFrom: [`${A}:ro`, 'data'],
        Links: [`${SHORT}:db`, A],
      },
      NetworkingConfig: { EndpointsConfig: { net: { Links: [`${A}:db`] } } },
    })
    expect(body).toEqual({
      HostConfig: {
        NetworkMode: `container:${B}`,
        IpcMode: `container:${B}`,
        PidMode: 'container:web',
        VolumesFrom: [`${B}:ro`, 'data'],
        Links: [`${B}:db`, B],
      },
      NetworkingConfig: { EndpointsConfig: { net: { Links: [`${B}:db`] } } },
    })
  })

  it.each(['NetworkConnect', 'NetworkDisconnect'] as const)('names it in %s, whatever the case of the member', (on) => {
    expect(asked(on, '', { container: SHORT }).body).toEqual({ container: B })
    expect(asked(on, '', { Container: 'web' }).body).toEqual({ Container: 'web' })
  })

  it('names it in the query of a list, in either form of its filters', () => {
    const { query } = asked('ContainerList', `since=${SHORT}&before=web&${filters({ id: [A], name: ['x'] })}`)
    expect([query.get('since'), query.get('before')]).toEqual([B, 'web'])
    expect(JSON.parse(query.get('filters') ?? '')).toEqual({ id: [B], name: ['x'] })
    const map = asked('ContainerList', filters({ since: { [A]: true } })).query
    expect(JSON.parse(map.get('filters') ?? '')).toEqual({ since: { [B]: true } })
  })

  it('asks for the events under both ids', () => {
    const { query } = asked('SystemEvents', filters({ container: [SHORT, 'web'] }))
    expect(JSON.parse(query.get('filters') ?? '')).toEqual({ container: [B, SHORT, 'web'] })
  })

  it('leaves filters that are not JSON to the engine', () => {
    expect(asked('ContainerList', 'filters=%7B').query.get('filters')).toBe('{')
  })

  it('names it in a commit, whose image gets an empty label, and leaves other commits alone', () => {
    const { query } = asked('ImageCommit', `container=${SHORT}&changes=CMD+x`)
    expect(query.get('container')).toBe(B)
    expect(query.getAll('changes')).toEqual(['CMD x', 'LABEL enginebridge.replaces=""'])
    expect(asked('ImageCommit', 'container=web').query.toString()).toBe('container=web')
  })

  it('names it in the network of a build', () => {
    expect(asked('ImageBuild', `networkmode=container:${A}`).query.get('networkmode')).toBe(`container:${B}`)
  })
})

describe('an event', () => {
  const event = (Action: string, ID: string, Attributes: Record<string, JsonValue>, Type = 'container') => {
    const { context, forgotten } = contextOf('SystemEvents')
    const message = {
      status: 200,
      headers: new Headers(),
      body: { status: Action, id: ID, Type, Action, Actor: { ID, Attributes: { ...Attributes } } },
    }
    const outcome = recordFirst('SystemEvents')?.(message, context)
    return { outcome, body: message.body, forgotten }
  }
  const label = { 'enginebridge.replaces': A }

  it('has the id that the client knows, without the label', () => {
    const known = event('start', B, { name: 'web', ...label })
    expect(known.body).toMatchObject({ id: A, Actor: { ID: A, Attributes: { name: 'web' } } })
    expect(known.body.Actor.Attributes).not.toHaveProperty('enginebridge.replaces')
  })

  it('has it as an attribute of what happens to networks and volumes', () => {
    expect(event('connect', 'net', { container: B }, 'network').body.Actor.Attributes).toEqual({ container: A })
  })

  it.each(['create', 'start', 'destroy'])('keeps the id of another container with the label: %s', (action) => {
    const other = 'f'.repeat(64)
    for (const replaces of [A, 'd'.repeat(64)]) {
      const { body, outcome } = event(action, other, { name: 'other', 'enginebridge.replaces': replaces })
      expect(body).toMatchObject({ id: other, Actor: { ID: other, Attributes: { name: 'other' } } })
      expect(outcome).toBeUndefined()
    }
  })

  it('is shown of a container or a network that is only called like one that was set aside', () => {
    const other = 'f'.repeat(64)
    const named = { name: 'enginebridge-set-aside-aaaaaaaaaaaa.1.x' }
    expect(event('start', other, named).outcome).toBeUndefined()
    expect(event('destroy', A, named, 'network').outcome).toBeUndefined()
  })

  it.each([
    ['the old container is set aside', 'rename', A, { name: 'enginebridge-set-aside-aaaaaaaaaaaa', oldName: '/web' }],
    ['it gets its name back', 'rename', A, { name: 'web', oldName: '/enginebridge-set-aside-aaaaaaaaaaaa' }],
    ['it is removed', 'destroy', A, { name: 'enginebridge-set-aside-aaaaaaaaaaaa' }],
    ['the new one is created', 'create', B, { name: 'web', ...label }],
    ['the new one is created, before its id is known', 'create', 'e'.repeat(64), { name: 'web', ...label }],
    ['the engine refuses to create the new one', 'destroy', 'e'.repeat(64), { name: 'web', ...label }],
  ])('is left out where %s', (_what, action, id, attributes) => {
    expect(event(action, id, attributes).outcome).toBe('drop')
  })

  it('lets the ids go when the container is removed', () => {
    expect(event('destroy', B, { name: 'web', ...label })).toMatchObject({ forgotten: [B], body: { id: A } })
  })
})

describe('plans', () => {
  const between = (operation: OperationName, mapsIds: boolean, client = 51) =>
    plans.get(operation, versionsOf(client, 51), mapsIds)

  it('have no step more while no container has another id', () => {
    for (const operation of operationNames) {
      if (operation === 'SystemVersion') continue // names the bridge's own range
      expect(isEmpty(between(operation, false)), operation).toBe(true)
    }
  })

  it('translate ids without reading what has none', () => {
    expect(between('ContainerInspect', true).response.needsBody).toBe(true)
    for (const operation of ['ContainerLogs', 'ContainerArchive', 'ContainerExport', 'ImageBuild'] as const) {
      expect(between(operation, true).response.needsBody, operation).toBe(false)
      expect(between(operation, true).request.needsBody, operation).toBe(false)
    }
  })

  it('read the events of an older client for what they must not show from the beginning', () => {
    const run = recordFirst('SystemEvents')
    expect(between('SystemEvents', false, 21).response.body[0]?.run).toBe(run)
  })
})
