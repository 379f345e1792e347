import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/**
 * Command lines up to 18.09 send a PidsLimit of 0 with every create. The bridge made it null, which is the same to Docker, while
 * Podman limits what has none to 2048 processes, and not what has 0. (Seen on Podman 5.4.2.)
 */
const stage = stages()
const podman = {
  ...{ ApiVersion: '1.41', MinAPIVersion: '1.24', Version: '5.4.2', Os: 'linux', Arch: 'amd64' },
  Components: [{ Name: 'Podman Engine', Version: '5.4.2' }],
}

it.each(['1.24', '1.39'])('a create of %s without a limit of processes has none on Podman either', async (version) => {
  let made: unknown
  const { socket } = await stage({
    version: podman,
    onRequest: async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      made = JSON.parse(Buffer.concat(chunks).toString())
      res.writeHead(201, { 'Content-Type': 'application/json' })
      res.end('{"Id":"a","Warnings":[]}')
    },
  })
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ Image: 'i', HostConfig: { PidsLimit: 0 } })
  await call(socket, `/v${version}/containers/create`, { method: 'POST', headers, body })
  expect(made).toMatchObject({ HostConfig: { PidsLimit: 0 } })
})
