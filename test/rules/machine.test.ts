import { describe, expect, it } from 'vitest'
import { changes, deviations, versions } from '../../rules/index.ts'
import { isOperationName, operationNames } from '../../src/api/operations.ts'
import { HostConfig, Info, shapes } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import {
  bindChange,
  type Change,
  direction,
  type Example,
  type PlacedStep,
  stepsOf,
} from '../../src/translate/change.ts'
import { BadRules, proven } from '../../src/translate/check.ts'
import { compile } from '../../src/translate/compile.ts'
import { listed } from '../../src/translate/example.ts'
import type { TranslationPolicy } from '../../src/translate/message.ts'
import { added, byHand, retyped } from '../../src/translate/ops.ts'
import { isEmpty } from '../support/empty-plan.ts'

const policy: TranslationPolicy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined }
const at = (client: number, target: number, highest: number) => ({
  client: apiVersion(client),
  target: apiVersion(target),
  highest: apiVersion(highest),
})

/** A change that is sound, to be spoilt by a test. */
const sound: Change = {
  summary: 'Groups can be added.',
  see: 'docs/api/v1.20.md',
  ops: [retyped(Info, 'X', { toOlder: () => 1 })],
  examples: { 'SystemInfo responseDown': [[{ body: { X: 2 } }, { body: { X: 1 } }]] },
}
const ID = '1.20/group-add'
const IDLE: Change['examples'] = { 'SystemInfo responseDown': [[{ body: { X: 1 } }, { body: { X: 1 } }]] }

const stands = ({ on, leg }: Example, among: readonly PlacedStep[]): boolean =>
  among.some((step) => step.operation === on && step.leg === leg)

describe('the rules', () => {
  const all = [...changes, ...deviations]

  it('have an id each, of the version in whose file they stand', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(changes.length).toBeGreaterThan(100)
    for (const [file, own] of Object.entries(versions))
      for (const id of [own].flat().flatMap(Object.keys)) expect(`v${id}`.replace('.', '_')).toContain(`${file}/`)
  })

  it('are each used by a plan, of an operation that there is', () => {
    expect(all.filter((change) => stepsOf(change).length === 0).map(({ id }) => id)).toEqual([])
    const unknown = all.filter((change) => stepsOf(change).some(({ operation }) => !isOperationName(operation)))
    expect(unknown.map(({ id }) => id)).toEqual([])
  })

  it('have examples by hand of no leg that they have not', () => {
    const idle = all.filter((rule) => !listed(rule.change.examples).every((one) => stands(one, stepsOf(rule))))
    expect(idle.map(({ id }) => id)).toEqual([])
  })
})

describe('a start', () => {
  const bound = bindChange(ID, sound)

  it('takes rules whose legs are proven', () => {
    expect(proven([bound])).toEqual([bound])
  })

  it.each([
    ['a leg whose only example would pass without it', [bindChange(ID, { ...sound, examples: IDLE })], 'responseDown'],
    ['a duplicate id', [bound, bound], `${ID}: duplicate id`],
  ])('refuses %s', (_what, rules, problem) => {
    expect(() => proven(rules)).toThrow(BadRules)
    expect(() => proven(rules)).toThrow(problem)
  })
})

describe('gates', () => {
  const prefix = bindChange(ID, { ...sound, gate: 'prefix' })
  const release = bindChange(ID, sound)

  it.each([
    ['prefix', prefix, at(18, 18, 41), undefined], // the engine does it itself
    ['prefix', prefix, at(18, 24, 51), 'up'],
    ['prefix', prefix, at(22, 18, 41), 'down'], // pinned below the client
    ['release', release, at(18, 18, 41), 'up'],
    ['release', release, at(22, 22, 22), undefined],
    ['release', release, at(22, 19, 19), 'down'],
    ['release', release, at(22, 18, 41), undefined],
  ] as const)('%s change of 1.20 for client %#', (_gate, change, exchange, way) => {
    expect(direction(change, exchange)).toBe(way)
  })

  it('treats a prefix change as a release change on engines that have lost the prefix code', () => {
    const lost = bindChange(ID, { ...sound, gate: 'prefix', prefixCodeGoneFrom: '1.45' })
    expect([direction(lost, at(18, 18, 44)), direction(lost, at(18, 18, 45))]).toEqual([undefined, 'up'])
  })
})

describe('a difference of Podman', () => {
  const change = bindChange('podman/x', sound)

  it('is in force for each client of Podman, one way, and of no other engine', () => {
    const clients = [18, 41, 51]
    const ways = (podman: boolean) => clients.map((client) => direction(change, { ...at(client, 41, 41), podman }))
    expect([ways(true), ways(false)]).toEqual([clients.map(() => 'up'), clients.map(() => undefined)])
    expect(stepsOf(change).map(({ leg }) => leg)).toEqual(['responseDown'])
  })

  it('is translated next to the engine', () => {
    const seen: string[] = []
    const traced = (what: string): Change => ({
      ...sound,
      ops: byHand('ContainerCreate', 'traces', {
        requestUp: () => void seen.push(`up ${what}`),
        responseDown: () => void seen.push(`down ${what}`),
      }),
    })
    const rules = [bindChange('podman/trace', traced('podman')), bindChange('1.21/trace', traced('1.21'))]
    const plan = compile({ changes: rules, shapes: [] }, 'ContainerCreate', { ...at(18, 41, 41), podman: true }, policy)
    for (const step of plan.request.steps) step.run({} as never, {} as never)
    for (const step of plan.response.body) step.run({} as never, {} as never)
    expect(seen).toEqual(['up 1.21', 'up podman', 'down podman', 'down 1.21'])
  })
})

describe('plans', () => {
  it('do nothing when client, target and engine have the same version', () => {
    for (const version of [18, 19, 20, 21, 22, 24, 41, 44, 51]) {
      for (const operation of operationNames.filter((name) => !/^System(Version|Ping)/.test(name))) {
        const plan = compile({ changes, shapes }, operation, at(version, version, version), policy)
        expect({ operation, version, changes: plan.changes, empty: isEmpty(plan) }).toEqual({
          operation,
          version,
          changes: [],
          empty: true,
        })
      }
    }
  })

  it('climb on the way up and come back in the reverse order', () => {
    const seen: string[] = []
    const trace = (version: number): Change => ({
      ...sound,
      ops: [
        byHand('ContainerCreate', 'traces', {
          requestUp: () => void seen.push(`up ${version}`),
          responseDown: () => void seen.push(`down ${version}`),
        }),
      ],
    })
    const traced = [19, 20, 21].map((version) => bindChange(`1.${version}/trace`, trace(version)))
    const plan = compile({ changes: traced, shapes: [] }, 'ContainerCreate', at(18, 44, 51), policy)
    for (const step of plan.request.steps) step.run({} as never, {} as never)
    for (const step of plan.response.body) step.run({} as never, {} as never)
    expect(seen).toEqual(['up 19', 'up 20', 'up 21', 'down 21', 'down 20', 'down 19'])
  })

  it('leave newer members alone with --newer-fields pass', () => {
    const change = bindChange(ID, { ...sound, ops: [added(HostConfig, 'GroupAdd', { onLoss: 'refuse' })] })
    const steps = (newerFields: 'drop' | 'pass'): number =>
      compile({ changes: [change], shapes: [] }, 'ContainerInspect', at(19, 44, 51), { ...policy, newerFields })
        .response.body.length
    expect([steps('drop'), steps('pass')]).toEqual([1, 0])
  })
})
