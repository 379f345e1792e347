import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

/**
 * Where nothing but the policy read a body, it went on as it came: what had been judged and what the engine made of it were
 * two readings of one text.
 */
describe('a member that is there twice, where only the policy reads the body', () => {
  const stage = stages()

  async function asked(body: string): Promise<{ readonly status: number; readonly sent: readonly string[] }> {
    const file = join(stage.folder(), 'policy.yaml')
    writeFileSync(file, 'rules:\n  preset: all\n  bodies:\n    base: strict\n')
    const sent: string[] = []
    const { socket } = await stage(
      {
        onRequest: async (req, res) => {
          const chunks: Buffer[] = []
          for await (const chunk of req) chunks.push(chunk)
          sent.push(Buffer.concat(chunks).toString())
          res.writeHead(201, { 'Content-Type': 'application/json' }).end('{}')
        },
      },
      ['--policy', file, '--validation', 'off'],
    )
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await call(socket, '/v1.51/volumes/create', { method: 'POST', headers, body })
    return { status, sent }
  }

  it.each([
    ['{"Name":"a","Driver":"evil","Driver":"local"}', '{"Name":"a","Driver":"local"}'],
    ['{"Driver":"local","driver":null}', '{"Driver":"local"}'],
    ['{"DriverOpts":{"type":"nfs"},"DriverOpts":{"type":"tmpfs"}}', '{"DriverOpts":{"type":"tmpfs"}}'],
    ['{"Dri\\u0076er":"evil","Driver":"local"}', '{"Driver":"local"}'],
  ])('is one when it goes out: %s', async (body, expected) => {
    expect(await asked(body)).toEqual({ status: 201, sent: [expected] })
  })

  it.each([
    '{"Driver":"local","Driver":"evil"}',
    '{"Driver":"local","dri\\u0076er":"evil"}',
    '{"DriverOpts":{"type":"tmpfs","o":"size=1m"},"DriverOpts":{"o":"upperdir=/etc"}}',
  ])('is judged as the engine would read it: %s', async (body) => {
    expect(await asked(body)).toEqual({ status: 403, sent: [] })
  })

  it('passes as it came where nothing is there twice', async () => {
    const body = '{ "Name" : "a", "Driver": "lo\\u0063al" }'
    expect(await asked(body)).toEqual({ status: 201, sent: [body] })
  })
})
