import { beforeAll, expect, test } from 'vitest'
import { asLegacyClients, CORNERS } from './support/suites.ts'
import { tar, untar } from './support/tar.ts'

await asLegacyClients(CORNERS, ({ client }) => {
  let id = ''
  beforeAll(async () => {
    id = await client.finish({ Cmd: ['sh', '-c', 'echo content > /newfile'] })
  })

  test('copies a file out with POST copy', async () => {
    const reply = await client.post(`/containers/${id}/copy`, { Resource: '/newfile' })
    expect(reply.status).toBe(200)
    expect(untar(reply.bytes)).toEqual({ newfile: 'content\n' })
  })

  test('is told that there is no container to copy from', async () => {
    const reply = await client.post('/containers/nosuch/copy', { Resource: '/newfile' })
    expect(reply.status).toBe(404)
  })

  test('exports the whole filesystem', async () => {
    const reply = await client.get(`/containers/${id}/export`)
    expect(reply.status).toBe(200)
    expect(untar(reply.bytes)['newfile']).toBe('content\n')
  })

  if (client.minor >= 20)
    test('gets an archive', async () => {
      const reply = await client.get(`/containers/${id}/archive?path=/newfile`)
      expect(untar(reply.bytes)).toEqual({ newfile: 'content\n' })
    })

  if (client.minor >= 20)
    test('asks what is at a path', async () => {
      const reply = await client.call('HEAD', `/containers/${id}/archive?path=/newfile`)
      const stat: unknown = JSON.parse(
        Buffer.from(reply.head.headers['x-docker-container-path-stat'] ?? '', 'base64').toString(),
      )
      expect(stat).toMatchObject({ name: 'newfile', size: 8 })
    })

  if (client.minor >= 20)
    test('puts an archive, in chunks and as text/plain as old clients do', async () => {
      const bytes = tar({ 'put.txt': 'put here\n' })
      const put = await client.put(`/containers/${id}/archive?path=/tmp`, { bytes, type: 'text/plain', chunked: true })
      expect(put.said).toBe('200 ')
      const back = await client.get(`/containers/${id}/archive?path=/tmp/put.txt`)
      expect(untar(back.bytes)).toEqual({ 'put.txt': 'put here\n' })
    })
})
