import { expect, test } from 'vitest'
import { demultiplex } from './support/client.ts'
import { asLegacyClients, PODMAN, PODMAN_4_3, PODMAN_5_8 } from './support/suites.ts'

const CLIENTS = { [PODMAN_4_3]: ['1.41'], [PODMAN]: ['1.22', '1.41'], [PODMAN_5_8]: ['1.44'] }

await asLegacyClients(CLIENTS, ({ client }) => {
  test('gets the output of an exec framed where its start names no terminal, and raw where it does', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const outputOf = async (Tty: boolean): Promise<Buffer> => {
      const made = await client.post(`/containers/${id}/exec`, {
        AttachStdout: true,
        Tty: true,
        Cmd: ['echo', 'inside'],
      })
      const { wire } = await client.hijack(`/exec/${made.at('Id')}/start`, 'upgrade', { Detach: false, Tty })
      return wire.rest()
    }
    expect(demultiplex(await outputOf(false)).stdout).toBe('inside\r\n')
    expect((await outputOf(true)).toString()).toBe('inside\r\n')
  })

  test('gets no body of a detached exec', async () => {
    const id = await client.run({ Cmd: ['sleep', '600'] })
    const exec = (await client.post(`/containers/${id}/exec`, { Cmd: ['true'] })).at('Id')
    const { status, text } = await client.post(`/exec/${exec}/start`, { Detach: true })
    expect([status, text]).toEqual([200, ''])
  })
})
