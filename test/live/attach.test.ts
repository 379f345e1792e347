import { describe, expect, test } from 'vitest'
import { type Client, demultiplex } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'
import type { Head, Wire } from './support/wire.ts'

const reader = { OpenStdin: true, StdinOnce: true, AttachStdin: true, AttachStdout: true, AttachStderr: true }
const all = 'stream=1&stdin=1&stdout=1&stderr=1'

/** Attaches to a created container, then starts it over another connection, as `run` does. */
async function attached(client: Client, how: 'upgrade' | 'plain', config: object): Promise<{ head: Head; wire: Wire }> {
  const id = await client.create({ ...reader, ...config })
  const opened = await client.hijack(`/containers/${id}/attach?${all}`, how)
  const started = await client.post(`/containers/${id}/start`)
  if (started.status !== 204) throw new Error(`start: ${started.said}`)
  return opened
}

await asLegacyClients(CORNERS, ({ client }) => {
  describe.each(['upgrade', 'plain'] as const)('attached with %s', (how) => {
    test('gets the head of a raw stream', async () => {
      const { head, wire } = await attached(client, how, { Cmd: ['true'] })
      const expected = how === 'upgrade' ? [101, 'UPGRADED', 'tcp'] : [200, 'OK', undefined]
      expect([head.status, head.reason, head.headers['upgrade']]).toEqual(expected)
      expect(head.headers['content-type']).toBe('application/vnd.docker.raw-stream')
      expect(head.headers).not.toHaveProperty('content-length')
      expect(head.headers).not.toHaveProperty('transfer-encoding')
      wire.leave()
    })

    test('ends its side and still gets what the container answers', async () => {
      const { wire } = await attached(client, how, { Cmd: ['sh', '-c', 'cat; echo the end'] })
      wire.write('line one\nline two\n')
      wire.halfClose()
      expect(demultiplex(await wire.rest()).stdout).toBe('line one\nline two\nthe end\n')
    })

    test('sees the end when the container ends, its own side still open', async () => {
      const { wire } = await attached(client, how, { Cmd: ['sh', '-c', 'echo bye; echo oops >&2'] })
      expect(demultiplex(await wire.rest())).toEqual({ stdout: 'bye\n', stderr: 'oops\n' })
      wire.leave()
    })

    test('talks with a terminal without frames', async () => {
      const { wire } = await attached(client, how, { Tty: true, Cmd: ['sh', '-c', 'read x; echo got $x'] })
      wire.write('word\n')
      await wire.through('got word\r\n')
      wire.leave()
    })
  })

  test('without stdin ends its side right after the 101 and still gets the output', async () => {
    const id = await client.create({ AttachStdout: true, Cmd: ['sh', '-c', 'sleep 0.2; echo late'] })
    const { wire } = await client.hijack(`/containers/${id}/attach?stream=1&stdout=1&stderr=1`, 'upgrade')
    wire.halfClose()
    await client.post(`/containers/${id}/start`)
    expect(demultiplex(await wire.rest()).stdout).toBe('late\n')
  })

  test('gets what a finished container said with logs=1', async () => {
    const id = await client.finish({ Cmd: ['echo', 'before'] })
    const { wire } = await client.hijack(`/containers/${id}/attach?logs=1&stdout=1`, 'upgrade')
    expect(demultiplex(await wire.rest()).stdout).toBe('before\n')
  })

  test('gets many megabytes through unharmed in both directions', async () => {
    const { wire } = await attached(client, 'upgrade', { Cmd: ['sh', '-c', 'cat | sha1sum'] })
    const block = Buffer.alloc(1 << 20, 'abcdefghijklmnop\n')
    for (let i = 0; i < 8; i++) wire.write(block)
    wire.halfClose()
    const { createHash } = await import('node:crypto')
    const hash = createHash('sha1')
    for (let i = 0; i < 8; i++) hash.update(block)
    expect(demultiplex(await wire.rest()).stdout).toBe(`${hash.digest('hex')}  -\n`)
  })

  test('resizes the terminal of a running container', async () => {
    const id = await client.run({ Tty: true, OpenStdin: true, Cmd: ['sh'] })
    expect((await client.post(`/containers/${id}/resize?h=20&w=70`)).status).toBe(200)
  })

  test('is told as an ordinary answer that there is no such container', async () => {
    const { head, wire } = await client.hijack('/containers/nosuch/attach?stdout=1&stream=1', 'upgrade')
    expect(head.status).toBe(404)
    expect(head.headers['content-type']).toBe('text/plain; charset=utf-8')
    wire.leave()
  })
})
