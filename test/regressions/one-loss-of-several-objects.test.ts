import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()

/** Each of the networks had a warning of its own, in the same words. */
it('a member that several networks of a create lose is one warning and one loss', async () => {
  const { socket, audit } = await stage(
    {
      version: { ApiVersion: '1.44', Version: '25.0.0', MinAPIVersion: '1.24' },
      onRequest: (_req, res) => {
        res.setHeader('Content-Type', 'application/json')
        res.writeHead(201).end('{"Id":"c","Warnings":[]}')
      },
    },
    ['--announce-api', '1.52'],
  )
  const EndpointsConfig = { a: { GwPriority: 1 }, b: { GwPriority: 2 } }
  const body = JSON.stringify({ Image: 'a', NetworkingConfig: { EndpointsConfig } })
  const headers = { 'Content-Type': 'application/json' }
  const reply = await call(socket, '/v1.51/containers/create', { method: 'POST', headers, body })
  expect(JSON.parse(reply.text).Warnings).toEqual([expect.stringContaining('GwPriority')])
  await expect.poll(() => audit.at(-1)).toMatchObject({ losses: [{ change: '1.48/gateway-priority' }] })
})
