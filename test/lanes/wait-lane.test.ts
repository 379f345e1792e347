import { expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { findOperation } from '../../src/api/operations.ts'
import { readCall } from '../../src/api/read-call.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { apiVersion } from '../../src/api/version.ts'
import { laneFor } from '../../src/proxy/lanes/choose.ts'
import { compile } from '../../src/translate/compile.ts'

function laneOfWait(client: number, target: number, streams: 'translate' | 'untouched' = 'translate'): string {
  const exchange = { client: apiVersion(client), target: apiVersion(target), highest: apiVersion(51) }
  const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
  const plan = compile({ changes, shapes }, 'ContainerWait', exchange, policy)
  const call = readCall('POST', `/v1.${client}/containers/web/wait`)
  expect(call.match?.operation).toBe(findOperation('POST', '/containers/web/wait')?.operation)
  return laneFor(call, plan, streams)
}

// Clients from 1.30 on ask before they start the container and wait for the head: held back, docker run hangs.
it('sends the head of a wait at once to a client of 1.30 on, though its body is translated', () => {
  expect([30, 33, 38, 41].map((client) => laneOfWait(client, 44))).toEqual(['records', 'records', 'records', 'records'])
})

it('holds the head of a wait back for an older client until the container has stopped', () => {
  expect([18, 24, 29].map((client) => laneOfWait(client, 44))).toEqual(['body', 'body', 'body'])
})

it('carries a wait untranslated where both sides have the same answer', () => {
  expect(laneOfWait(44, 44)).toBe('pass')
})

it('translates a wait where record streams go untouched: it is an answer of one record', () => {
  expect([18, 30].map((client) => laneOfWait(client, 44, 'untouched'))).toEqual(['body', 'records'])
})

it.each([
  ['SystemEvents', '/events?since=1', 'pass'],
  ['ContainerStats', '/containers/web/stats', 'pass'],
  ['ContainerStats', '/containers/web/stats?stream=1', 'pass'],
  ['ContainerStats', '/containers/web/stats?stream=0', 'records'],
] as const)('--record-streams untouched: %s %s goes by the lane %s', (operation, path, lane) => {
  const exchange = { client: apiVersion(20), target: apiVersion(44), highest: apiVersion(51) }
  const policy = { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined } as const
  const plan = compile({ changes, shapes }, operation, exchange, policy)
  const call = readCall('GET', `/v1.20${path}`)
  expect(laneFor(call, plan, 'translate')).toBe('records')
  expect(laneFor(call, plan, 'untouched')).toBe(lane)
})
