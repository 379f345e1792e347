import type http from 'node:http'
import { expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call } from '../support/client.ts'

const stage = stages()

// libcompose pins 1.20 and sends build arguments: engines that have them obey them at every prefix.
it('keeps the arguments and the labels of a build whose client pins a version without them', async () => {
  const asked: string[] = []
  const onRequest: http.RequestListener = (req, res) => {
    asked.push(req.url ?? '')
    req.resume().on('end', () => res.setHeader('Content-Type', 'application/json').end('{"stream":"ok"}\n'))
  }
  const { socket } = await stage({ onRequest })
  const query = new URLSearchParams({ buildargs: '{"A":"1"}', labels: '{"a":"b"}' })
  await call(socket, `/v1.20/build?${query}`, { method: 'POST' })
  const sent = new URL(asked.find((path) => path.includes('/build')) ?? '', 'http://engine').searchParams
  expect([sent.get('buildargs'), sent.get('labels')]).toEqual(['{"A":"1"}', '{"a":"b"}'])
})
