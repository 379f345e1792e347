import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()

const streamed = (records: readonly object[]) =>
  stage({
    onRequest: (req, res) => {
      const body = records.map((record) => `${JSON.stringify(record)}\r\n`).join('')
      req.resume().on('end', () => res.writeHead(200, { 'Content-Type': 'application/json' }).end(body))
    },
  })

it('a quiet build of a client of 1.21 shows its steps and the id, and not what the commands print', async () => {
  const lines = ['Step 1/2 : FROM a\n', ' ---> 0a\n', 'Step 2/2 : RUN b\n', ' ---> Running in 0b\n', 'hi\n']
  const { socket } = await streamed([...lines, ' ---> 0c\n', 'Successfully built 0c\n'].map((stream) => ({ stream })))
  const { text } = await call(socket, '/v1.21/build?q=1', { method: 'POST' })
  expect(text).toContain('Step 2 : RUN b')
  expect(text).toContain('Successfully built 0c')
  expect(text).not.toContain('hi')
})

it('a quiet load of a client of 1.24 ends with lines of text, or with 500', async () => {
  const good = await streamed([{ stream: 'Loaded image: a:1\n' }])
  const loaded = await call(good.socket, '/v1.24/images/load', { method: 'POST' })
  expect([loaded.status, loaded.text]).toEqual([200, 'Loaded image: a:1\n'])
  const bad = await streamed([{ stream: 'Loaded image: a:1\n' }, { error: 'no space left on device' }])
  const failed = await call(bad.socket, '/v1.24/images/load', { method: 'POST' })
  expect([failed.status, failed.text.trim()]).toEqual([500, 'no space left on device'])
})

it('a load of a client of 1.24 that asks for its progress gets records', async () => {
  const { socket } = await streamed([{ status: 'Loading layer' }, { error: 'no space left on device' }])
  const { status, text } = await call(socket, '/v1.24/images/load?quiet=0', { method: 'POST' })
  expect(status).toBe(200)
  expect(text.trim().split(/\r?\n/)).toHaveLength(2)
})

it('a load of a client of 1.22, which knows no parameter quiet, fails with 500 whatever it sends', async () => {
  const { socket } = await streamed([{ error: 'no space left on device' }])
  expect((await call(socket, '/v1.22/images/load?quiet=0', { method: 'POST' })).status).toBe(500)
})
