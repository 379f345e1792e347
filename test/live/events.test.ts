import { expect, test } from 'vitest'
import { type Client, records } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'

const now = async (client: Client): Promise<number> => {
  const time = Date.parse(String((await client.get('/info')).at('SystemTime') ?? new Date().toISOString()))
  return Math.floor(time / 1000)
}

const filtered = (id: string): string => encodeURIComponent(JSON.stringify({ container: [id] }))

/** The events of one container between its creation and now. */
async function history(client: Client, config: object): Promise<{ id: string; events: unknown[] }> {
  const since = Math.floor(Date.now() / 1000) - 1
  const id = await client.finish(config)
  const until = Math.floor(Date.now() / 1000) + 1
  const reply = await client.get(`/events?since=${since}&until=${until}&filters=${filtered(id)}`)
  return { id, events: records(reply.text) }
}

await asLegacyClients(CORNERS, ({ client }) => {
  test('gets the past of a container, each event in the shape of its version', async () => {
    const { id, events } = await history(client, { Cmd: ['true'] })
    const told = events.map((event) =>
      typeof event === 'object' && event !== null ? Reflect.get(event, 'status') : '',
    )
    expect(told).toEqual(expect.arrayContaining(['create', 'start', 'die']))
    for (const event of events) expect(event).toMatchObject({ id, from: 'busybox', time: expect.any(Number) })
    const named = expect.objectContaining({ Type: 'container', Action: 'start', Actor: expect.anything() })
    if (client.minor < 22) expect(events).not.toContainEqual(named)
    else expect(events).toContainEqual(named)
  })

  test('gets the head at once, before anything happens', async () => {
    const wire = client.send('GET', `/events?filters=${filtered('nosuch')}`)
    expect((await wire.head()).status).toBe(200)
    wire.leave()
  })

  test('gets an event when it happens', async () => {
    const id = await client.create({ Cmd: ['sleep', '600'] })
    const wire = client.send('GET', `/events?filters=${filtered(id)}`)
    const head = await wire.head()
    await client.post(`/containers/${id}/start`)
    let text = ''
    for await (const piece of wire.body(head)) {
      text += piece.toString()
      if (text.includes('"start"')) break
    }
    wire.leave()
    expect(records(text)).toContainEqual(expect.objectContaining({ status: 'start', id }))
  })

  test('gets a stream that ends when its until has passed', async () => {
    const until = (await now(client)) + 2
    const reply = await client.get(`/events?until=${until}&filters=${filtered('nosuch')}`)
    expect(reply.text).toBe('')
  })
})
