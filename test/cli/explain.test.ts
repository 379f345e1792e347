import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { operationNames } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import { UsageError } from '../../src/cli/command.ts'
import { dispatch } from '../../src/cli/dispatch.ts'
import { applied } from '../../src/tools/explain/applies.ts'
import { engineNamed, refusedBy } from '../../src/tools/explain/releases.ts'
import { examplesOf } from '../../src/translate/change.ts'
import { compile } from '../../src/translate/compile.ts'
import { captured } from '../support/io.ts'

const POLICY = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const

async function said(...args: string[]): Promise<string> {
  const io = captured()
  expect(await dispatch(args, io)).toBe(0)
  return io.out()
}

describe('what explain says', () => {
  it.each([
    [18, 44, 51],
    [24, 24, 51],
    [24, 40, 55],
    [51, 41, 41],
    [56, 22, 22],
    [41, 41, 41],
  ])(
    'of a client of 1.%i, target 1.%i, engine 1.%i are the changes of the compiled plans',
    (client, target, highest) => {
      const exchange = { client: apiVersion(client), target: apiVersion(target), highest: apiVersion(highest) }
      for (const operation of operationNames) {
        const plan = compile({ changes, shapes }, operation, exchange, POLICY)
        const told = applied(operation, exchange).map(({ change }) => change.id)
        expect(new Set(told), operation).toEqual(new Set(plan.changes))
      }
    },
  )

  it('shows sentence, words, before and after of each change of a call', async () => {
    const text = await said('explain', '1.24', 'Docker 29', 'POST', '/v1.24/containers/create')
    expect(text).toContain('client version 1.24 is too old. Minimum supported API version is')
    expect(text).toMatch(
      /1\.25\/auto-remove[\s\S]*client sends +\{"HostConfig":\{"AutoRemove":true,.*\n +engine gets +\{/,
    )
  })

  it('tells a newer client what an older engine refuses', async () => {
    const found = JSON.parse(await said('explain', '1.51', '20.10', '--json'))
    expect(found).toMatchObject({ client: '1.51', target: '1.41', withoutBridge: { served: false } })
    expect(found.withBridge.losses).toContainEqual({
      what: 'HostConfig.Annotations',
      change: '1.43/annotations',
      outcome: 'warn',
    })
  })

  it('has a refusal as the client would read it, with no sign of a pattern', async () => {
    const text = await said('explain', '1.41', '1.22', 'POST', '/containers/create')
    expect(text).toMatch(/\(refused: HostConfig\.PidsLimit …needs API 1\.23\)/)
  })

  it('says that nothing differs between equal versions', async () => {
    expect(await said('explain', '1.41', '20.10')).toContain('every call passes as it is')
  })

  it.each([
    ['explain', '1.18', '1.44'],
    ['explain', '1.18', 'Docker 29', 'GET', '/containers/x/json'],
    ['explain', '1.52', '1.22', 'POST', '/containers/create'],
    ['diff', '1.18', '1.44'],
    ['matrix'],
    ['matrix', ...Array.from({ length: 12 }, () => '1.18:20.10')],
  ])('is plain text of at most 80 columns in a pipe: %s %s %s', async (...args) => {
    const text = await said(...args)
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(text).not.toContain('\u001b')
  })

  it('has the matrix as JSON: what is done for each operation between each pair', async () => {
    const { pairs, operations } = JSON.parse(await said('matrix', '1.51:20.10', '1.22:Docker 29', '--json'))
    expect(pairs[0]).toEqual({ client: '1.51', engine: 'Docker 20.10', target: '1.41', highest: '1.41' })
    const create = operations.find(({ operation }: { operation: string }) => operation === 'ContainerCreate')
    expect(create).toMatchObject({ call: 'POST /containers/create', cells: [{ warned: expect.any(Number) }, {}] })
    expect(create.cells[0].changes).toContain('1.43/annotations')
    expect(create.cells[0].refused * create.cells[0].warned).toBeGreaterThan(0)
  })

  it('has colours on a terminal only, and none with NO_COLOR', async () => {
    const [screen, quiet] = [captured({ isTTY: true }), captured({ isTTY: true, env: { NO_COLOR: '1' } })]
    await dispatch(['diff', '1.40', '1.41'], screen)
    await dispatch(['diff', '1.40', '1.41'], quiet)
    expect([screen.out().includes('\u001b['), quiet.out().includes('\u001b[')]).toEqual([true, false])
  })

  it.each([
    ['explain', '1.24'],
    ['explain', '1.11', '1.44'],
    ['explain', 'x', '1.44'],
    ['explain', '1.24', 'nonsense'],
    ['explain', '1.24', '1.44', 'GET'],
    ['explain', '1.24', '1.44', 'GET', '/nonsense'],
    ['explain', '1.24', `unix://${import.meta.dirname}/none.sock`],
    ['diff', '1.24', '1.44', 'GET'],
    ['diff', '1.24', '1.44', 'GET', '/nonsense'],
    ['matrix', '1.24'],
    ['diff', '1.18', '1.44', '--nonsense'],
  ])('refuses a command line that says nothing useful: %s %s %s', async (...args) => {
    await expect(dispatch(args, captured())).rejects.toThrow(UsageError)
  })
})

it('says why an engine at an address cannot be asked, also behind ssh', async () => {
  for (const [engine, why] of [
    ['ssh://none.invalid', 'cannot reach the engine at ssh://none.invalid: '],
    [`unix://${import.meta.dirname}/none.sock`, 'there is no socket at '],
    ['http://x', 'an address is unix:///path or tcp://host:port'],
  ] as const)
    await expect(dispatch(['explain', '1.24', engine], captured())).rejects.toThrow(why)
})

describe('the name of an engine', () => {
  it.each([
    ['1.44', 44, 24],
    ['28.5', 51, 24],
    ['v20.10.24', 41, 12],
    ['Docker 29', 55, 40],
    ['docker 29.1', 52, 44],
    ['docker 1.12', 24, 24],
    ['podman-5.4', 41, 24],
    ['podman 5.8.2', 44, 24],
    ['podman', 41, 24],
  ])('%s is one whose highest version is 1.%i, its lowest 1.%i', (text, highest, lowest) => {
    expect(engineNamed(text)).toMatchObject({ highest, lowest })
  })

  it('is none where there was no such release', () => {
    expect(engineNamed('9.99')).toBeUndefined()
    expect(engineNamed('docker 16.04')).toBeUndefined()
  })

  // recorded on 1.6.2 and 1.10.3; api/server/middleware/version.go from 17.12 on
  it.each([
    ['docker 1.6', "client and server don't have same version (client : 1.44, server: 1.18)"],
    ['docker 1.10', 'client is newer than server (client API version: 1.44, server API version: 1.22)'],
    ['docker 20.10', 'client version 1.44 is too new. Maximum supported API version is 1.41'],
    ['podman', undefined],
  ])('%s refuses a newer client in its own words', (text, words) => {
    const engine = engineNamed(text)
    expect(engine && refusedBy(engine, apiVersion(44))).toBe(words)
  })
})

describe('diff', () => {
  it('says at its end how much it was, and how one call is asked for', async () => {
    const lines = (await said('diff', '1.18', '1.44')).trimEnd().split('\n')
    const end = lines.slice(-4).join(' ')
    const { groups } = JSON.parse(await said('diff', '1.18', '1.44', '--json')) as {
      groups: { changes: { id: string }[] }[]
    }
    const total = new Set(groups.flatMap(({ changes: some }) => some.map(({ id }) => id))).size
    expect(end).toMatch(
      new RegExp(
        `${total} differences in ${groups.length} groups; \\d+ values? refused, \\d+ values? lost with a warning\\.`,
      ),
    )
    const [, method = '', path = ''] = /enginebridge diff 1\.18\s+1\.44\s+(\w+)\s+(\S+)/.exec(end) ?? []
    const one = await said('diff', '1.18', '1.44', method, path)
    expect(one).toContain(`\n${method} ${path}\n`)
    expect(one.split('\n').length).toBeLessThan(lines.length / 2)
  })

  it('of one call has what differs for every operation too', async () => {
    expect(await said('diff', '1.18', '1.44', 'GET', '/v1.18/info?x=1')).toContain('Errors are JSON')
  })

  it('groups sentences by operation and names every change between the two versions', async () => {
    const found = JSON.parse(await said('diff', '1.18', '1.44', '--json')) as {
      groups: { changes: { id: string }[] }[]
    }
    const ids = new Set(found.groups.flatMap((group) => group.changes.map(({ id }) => id)))
    const upward = changes.filter(
      (change) =>
        change.from > 18 &&
        change.from <= 44 &&
        examplesOf(change).some(
          ({ leg, profile }) => profile !== 'spec' && (leg === 'requestUp' || leg === 'responseDown'),
        ),
    )
    expect(upward.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([])
  })
})
