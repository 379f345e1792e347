import { describe, expect, it } from 'vitest'
import { changes } from '../../rules/index.ts'
import { type JsonValue, parseJson, writeJson } from '../../src/api/json/json.ts'
import type { OperationName } from '../../src/api/operations.ts'
import { shapes } from '../../src/api/shapes/shapes.ts'
import { Headers } from '../../src/http/headers.ts'
import type { ResponseMessage, StepContext } from '../../src/translate/message.ts'
import { Plans } from '../../src/translate/plans.ts'
import { runWithoutEngine } from '../../src/translate/run/steps.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { versionsOf } from '../support/versions.ts'

const plans = new Plans(
  { changes, shapes },
  { newerFields: 'drop', losses: 'warn', profile: 'engine', announce: undefined },
)

/** The body that a client gets when an engine of 1.51 answers at the version `target`. */
function shown(operation: OperationName, client: number, target: number, body: JsonValue): JsonValue | undefined {
  const plan = plans.get(operation, versionsOf(client, target, 51))
  const message: ResponseMessage = { status: 200, headers: Headers.fromRaw([]), body }
  const context = { operation, client: plan.client, target: plan.target, memory: new Map() } as unknown as StepContext
  runWithoutEngine(plan.response.body, message, context)
  return message.body === undefined ? undefined : parseJson(writeJson(message.body))
}

/** Asked at an older version, an engine sends members that later versions have removed. */
describe('a client that is newer than the version its engine is asked for', () => {
  it('meets no member that its version has lost', () => {
    expect(shown('ImageInspect', 47, 44, { Id: 'i', Config: {}, ContainerConfig: {} })).not.toHaveProperty(
      'ContainerConfig',
    )
    const info = { KernelMemory: true, RuncCommit: { ID: 'r', Expected: 'e' } }
    const left = shown('SystemInfo', 51, 24, info)
    expect(left).not.toHaveProperty('KernelMemory')
    expect(left).toHaveProperty('RuncCommit', { ID: 'r' })
  })

  const start = stages()
  it('is told which version its wish needs, and which the engine is asked for', async () => {
    const stage = await start({ version: { ApiVersion: '1.51', MinAPIVersion: '1.24', Version: '28.5.2' } }, [
      '--engine-api',
      '1.24',
    ])
    const reply = await call(stage.socket, '/v1.41/containers/create?platform=linux/arm64', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"Image":"i"}',
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toMatch(/platform .* it needs API 1\.41 and the engine is asked for 1\.24/)
  })
})

describe('disk usage', () => {
  it('shows older clients how many containers an image has, as engines do at every version', () => {
    const body = { Images: [{ Id: 'i', Containers: 2 }] }
    expect(shown('SystemDataUsage', 44, 51, structuredClone(body))).toMatchObject(body)
  })
})

/** `adjustForAPIVersion` of the engines silently drops members of a service that the requested version lacks. */
describe('a service whose protection the engine would drop at the version it is asked for', () => {
  const start = stages()
  it.each([
    ['1.41', { CapabilityDrop: ['CAP_CHOWN'] }, 'CapabilityDrop'],
    ['1.44', { Privileges: { NoNewPrivileges: true } }, 'NoNewPrivileges'],
  ])('is refused to a client of %s', async (version, protection, name) => {
    const stage = await start({ version: { ApiVersion: '1.51', MinAPIVersion: '1.24', Version: '28.5.2' } }, [
      '--engine-api',
      '1.24',
    ])
    const reply = await call(stage.socket, `/v${version}/services/create`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ TaskTemplate: { ContainerSpec: { Image: 'i', ...protection } } }),
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toMatch(new RegExp(`${name} .* it needs API ${version} and the engine is asked for 1\\.24`))
  })
})

/** An empty object whose presence has a meaning: without it the service had one replica, and never ended. */
describe('a service that is a job on every node', () => {
  const start = stages()
  it('is refused where the engine has no jobs', async () => {
    const stage = await start({ version: { ApiVersion: '1.40', MinAPIVersion: '1.12', Version: '19.03.15' } }, [
      '--announce-api',
      '1.41',
    ])
    const reply = await call(stage.socket, '/v1.41/services/create', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"TaskTemplate":{"ContainerSpec":{"Image":"i"}},"Mode":{"GlobalJob":{}}}',
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toMatch(/GlobalJob .* it needs API 1\.41/)
  })
})
