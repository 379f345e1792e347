import { expect, test } from 'vitest'
import { Client } from './support/client.ts'
import { asLegacyClients, DOCKER_ENGINES, EVERY_PAIR, onEngines, withBridge } from './support/suites.ts'

await asLegacyClients(EVERY_PAIR, ({ client }) => {
  test('is told in its own words, as text, that there is no such container', async () => {
    const reply = await client.get('/containers/nosuch/json')
    expect(reply.type).toBe('text/plain; charset=utf-8')
    const words = client.minor < 22 ? 'no such id: nosuch' : 'No such container: nosuch' // recorded: inspect-404
    expect(reply.said).toBe(`404 ${words}\n`)
  })

  test('is told as text that its JSON is none', async () => {
    const bytes = Buffer.from('{bad')
    const reply = await client.call('POST', '/containers/create', { bytes, type: 'application/json' })
    expect(reply.type).toBe('text/plain; charset=utf-8')
    expect([400, 500]).toContain(reply.status) // 500 up to 20.10, which clients handle like 400
    expect(reply.text).toMatch(/invalid character 'b' looking for beginning of object key string\n$/)
  })

  test('is told as text that there is no such path', async () => {
    const reply = await client.get('/nope')
    expect(reply.type).toBe('text/plain; charset=utf-8')
    expect(reply.said).toMatch(/^404 (404 )?page not found\n$/)
  })
})

await onEngines(DOCKER_ENGINES, (engine) => {
  const { socket } = withBridge(engine)

  test.each(['1.23', '1.24', '1.41'])('an error for %s has the form of that version', async (version) => {
    const reply = await new Client(socket, version).get('/containers/nosuch/json')
    const json = Number(version.split('.')[1]) >= 24
    expect(reply.said).toBe(json ? '404 {"message":"No such container: nosuch"}\n' : '404 No such container: nosuch\n')
    expect(reply.type).toBe(json ? 'application/json' : 'text/plain; charset=utf-8')
  })

  test('an error without a prefix is JSON', async () => {
    const reply = await new Client(socket).get('/containers/nosuch/json')
    expect(reply.at('message')).toBe('No such container: nosuch')
  })

  test('a bind with options of a volume is refused below 1.42, as by the engines of that time', async () => {
    const Mounts = [{ Type: 'bind', Source: '/tmp', Target: '/mnt', VolumeOptions: { NoCopy: true } }]
    const made = await new Client(socket, '1.41').post('/containers/create', {
      Image: 'busybox',
      HostConfig: { Mounts },
    })
    const words = 'invalid mount config for type "bind": field VolumeOptions must not be specified'
    expect([made.status, made.at('message')]).toEqual([400, words])
  })

  test('a version newer than the engine is refused with 400 in words', async () => {
    const reply = await new Client(socket, '1.99').get('/info')
    expect(reply.status).toBe(400)
    expect(reply.at('message')).toMatch(/client version 1\.99 is too new\. Maximum supported API version is 1\.\d+/)
  })

  test('a version older than any engine had is refused with 400 in words', async () => {
    const reply = await new Client(socket, '1.1').get('/info')
    expect(reply.status).toBe(400)
    expect(reply.text).toMatch(/client version 1\.1 is too old\. Minimum supported API version is 1\.\d+/)
  })
})
