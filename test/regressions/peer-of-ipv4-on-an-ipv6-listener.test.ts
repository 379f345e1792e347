import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { portOf, stages } from '../support/bridge.ts'
import { eventually } from '../support/client.ts'

const stage = stages()

it('a client by IPv4 on a listener for IPv6, too, has its IPv4 address: rules on 127.* passed over ::ffff:127.0.0.1', async () => {
  const policy = join(stage.folder(), 'audit.yaml')
  writeFileSync(policy, "rules:\n  - {name: near, level: request, peers: ['127.*']}\n")
  const flags = ['--listen', 'tcp://[::ffff:127.0.0.1]:0', '--audit-policy', policy]
  const { audit, bridge } = await stage({ onRequest: (_req, res) => res.end('OK') }, flags)
  expect((await fetch(`http://127.0.0.1:${portOf(bridge)}/v1.44/_ping`)).status).toBe(200)
  await eventually(() => audit.length > 1, 'it is on record')
  for (const record of audit) expect(record).toMatchObject({ level: 'request', peer: { address: '127.0.0.1' } })
})
