import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually } from '../support/client.ts'
import { Viewer } from './support.ts'

const API = ['/api/about', '/api/calls', '/api/calls/1', '/api/feed', '/api/har', '/api/recording', '/api/nosuch']

describe('who may look into the inspector', () => {
  const stage = stages()
  const open = async (): Promise<Viewer> =>
    new Viewer((await stage({}, ['--inspect', 'tcp://127.0.0.1:0'])).bridge.inspect)

  it.each(API)('%s asks for the token of this start', async (path) => {
    const viewer = await open()
    for (const Authorization of ['', 'Bearer', 'Bearer x', `Bearer ${'A'.repeat(43)}`, `Basic ${btoa('a:b')}`]) {
      const { status, headers, text } = await viewer.ask(path, { headers: { Authorization } })
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
      expect(text).toContain('the log of the bridge has the URL')
    }
  })

  it('has another token at every start', async () => {
    const [one, other] = [
      await stage({}, ['--inspect', 'tcp://127.0.0.1:0']),
      await stage({}, ['--inspect', 'tcp://127.0.0.1:0']),
    ]
    expect(one.bridge.inspect?.token).toMatch(/^[\w-]{43}$/)
    expect(other.bridge.inspect?.token).not.toBe(one.bridge.inspect?.token)
    expect(one.bridge.inspect?.url).toBe(
      `http://127.0.0.1:${one.bridge.inspect?.address.kind === 'tcp' ? one.bridge.inspect.address.port : ''}/#token=${one.bridge.inspect?.token}`,
    )
  })

  it.each([
    ['a name that an attacker may point here (DNS rebinding)', { Host: 'attacker.example' }],
    ['a page of another site', { Origin: 'https://attacker.example' }],
    ['a page without an origin', { Origin: 'null' }],
    ['a page of another port of this host', { Origin: 'http://127.0.0.1:1' }],
    ['another site, by its fetch metadata', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('refuses %s, the token notwithstanding', async (_, headers) => {
    const viewer = await open()
    for (const path of ['/', '/app.js', '/api/calls']) expect((await viewer.ask(path, { headers })).status).toBe(403)
  })

  it('serves its page to everybody who reaches it, with nothing of the calls in it, and no other file', async () => {
    const viewer = await open()
    const page = await viewer.ask('/', { headers: { Authorization: '' } })
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['cache-control']).toBe('no-store')
    for (const [, url = ''] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      expect((await viewer.ask(`/${url}`, { headers: { Authorization: '' } })).status).toBe(200)
    for (const path of ['/tsconfig.json', '/../hub.ts', '/%2e%2e/hub.ts', '/page/app.js', '/favicon.ico'])
      expect((await viewer.ask(path)).status).toBe(404)
  })

  it('opens from a link on another site, which can ask for nothing else', async () => {
    const viewer = await open()
    const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    expect((await viewer.ask('/', { headers })).status).toBe(200)
    for (const path of ['/app.js', '/api/calls']) expect((await viewer.ask(path, { headers })).status).toBe(403)
    for (const other of [{ Host: 'attacker.example' }, { Origin: 'https://attacker.example' }])
      expect((await viewer.ask('/', { headers: { ...headers, ...other } })).status).toBe(403)
  })

  it('lets sixteen look on, and one again when one has left', async () => {
    const viewer = await open()
    const feeds = Array.from({ length: 16 }, () => viewer.feed())
    const all = await Promise.all(feeds.map(({ res }) => res))
    expect(all.map(({ statusCode }) => statusCode)).toEqual(Array(16).fill(200))
    expect((await viewer.ask('/api/feed')).status).toBe(503)
    feeds[0]?.leave()
    let again = viewer.feed()
    let status = (await again.res).statusCode
    const until = performance.now() + 10_000
    while (status === 503 && performance.now() < until) {
      again = viewer.feed()
      status = (await again.res).statusCode
    }
    expect(status).toBe(200)
    for (const { leave } of [...feeds, again]) leave()
    await eventually(() => feeds.every(({ ended }) => ended()), 'all have left')
  })
})
