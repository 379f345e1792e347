import { expect, test } from 'vitest'
import { tarEntries } from '../../src/api/tar.ts'
import type { Reply } from './support/client.ts'
import { asLegacyClients, PODMAN, PODMAN_4_3, PODMAN_5_8 } from './support/suites.ts'
import { tar } from './support/tar.ts'

function namesIn({ status, said, bytes }: Reply): string[] {
  if (status !== 200 || bytes.length === 0) throw new Error(`no archive: ${said}`)
  return [...tarEntries(bytes)].map(({ header }) => header.toString('latin1', 0, 100).replace(/\/?\0.*/s, ''))
}

const Cmd = ['sh', '-c', 'mkdir -p /data/d; echo x >/data/d/f']

await asLegacyClients({ [PODMAN]: ['1.18'] }, ({ client, own }) => {
  test('copies the volume of a stopped container by its name with POST copy', async () => {
    const id = await client.finish({ Cmd, HostConfig: { Binds: [`${own('copied')}:/data`] } })
    const reply = await client.post(`/containers/${id}/copy`, { Resource: '/data' })
    expect(namesIn(reply)).toEqual(['data', 'data/d', 'data/d/f'])
  })
})

await asLegacyClients({ [PODMAN_4_3]: ['1.41'], [PODMAN]: ['1.41'], [PODMAN_5_8]: ['1.44'] }, ({ client, own }) => {
  test.each([{}, { HostConfig: { Binds: [`${own('data')}:/data`] } }])(
    'copies a directory, and what is in it, with the names of Docker where it is %j',
    async (more) => {
      const id = await client.finish({ Cmd, WorkingDir: '/usr', ...more })
      const whole = await client.get(`/containers/${id}/archive?path=data`)
      expect(namesIn(whole)).toEqual(['data', 'data/d', 'data/d/f'])
      const inside = await client.get(`/containers/${id}/archive?path=/data/.`)
      expect(namesIn(inside)).toEqual(['.', './d', './d/f'])
    },
  )

  test('writes neither into a read-only mount of a stopped container nor into a directory that is not there', async () => {
    const Binds = [`${own('kept')}:/data:ro`]
    const id = await client.create({ Cmd: ['true'], HostConfig: { Binds } })
    const put = (path: string, parameter = 'path') =>
      client.put(`/containers/${id}/archive?${parameter}=${path}`, {
        bytes: tar({ f: 'x' }),
        type: 'application/x-tar',
      })
    expect((await put('/data')).said).toMatch(/^500 .*mounted volume is marked read-only/)
    expect((await put('/data', 'Path')).said).toMatch(/^400 .*path cannot be empty/) // Podman would read it
    expect((await put('/nosuch/a')).said).toMatch(/^404 .*Could not find the file \/nosuch\/a in container/)
    expect((await put('/tmp')).status).toBe(200)
    const found = ['/data/f', '/nosuch', '/tmp/f'].map((path) =>
      client.call('HEAD', `/containers/${id}/archive?path=${path}`),
    )
    expect((await Promise.all(found)).map(({ status }) => status)).toEqual([404, 404, 200])
  })
})
