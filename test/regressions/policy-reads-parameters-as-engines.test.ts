import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { translate } from '../../src/tools/library/library.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const MULTIPART = 'multipart/form-data'
const part = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`

/** Parameters that Go's net/http reads, of which the policy read other values or none. */
describe('a parameter that a policy forbids', () => {
  const stage = stages()
  const start = (bodies: string): ReturnType<typeof stage> => {
    const file = join(stage.folder(), 'policy.yaml')
    writeFileSync(file, `rules:\n  preset: all\n  bodies: { ${bodies} }\n`)
    const onRequest = (req: { resume(): unknown }, res: { end(text: string): void }): void => {
      req.resume()
      res.end('{}')
    }
    return stage({ onRequest }, ['--policy', file])
  }

  it.each([
    ['plainly', `${MULTIPART}; boundary=b`],
    ['in capitals, with a space before the semicolon', `${MULTIPART.toUpperCase()} ; boundary=b`],
    ['with a dotted I', Buffer.from(`mult\u0130part/form-data; boundary=b`).toString('latin1')],
    ['behind a no-break space', Buffer.from(`\u00a0${MULTIPART}; boundary=b`).toString('latin1')],
  ])('does not reach the engine in a build’s multipart form, said %s', async (_what, type) => {
    const { socket, engine } = await start('base: strict, new-images: allow')
    const headers = { 'Content-Type': type }
    const body = part('networkmode', 'host')
    const reply = await call(socket, '/v1.51/build?remote=http://h/x.tar', { method: 'POST', headers, body })
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('a multipart form in the body')])
    expect(engine.seen).not.toContainEqual(expect.stringContaining('/build'))
  })

  it('does not reach the engine in the multipart form of a GET, which Go reads too', async () => {
    const { socket, engine } = await start("container-paths: ['/srv']")
    const headers = { 'Content-Type': `${MULTIPART}; boundary=b` }
    const reply = await call(socket, '/v1.51/containers/x/archive', {
      method: 'GET',
      headers,
      body: part('path', '/etc'),
    })
    expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('a multipart form in the body')])
    expect(engine.seen).not.toContainEqual(expect.stringContaining('/archive'))
  })

  it.each([
    ['a tag that is none behind a second ?', '/v1.51/images/create??tag=1.2&fromImage=redis', 403],
    ['a tag behind one ?', '/v1.51/images/create?tag=1.2&fromImage=redis', 200],
  ])('is the one that the engine reads: %s', async (_what, path, status) => {
    const { socket, engine } = await start("images: ['redis:1.2']")
    expect((await call(socket, path, { method: 'POST' })).status).toBe(status)
    expect(engine.seen.filter((seen) => seen.includes('/images/create'))).toHaveLength(status === 200 ? 1 : 0)
  })
})

it('a path that the library translates keeps what stands behind a second ?', () => {
  const search = '?tag=1&fromSrc=http://h/x?a=b&repo=c'
  const path = `/v1.44/images/create?${search}`
  const options = { method: 'POST', path, client: '1.44', engine: '1.51', direction: 'request' } as const
  expect(translate(options).query).toBe(search)
})
