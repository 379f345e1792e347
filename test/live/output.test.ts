import { beforeAll, expect, test, vi } from 'vitest'
import { demultiplex, records } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'

const talker = { Cmd: ['sh', '-c', 'echo out; echo err >&2; echo x > /newfile; exec sleep 600'] }

await asLegacyClients(CORNERS, ({ client }) => {
  let id = ''
  beforeAll(async () => {
    id = await client.run(talker)
    const wire = client.send('GET', `/containers/${id}/logs?stdout=1&stderr=1&follow=1`)
    await wire.head()
    await wire.through('err\n')
    wire.leave()
  })

  test('gets the logs of both streams, framed', async () => {
    // A container that has just been started may not have written yet.
    await vi.waitFor(
      async () => {
        const reply = await client.get(`/containers/${id}/logs?stdout=1&stderr=1`)
        expect(demultiplex(reply.bytes)).toEqual({ stdout: 'out\n', stderr: 'err\n' })
      },
      { timeout: 15_000, interval: 100 },
    )
  })

  test('gets the last lines of one stream with their time', async () => {
    const reply = await client.get(`/containers/${id}/logs?stdout=1&tail=2&timestamps=1`)
    expect(demultiplex(reply.bytes).stdout).toMatch(/^\d{4}-\d\d-\d\dT\S+Z out\n$/)
  })

  test('gets the processes of a container', async () => {
    const reply = await client.get(`/containers/${id}/top`)
    expect(reply.at('Titles')).toContain('PID')
    expect(reply.text).toContain('sleep 600')
  })

  test('gets the changes of the filesystem', async () => {
    const reply = await client.get(`/containers/${id}/changes`)
    expect(reply.json()).toContainEqual({ Path: '/newfile', Kind: 1 })
  })

  test('gets a reading of stats, the network in the member of its version', async () => {
    const wire = client.send('GET', `/containers/${id}/stats`)
    let text = ''
    for await (const piece of wire.body(await wire.head())) {
      text += piece.toString()
      if (text.trimEnd().endsWith('}')) break
    }
    wire.leave()
    const [reading] = records(text)
    const interfaces = expect.objectContaining({ rx_bytes: expect.any(Number) })
    expect(reading).toMatchObject(client.minor < 21 ? { network: interfaces } : { networks: { eth0: interfaces } })
    expect(reading).not.toHaveProperty(client.minor < 21 ? 'networks' : 'network')
  })

  // 1.18 knows no stream=false: its engine streamed whatever was asked.
  if (client.minor >= 19)
    test('gets one reading of stats when it asks for one, with its length', async () => {
      const reply = await client.get(`/containers/${id}/stats?stream=false`)
      expect(reply.head.headers['content-length']).toBe(String(reply.bytes.length))
      expect(reply.json()).toMatchObject({ cpu_stats: expect.anything(), precpu_stats: expect.anything() })
    })

  test('follows the logs as they come', async () => {
    const script = 'trap "echo second; exit" USR1; echo first; while :; do sleep 0.05; done'
    const source = await client.run({ Cmd: ['sh', '-c', script] })
    const wire = client.send('GET', `/containers/${source}/logs?stdout=1&follow=1`)
    const pieces: string[] = []
    for await (const piece of wire.body(await wire.head())) {
      pieces.push(piece.toString())
      if (pieces.length === 1) await client.post(`/containers/${source}/kill?signal=USR1`)
    }
    expect(pieces[0]).toContain('first')
    expect(pieces.slice(1).join('')).toContain('second')
  })

  test('gets a stream of stats, a reading a second', async () => {
    const wire = client.send('GET', `/containers/${id}/stats?stream=true`)
    const head = await wire.head()
    let text = ''
    for await (const piece of wire.body(head)) {
      text += piece.toString()
      if (text.split('"read"').length > 2) break
    }
    wire.leave()
    expect(text.split('"memory_stats"').length).toBeGreaterThan(2)
  })
})
