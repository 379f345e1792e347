import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, demultiplex } from './support/client.ts'
import { asLegacyClients, CORNERS } from './support/suites.ts'

const both = { AttachStdout: true, AttachStderr: true }

/** A container to run commands in, and how to prepare one. */
function commands(client: Client): (config: object) => Promise<string> {
  let id = ''
  beforeAll(async () => {
    id = await client.run({ Cmd: ['sleep', '600'] })
  })
  return async (config) => {
    const reply = await client.post(`/containers/${id}/exec`, { ...both, ...config })
    if (reply.status !== 201) throw new Error(`exec: ${reply.said}`)
    return String(reply.at('Id'))
  }
}

await asLegacyClients(CORNERS, ({ client }) => {
  const prepare = commands(client)

  test('learns the exit code of a finished command', async () => {
    const exec = await prepare({ Cmd: ['sh', '-c', 'exit 3'] })
    const { wire } = await client.hijack(`/exec/${exec}/start`, 'upgrade', { Detach: false, Tty: false })
    await wire.rest()
    expect((await client.get(`/exec/${exec}/json`)).json()).toMatchObject({ ID: exec, Running: false, ExitCode: 3 })
  })

  test('finds the container in the place that its version has', async () => {
    const exec = await prepare({ Cmd: ['true'] })
    const reply = await client.get(`/exec/${exec}/json`)
    expect(client.minor < 22 ? reply.at('Container', 'ID') : reply.at('ContainerID')).toMatch(/^[0-9a-f]{64}$/)
    expect(reply.json()).not.toHaveProperty(client.minor < 22 ? 'ContainerID' : 'Container')
  })

  test('starts a detached command', async () => {
    const exec = await prepare({ Cmd: ['true'] })
    const reply = await client.post(`/exec/${exec}/start`, { Detach: true, Tty: false })
    expect(reply.status).toBe(200)
  })

  describe.each(['upgrade', 'plain'] as const)('started with %s', (how) => {
    test('gets both streams of the command, framed', async () => {
      const exec = await prepare({ Cmd: ['sh', '-c', 'echo o; echo e >&2'] })
      const { head, wire } = await client.hijack(`/exec/${exec}/start`, how, { Detach: false, Tty: false })
      expect(head.status).toBe(how === 'upgrade' ? 101 : 200)
      expect(demultiplex(await wire.rest())).toEqual({ stdout: 'o\n', stderr: 'e\n' })
    })

    test('ends its stdin and still gets what the command answers', async () => {
      const exec = await prepare({ AttachStdin: true, Cmd: ['sh', '-c', 'cat; echo the end'] })
      const { wire } = await client.hijack(`/exec/${exec}/start`, how, { Detach: false, Tty: false })
      wire.write('hello\n')
      wire.halfClose()
      expect(demultiplex(await wire.rest()).stdout).toBe('hello\nthe end\n')
    })
  })

  test('repeats the whole configuration in start, as clients up to 1.9 do', async () => {
    const config = { User: '', Privileged: false, Tty: false, Container: 'any', Detach: false, Cmd: ['echo', 'again'] }
    const exec = await prepare(config)
    const { wire } = await client.hijack(`/exec/${exec}/start`, 'upgrade', { ...both, ...config })
    expect(demultiplex(await wire.rest()).stdout).toBe('again\n')
  })

  test('resizes the terminal of a running command', async () => {
    const exec = await prepare({ AttachStdin: true, Tty: true, Cmd: ['sh', '-c', 'read x; stty size'] })
    const { wire } = await client.hijack(`/exec/${exec}/start`, 'upgrade', { Detach: false, Tty: true })
    expect((await client.post(`/exec/${exec}/resize?h=21&w=71`)).status).toBe(200)
    wire.write('\n')
    await wire.through('21 71')
    wire.leave()
  })

  test('is told as an ordinary answer that there is no such exec', async () => {
    const { head, wire } = await client.hijack('/exec/nosuch/start', 'upgrade', { Detach: false, Tty: false })
    expect(head.status).toBe(404)
    wire.leave()
  })
})
