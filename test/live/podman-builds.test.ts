import { expect, test } from 'vitest'
import { type Client, type Reply, records } from './support/client.ts'
import { asLegacyClients, PODMAN, PODMAN_4_3, PODMAN_5_8 } from './support/suites.ts'
import { tar } from './support/tar.ts'

const build = (client: Client, query: string, command: string): Promise<Reply> => {
  const bytes = tar({ Dockerfile: `FROM busybox\nRUN ${command}\n` })
  return client.call('POST', `/build?rm=1&${query}`, { bytes, type: 'application/tar', chunked: true })
}

await asLegacyClients({ [PODMAN_4_3]: ['1.41'], [PODMAN]: ['1.41'], [PODMAN_5_8]: ['1.44'] }, ({ client, own }) => {
  test('builds with all hosts that it is told', async () => {
    const { text } = await build(client, 'extrahosts=one:10.0.0.1&extrahosts=two:10.0.0.2&nocache=1', 'cat /etc/hosts')
    expect(text).toMatch(/10\.0\.0\.1\\t ?one/)
    expect(text).toMatch(/10\.0\.0\.2\\t ?two/)
  })

  test('builds without a network, and in none that Podman would ignore', async () => {
    const { text } = await build(client, 'networkmode=none&nocache=1', 'ls /sys/class/net')
    expect(text).toMatch(/\blo\b/)
    expect(text).not.toContain('eth0')
    expect((await build(client, 'networkmode=nosuch', 'true')).said).toMatch(/^400 .*in the network nosuch/)
  })

  test('is told what the command of a failed build ended with', async () => {
    for (const [command, words] of [
      ['sh -c "exit 3"', '/bin/sh -c sh -c "exit 3"'],
      ['["sh", "-c", "exit 3"]', 'sh -c exit 3'],
      ['true\nFROM busybox\nRUN ["sh", "-c", "exit 3"]', 'sh -c exit 3'],
    ] as const) {
      const message = `The command '${words}' returned a non-zero code: 3`
      const failed = records((await build(client, '', command)).text).at(-1)
      expect(failed).toEqual({ error: message, errorDetail: { code: 3, message } })
    }
  })

  test('loads several images, and is told each', async () => {
    const names = [own('one'), own('two')]
    // A tag more of busybox would let other tests remove one of its names.
    const container = await client.create({ Cmd: ['true'] })
    for (const name of names) await client.post(`/commit?container=${container}&repo=${name}&tag=1&comment=${name}`)
    const { bytes } = await client.get(`/images/get?names=${names[0]}:1&names=${names[1]}:1`)
    const told = records((await client.call('POST', '/images/load', { bytes, type: 'application/x-tar' })).text)
    const streams = names.map((name) => ({ stream: `Loaded image: docker.io/library/${name}:1\n` }))
    expect(told).toEqual(expect.arrayContaining(streams))
  })

  test('sees a time at which an image was tagged', async () => {
    const shown = await client.get('/images/busybox/json')
    expect(shown.at('Metadata', 'LastTagTime')).toBe(shown.at('Created'))
  })
})
