import { describe, expect, it } from 'vitest'
import { escaped } from '../../src/config/text.ts'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'
import { engine28 } from '../support/scripted-engine.ts'

const ENGINE_1_12 = { ApiVersion: '1.24', MinAPIVersion: '1.12', Version: '1.12.6' }
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** `/tmp/%E9t%E9` came as `/tmp/%EF%BF%BDt%EF%BF%BD`: any plan with request steps wrote the whole query anew, as UTF-8. */
describe('a query whose call has steps', () => {
  const stage = stages()

  async function asked(path: string, options: Parameters<typeof call>[2], version = {}): Promise<string> {
    const { socket, engine } = await stage(
      {
        version: { ...engine28, ...version },
        onRequest: (req, res) => void req.resume().on('end', () => res.writeHead(200).end('[]')),
      },
      ['--announce-api', '1.44'],
    )
    await call(socket, path, options)
    expect(engine.seen).toHaveLength(1)
    return engine.seen[0] ?? ''
  }

  it.each([
    ['bytes that are no UTF-8', '/v1.24/containers/x/archive?path=/tmp/%E9t%E9'],
    ['a space as it came', '/v1.24/containers/x/archive?path=/a%20b+c&noOverwriteDirNonDir=1'],
    ['what nobody would escape, and what everybody would', "/v1.24/containers/x/archive?path=/%61!'()*~:,@"],
    ['parameters without a value, twice or empty', '/v1.24/containers/x/archive?&path=/a&path=/b&&x&y=&'],
    ['an escape that is none', '/v1.24/containers/x/archive?path=/tmp&x=%zz'],
    ['a semicolon', '/v1.24/containers/x/archive?path=/tmp;x=1'],
  ])('keeps %s, where no step touches it', async (_what, path) => {
    expect(await asked(path, { method: 'PUT', body: 'tar' })).toMatch(
      new RegExp(`^PUT /v1\\.\\d+${escaped(path.slice('/v1.24'.length))}$`),
    )
  })

  it('loses the one parameter that a step takes out, and nothing else', async () => {
    const path = '/containers/x/archive?a=%E9&copyUIDGID=1&path=/tmp/%E9t%E9&b=%ff+%7e'
    const left = '/containers/x/archive?a=%E9&path=/tmp/%E9t%E9&b=%ff+%7e'
    expect(await asked(`/v1.24${path}`, { method: 'PUT', body: 'tar' })).toMatch(new RegExp(`${escaped(left)}$`))
  })

  it('has the one parameter written anew that a step changes, at its place', async () => {
    const seen = await asked('/v1.30/containers/x/stop?a=%E9&t=&b=%FF&b=%FE', { method: 'POST' }, ENGINE_1_12)
    expect(seen).toMatch(/\/containers\/x\/stop\?a=%E9&t=10&b=%FF&b=%FE$/)
  })

  it('has what a step adds behind the others', async () => {
    const seen = await asked('/v1.24/images/json?a=%E9&filter=busybox&b=%FF+', {})
    expect(seen).toMatch(/\/images\/json\?a=%E9&b=%FF\+&filters=%7B%22reference%22[^&]*$/)
  })

  it('has the bytes of a form that came in the body', async () => {
    const body = Buffer.from('signal=%E9&x=a b\u00e9&y=#+%7e', 'latin1')
    const seen = await asked('/v1.44/containers/x/kill?b=%FF', { method: 'POST', headers: FORM, body })
    expect(seen).toMatch(/\/containers\/x\/kill\?signal=%E9&x=a%20b%E9&y=%23\+%7e&b=%FF$/)
  })

  it('keeps the other parameters of a build whose file is called as in the specification', async () => {
    const seen = await asked('/v1.44/build?a=%E9&enginefile=%E9&b=%FF', { method: 'POST', body: 'tar' })
    expect(seen).toMatch(/\/build\?a=%E9&dockerfile=%E9&b=%FF$/)
  })
})
