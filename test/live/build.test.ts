import { expect, test } from 'vitest'
import { type Client, type Reply, records } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'
import { tar } from './support/tar.ts'

const build = (client: Client, tag: string, files: Record<string, string>): Promise<Reply> =>
  client.call('POST', `/build?t=${tag}&rm=1`, { bytes: tar(files), type: 'application/tar', chunked: true })

await asLegacyClients(CORNERS, ({ client, own }) => {
  test('builds an image from a Dockerfile and its context', async () => {
    const tag = `live/${own('built')}`
    const Dockerfile = 'FROM busybox\nCOPY note /note\nRUN cat /note > /copy\nCMD ["cat", "/copy"]\n'
    const reply = await build(client, tag, { Dockerfile, note: 'carried\n' })
    expect(reply.status).toBe(200)
    expect(records(reply.text)).toContainEqual({ stream: expect.stringContaining('Successfully built') })
    const id = await client.finish({ Image: tag, Cmd: null })
    expect((await client.get(`/containers/${id}/logs?stdout=1`)).bytes.subarray(8).toString()).toBe('carried\n')
  })

  test('gets the lines that builds of its age printed, in their order', async () => {
    const reply = await build(client, `live/${own('lines')}`, { Dockerfile: `FROM busybox\nENV own=${own('lines')}\n` })
    const lines = records(reply.text)
      .map((record) => String((record as { stream?: string }).stream ?? ''))
      .join('')
    const first = ['1.18', '1.19', '1.20'].includes(client.version ?? '') ? 0 : 1
    const id = '[0-9a-f]{12}'
    const expected = [
      `Step ${first} : FROM busybox`,
      ` ---> ${id}`,
      `Step ${first + 1} : ENV own=.*`,
      ` ---> Running in (${id})`,
      ` ---> (${id})`,
      'Removing intermediate container \\1',
      'Successfully built \\2',
    ]
    expect(lines).toMatch(new RegExp(`^${expected.join('\\n')}\\n$`))
  })

  test('gets the progress of a build while it runs', async () => {
    const Dockerfile = `FROM busybox\nRUN echo ${own('early')}; sleep 1; echo late\n`
    const bytes = tar({ Dockerfile })
    const wire = client.send('POST', '/build?rm=1&nocache=1', { bytes, type: 'application/tar' })
    let early = false
    let text = ''
    for await (const piece of wire.body(await wire.head())) {
      text += piece.toString()
      early ||= text.includes('Step ') && !text.includes('late\\n"')
    }
    wire.leave()
    expect(early).toBe(true)
    expect(text).toContain('late\\n"')
  })

  test('is told in the stream that a step failed', async () => {
    const reply = await build(client, `live/${own('broken')}`, { Dockerfile: 'FROM busybox\nRUN exit 7\n' })
    expect(reply.status).toBe(200)
    expect(records(reply.text).at(-1)).toMatchObject({ error: expect.stringContaining('returned a non-zero code: 7') })
  })
})
