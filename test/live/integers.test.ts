import { beforeAll, expect, test } from 'vitest'
import { asLegacyClients, CORNERS } from './support/suites.ts'

// What Go programs and cgroups write for "no limit": JSON.parse would round it to …772000.
const UNLIMITED = '9223372036854771712'

await asLegacyClients(CORNERS, ({ client, own }) => {
  beforeAll(async () => {
    const body = `{"Image":"busybox","Cmd":["true"],"HostConfig":{"Memory":${UNLIMITED},"MemorySwap":-1}}`
    const bytes = Buffer.from(body)
    const path = `/containers/create?name=${own('digits')}`
    const reply = await client.call('POST', path, { bytes, type: 'application/json' })
    if (reply.status !== 201) throw new Error(reply.said)
  })

  test('gets every digit of a memory limit back', async () => {
    const reply = await client.get(`/containers/${own('digits')}/json`)
    expect(reply.text).toMatch(new RegExp(`"Memory":${UNLIMITED}[,}]`))
  })
})
