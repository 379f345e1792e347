import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, demultiplex } from './support/client.ts'
import { registryFor } from './support/registry-process.ts'
import { onEngines, withBridge } from './support/suites.ts'

/** Free in every engine's own network. */
const PORT = 5099
const FROM = `127.0.0.1:${PORT}/run`

await onEngines(['20.10'], (engine) => {
  describe.each([['engine'], ['spec']])('with the profile %s', (profile) => {
    const { socket } = withBridge(engine, ['--profile', profile, '--api-cors-header', '*'])

    describe('the run command of the specification (1, point 8)', () => {
      let close = (): void => undefined
      beforeAll(async () => {
        close = await registryFor(engine.socket, PORT)
      })
      afterAll(() => close())

      test.each(['1.18', '1.22'])('works as written for a client of %s', async (version) => {
        const client = new Client(socket, version)
        const image = `${FROM}-${profile}:v${version.slice(2)}`
        // It stays until it has been attached to: to what has ended nothing more comes, not even the end.
        const script = 'trap "exit 3" USR1; echo hello; while :; do sleep 0.1; done'
        const config = { Image: image, Cmd: ['sh', '-c', script], AttachStdout: true }
        expect((await client.post('/containers/create', config)).status).toBe(404)
        const [name, tag] = [image.slice(0, image.lastIndexOf(':')), image.slice(image.lastIndexOf(':') + 1)]
        const pulled = await client.post(`/images/create?fromImage=${encodeURIComponent(name)}&tag=${tag}`)
        expect([pulled.status, pulled.text]).toEqual([200, expect.stringContaining('"status":"Status: ')])
        const created = await client.post('/containers/create', config)
        expect(created.said).toMatch(/^201 .*"Id"/)
        const id = String(created.at('Id'))
        expect((await client.post(`/containers/${id}/start`)).status).toBe(204)
        const { head, wire } = await client.hijack(`/containers/${id}/attach?logs=1&stream=1&stdout=1`, 'upgrade')
        expect(head.status).toBe(101)
        const said = await wire.through('hello\n')
        expect(demultiplex(said).stdout).toBe('hello\n')
        expect((await client.post(`/containers/${id}/kill?signal=USR1`)).status).toBe(204)
        expect(await wire.rest()).toHaveLength(0)
        expect((await client.post(`/containers/${id}/wait`)).said).toMatch(/"StatusCode":3/)
        expect((await client.delete(`/containers/${id}`)).status).toBe(204)
        expect((await client.delete(`/images/${image}`)).status).toBe(200)
      })
    })

    describe('exec, logs, archive and names', () => {
      const spec = profile === 'spec'
      const client = new Client(socket, '1.22')
      let id = ''
      beforeAll(async () => {
        id = await client.run({ Tty: true, Cmd: ['sh', '-c', 'echo hi; sleep 600'] })
      })
      afterAll(() => client.delete(`/containers/${id}?force=1`))

      test('exec: Warnings of a create, status of a resize, the exit code while it runs', async () => {
        const created = await client.post(`/containers/${id}/exec`, { Cmd: ['sleep', '600'], Tty: true })
        expect(created.at('Warnings')).toEqual(spec ? [] : undefined)
        const exec = `/exec/${String(created.at('Id'))}`
        expect((await client.post(`${exec}/start`, { Detach: true, Tty: true })).status).toBe(200)
        expect((await client.post(`${exec}/resize?h=20&w=70`)).status).toBe(spec ? 201 : 200)
        expect((await client.get(`${exec}/json`)).at('ExitCode')).toBe(spec ? 0 : null)
        const old = await new Client(socket, '1.21').get(`${exec}/json`)
        expect(old.type).toBe(spec ? 'plain/text' : 'application/json')
        expect(old.at('Container', 'ID')).toBe(id)
      })

      test('a string is a command of an exec only where the specification is followed', async () => {
        const { status } = await client.post(`/containers/${id}/exec`, { Cmd: 'true' })
        expect(status === 201).toBe(spec)
      })

      test('logs with an upgrade: 101 where the specification is followed', async () => {
        const wire = client.send('GET', `/containers/${id}/logs?stdout=1`, {
          headers: { Connection: 'Upgrade', Upgrade: 'tcp' },
        })
        const head = await wire.head()
        expect(head.status).toBe(spec ? 101 : 200)
        expect(head.headers['content-type']).toBe(spec ? 'application/vnd.engine.raw-stream' : undefined)
        if (spec) expect((await wire.rest()).toString()).toBe('hi\r\n')
        else expect((await wire.through('0\r\n\r\n')).toString()).toBe('4\r\nhi\r\n\r\n0\r\n\r\n')
      })

      test('archive: the stat under its names, mistakes as 400 in JSON', async () => {
        const { head } = await client.call('HEAD', `/containers/${id}/archive?path=/etc/passwd`)
        const stat = head.headers['x-docker-container-path-stat']
        expect(stat).toMatch(/^ey/)
        expect(head.headers['x-engine-container-path-stat']).toBe(spec ? stat : undefined)
        const mistaken = await client.put(`/containers/${id}/archive?path=/etc/passwd`, { bytes: Buffer.alloc(1024) })
        expect([mistaken.status, mistaken.type]).toEqual(
          spec ? [400, 'application/json'] : [500, 'text/plain; charset=utf-8'],
        )
      })

      test('names and members of images, info and version', async () => {
        const old = new Client(socket, '1.18')
        const members = Object.keys(Object((await old.get('/images/busybox/json')).json()))
        if (spec) expect(members.sort()).toEqual(['Container', 'ContainerConfig', 'Created', 'Id', 'Parent', 'Size'])
        else expect(members).toContain('DockerVersion')
        const info = await client.get('/info')
        expect([info.at('EngineRootDir') !== undefined, info.at('DockerRootDir') !== undefined]).toEqual([spec, !spec])
        expect((await client.get('/version')).at('Experimental')).toBe(spec ? false : undefined)
        const [listed] = Object((await client.get('/images/json')).json())
        expect(Object.hasOwn(listed, 'RepoDigests')).toBe(!spec)
      })

      test('origins are allowed on answers and preflights', async () => {
        for (const { head } of [await client.get('/info'), await client.call('OPTIONS', '/containers/create')]) {
          expect(head.status).toBe(200)
          expect(head.headers['access-control-allow-origin']).toBe('*')
        }
      })
    })
  })
})
