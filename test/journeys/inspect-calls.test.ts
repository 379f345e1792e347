import type http from 'node:http'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const version = { ApiVersion: '1.41', MinAPIVersion: '1.12', Version: '20.10.24', Os: 'linux', Arch: 'amd64' }
const endpoint = { EndpointID: 'e1', Gateway: '172.17.0.1', IPAddress: '172.17.0.2', IPPrefixLen: 16 }

interface Told {
  readonly endpoint: typeof endpoint
  readonly network: string
}

/** As 20.10 answers below 1.21: inspect hides the networks, the list shows them. */
const inspected =
  (told: () => Told): http.RequestListener =>
  (req, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' })
    const { endpoint, network } = told()
    const one = { Id: 'c1', HostConfig: { NetworkMode: 'default' }, Config: {}, Mounts: [] }
    const state = { Running: true, StartedAt: '2026-01-01T00:00:00Z' }
    const listed = [{ Id: 'c1', NetworkSettings: { Networks: { bridge: { ...endpoint, NetworkID: network } } } }]
    const body = req.url?.includes('filters') ? listed : { ...one, State: state, NetworkSettings: { ...endpoint } }
    res.end(JSON.stringify(body))
  }

const networkIn = (text: string): unknown => JSON.parse(text).NetworkSettings.NetworkID

describe('an inspect by a client below 1.22', () => {
  const make = stages()

  it.each([
    ['1.18', 1],
    ['1.19', 2],
    ['1.20', 2],
    ['1.21', 1],
  ])(
    'of %s takes one call to the engine, and once an endpoint another that asks for its network',
    async (client, first) => {
      const { socket, engine } = await make({ version, onRequest: inspected(() => ({ endpoint, network: 'n1' })) })
      const inspect = async (): Promise<string> => (await call(socket, `/v${client}/containers/c1/json`)).text
      const [once] = [await inspect(), expect(engine.seen).toHaveLength(first)]
      for (let calls = first + 1; calls < first + 4; calls++) {
        expect(await inspect()).toBe(once)
        expect(engine.seen).toHaveLength(calls)
      }
      if (client === '1.19' || client === '1.20') expect(networkIn(once)).toBe('n1')
    },
  )

  it('asks again once the container has another endpoint', async () => {
    let told: Told = { endpoint, network: 'n1' }
    const { socket, engine } = await make({ version, onRequest: inspected(() => told) })
    const inspect = async (): Promise<unknown> => networkIn((await call(socket, '/v1.20/containers/c1/json')).text)
    expect([await inspect(), await inspect()]).toEqual(['n1', 'n1'])
    told = { endpoint: { ...endpoint, EndpointID: 'e2' }, network: 'n2' }
    expect([await inspect(), await inspect()]).toEqual(['n2', 'n2'])
    expect(engine.seen).toHaveLength(6)
  })
})
