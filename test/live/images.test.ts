import { expect, test } from 'vitest'
import { asLegacyClients, CORNERS } from './support/suites.ts'
import { tar } from './support/tar.ts'

await asLegacyClients(CORNERS, ({ client, own }) => {
  const repository = `live/${own('image')}`

  test('lists the images with their virtual size', async () => {
    const list = (await client.get('/images/json')).json()
    const busybox = { RepoTags: expect.arrayContaining(['busybox:latest']), VirtualSize: expect.any(Number) }
    expect(list).toContainEqual(expect.objectContaining(busybox))
  })

  test('inspects an image with its container configuration', async () => {
    const reply = await client.get('/images/busybox/json')
    expect(reply.json()).toMatchObject({ Config: { Cmd: ['sh'] }, ContainerConfig: expect.anything() })
    expect(reply.at('VirtualSize')).toBe(reply.at('Size'))
  })

  test('reads the history of an image', async () => {
    const reply = await client.get('/images/busybox/history')
    expect(reply.at(0)).toMatchObject({ Tags: expect.arrayContaining(['busybox:latest']), Size: expect.any(Number) })
  })

  test('tags an image and takes the tag off again', async () => {
    const tagged = await client.post(`/images/busybox/tag?repo=${repository}&tag=one&force=0`)
    expect(tagged.said).toBe('201 ')
    const untagged = await client.delete(`/images/${repository}:one`)
    expect(untagged.json()).toEqual([{ Untagged: `${repository}:one` }])
  })

  test('commits a container', async () => {
    const id = await client.create({ Cmd: ['true'] })
    const committed = await client.post(`/commit?container=${id}&repo=${repository}&tag=ci&comment=cc&author=me`, {})
    expect(committed.said).toMatch(/^201 /)
    const image = await client.get(`/images/${repository}:ci/json`)
    expect(image.json()).toMatchObject({ Author: 'me', Comment: 'cc' })
  })

  test('commits with a command that is one string', async () => {
    const id = await client.create({ Cmd: ['true'] })
    const committed = await client.post(`/commit?container=${id}&repo=${repository}&tag=cmd`, { Cmd: 'date' })
    expect(committed.said).toMatch(/^201 /)
    expect((await client.get(`/images/${repository}:cmd/json`)).at('Config', 'Cmd')).toEqual(['date'])
  })

  test('imports a tar in chunks', async () => {
    const bytes = tar({ hello: 'world\n' })
    const path = `/images/create?fromSrc=-&repo=${repository}&tag=imp`
    const reply = await client.call('POST', path, { bytes, type: 'text/plain', chunked: true })
    expect(reply.said).toMatch(/^200 \{"status":"[^"]+"\}/)
    expect((await client.get(`/images/${repository}:imp/json`)).status).toBe(200)
  })

  test('saves an image and loads it again, which answers nothing', async () => {
    await client.post(`/images/busybox/tag?repo=${repository}&tag=saved`)
    const saved = await client.get(`/images/${repository}:saved/get`)
    expect(saved.status).toBe(200)
    await client.delete(`/images/${repository}:saved`)
    const loaded = await client.call('POST', '/images/load', { bytes: saved.bytes, type: 'application/x-tar' })
    expect(loaded.said).toBe('200 ')
    expect((await client.get(`/images/${repository}:saved/json`)).status).toBe(200)
  })

  test('is told that there is no such image in the words that make clients pull it', async () => {
    const reply = await client.post('/containers/create', { Image: 'nosuchimage', Cmd: ['true'] })
    const words = client.minor < 21 ? 'nosuchimage (tag: latest)' : 'nosuchimage:latest' // recorded: create-image404
    expect(reply.said).toBe(`404 No such image: ${words}\n`)
  })
})
