import { expect, test } from 'vitest'
import { type Client, demultiplex, records } from './support/client.ts'
import { asLegacyClients, type Matrix } from './support/suites.ts'

/** The time that `--since=1` of the command lines 1.6 to 1.9 sends: the first day of the year 0. */
const YEAR_0 = -62_167_219_200
const PAIRS: Matrix = { '20.10': ['1.18', '1.22'], '28.5-min1.44': ['1.18', '1.22'], 'podman-5.4': ['1.22'] }

const seconds = (): number => Math.floor(Date.now() / 1000)

async function events(client: Client, query: string): Promise<unknown[]> {
  return records((await client.get(`/events?${query}`)).text)
}

/** A container that was created just now, and the filter for its events. */
async function created(client: Client): Promise<{ id: string; filter: string }> {
  const id = await client.create({ Cmd: ['true'] })
  return { id, filter: `filters=${encodeURIComponent(JSON.stringify({ container: [id] }))}` }
}

await asLegacyClients(PAIRS, ({ client, engine }) => {
  const docker = engine.name !== 'podman-5.4'
  const oldest = client.minor === 18

  test('gets the past when since lies before 1970', async () => {
    const { filter } = await created(client)
    const past = await events(client, `since=${YEAR_0}&until=${seconds() + 1}&${filter}`)
    expect(past).toContainEqual(expect.objectContaining({ status: 'create' }))
  })

  test.each(['-5', '0', String(YEAR_0)])('gets every line of the logs since %s', async (since) => {
    const id = await client.finish({ Cmd: ['echo', 'line'] })
    const { bytes } = await client.get(`/containers/${id}/logs?stdout=1&since=${since}`)
    expect(demultiplex(bytes).stdout).toBe('line\n')
  })

  test('gets no past events with until alone, and the stream ends with it', async () => {
    const { filter } = await created(client)
    expect(await events(client, `until=${seconds()}&${filter}`)).toEqual([])
    expect(await events(client, `until=${seconds() + 1}&${filter}`)).toEqual([])
  })

  test.runIf(docker)('gets events of the second that until names', async () => {
    const { filter } = await created(client)
    const [event] = await events(client, `since=1&until=${seconds() + 1}&${filter}`)
    const { time } = event as { time: number }
    expect(await events(client, `since=1&until=${time}&${filter}`)).toContainEqual(event)
  })

  test.runIf(docker)('has past events cut off at until only at 1.18', async () => {
    const { filter } = await created(client)
    expect(await events(client, `since=1&until=${seconds() - 60}&${filter}`)).toHaveLength(oldest ? 0 : 1)
  })

  test.runIf(docker && client.minor === 22)('gets the 64 newest events and no more', async () => {
    for (let i = 0; i < 66; i++) await client.post(`/images/busybox/tag?repo=limit&tag=t${i}`)
    // The stream ends at once; otherwise events of other suites would follow.
    const past = await events(client, `since=1&until=${seconds() - 60}`)
    expect(past).toHaveLength(64)
    expect(past).toContainEqual(expect.objectContaining({ status: 'tag' }))
  })
})
