import net from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { portOf, stages } from '../support/bridge.ts'
import { eventually } from '../support/client.ts'

const stage = stages()

it('a wait that the bridge answers itself ends when its TCP client ends its side, as with an engine', async () => {
  let streams = 0
  const { bridge } = await stage(
    {
      version: { ApiVersion: '1.24', Version: '1.12.6', Os: 'linux', Arch: 'amd64' },
      onRequest: (req, res) => {
        res.setHeader('Content-Type', 'application/json')
        if (req.url?.includes('/events') !== true) return void res.end('{"Id":"c1","State":{"Running":true}}')
        streams++
        res.on('close', () => streams--).flushHeaders()
      },
    },
    ['--listen', 'tcp://127.0.0.1:0', '--announce-api', '1.40'],
  )
  const client = net.connect({ port: portOf(bridge), host: '127.0.0.1', allowHalfOpen: true })
  const received = text(client)
  client.write('POST /v1.40/containers/c1/wait?condition=removed HTTP/1.1\r\nHost: d\r\n\r\n')
  await eventually(() => streams > 0, 'the bridge follows the events')
  client.end()
  await eventually(() => streams === 0, 'the bridge follows the events no more')
  expect(await received).toMatch(/^HTTP\/1.1 200 OK\r\n/)
})
