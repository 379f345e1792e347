import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { apiVersion, NEWEST } from '../../src/api/version.ts'
import { compile, type Plan } from '../../src/translate/compile.ts'
import { isEmpty } from '../support/empty-plan.ts'

const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const

/** The plan of the named changes alone. */
function planOf(
  ids: readonly string[],
  operation: OperationName,
  client: number,
  target: number,
  highest: number,
): Plan {
  const chosen = changes.filter(({ id }) => ids.includes(id))
  expect(chosen.length).toBe(ids.length)
  const exchange = { client: apiVersion(client), target: apiVersion(target), highest: apiVersion(highest) }
  return compile({ changes: chosen, shapes }, operation, exchange, policy)
}

describe('a change whose answers have another gate than its requests', () => {
  const ids = ['1.43/annotations']

  it('leaves a request alone that the engine itself reads at the client’s version', () => {
    expect(planOf(ids, 'ContainerCreate', 41, 41, 51).request.steps).toEqual([])
  })

  it('still takes the member out of answers, which newer engines show at every version', () => {
    expect(planOf(ids, 'ContainerInspect', 41, 41, 51).response.body).toHaveLength(1)
  })

  it('changes the request where the bridge speaks a newer version than the client', () => {
    expect(planOf(ids, 'ContainerCreate', 41, 44, 51).request.steps.length).toBeGreaterThan(0)
  })

  it('refuses or drops what a pinned older version would ignore on a newer engine', () => {
    expect(planOf(ids, 'ContainerCreate', 44, 40, 51).changes).toEqual(ids)
  })
})

describe('a change with a part that began with a later version', () => {
  const ids = ['1.34/wait-error']

  it('is in force for clients between the two on an engine that has the later part', () => {
    expect(planOf(ids, 'ContainerWait', 38, 38, 51).response.body).toHaveLength(1)
  })

  it('does nothing for them on an engine that has not', () => {
    expect(isEmpty(planOf(ids, 'ContainerWait', 38, 38, 41))).toBe(true)
  })
})

describe('a change of the gate prefix whose code is gone from newer engines', () => {
  const ids = ['1.44/virtual-size']

  it('is left to an engine that has the code', () => {
    expect(isEmpty(planOf(ids, 'ImageList', 40, 40, 51))).toBe(true)
  })

  it('is done for an engine that has not', () => {
    expect(planOf(ids, 'ImageList', 40, 40, 53).response.body).toHaveLength(1)
  })
})

describe('a change that engines have announced and no document dates', () => {
  const next = changes.filter(({ version }) => version > NEWEST)
  const plans = (operation: OperationName, highest: number): readonly string[] =>
    planOf(
      next.map(({ id }) => id),
      operation,
      52,
      highest,
      highest,
    ).changes

  it.each(['ContainerCreate', 'ImageBuild', 'ImageCreate', 'SystemDataUsage', 'Session', 'Grpc'] as const)(
    'is in force for %s with an engine newer than the newest document, and with none before',
    (operation) => {
      expect(plans(operation, NEWEST)).toEqual([])
      expect(plans(operation, NEWEST + 1)).toHaveLength(1)
    },
  )
})
