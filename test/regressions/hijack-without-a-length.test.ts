import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { eventually, RawConnection } from '../support/client.ts'

/** node:http gave a POST without Content-Length the chunked coding, and Podman took its last chunk for the container's input. */
describe('an attach without Content-Length', () => {
  const stage = stages()

  it('reaches the engine with a length of 0 and with nothing before the client’s own bytes', async () => {
    let got = ''
    const lengths: (string | undefined)[] = []
    const { socket } = await stage({
      onUpgrade: (req, duplex, head) => {
        lengths.push(req.headers['content-length'], req.headers['transfer-encoding'])
        got += head
        duplex.on('data', (chunk) => {
          got += chunk
        })
        duplex.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
      },
    })
    const client = new RawConnection(socket)
    client.send('POST /v1.44/containers/x/attach HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    await client.until((text) => text.endsWith('\r\n\r\n'))
    client.send('input')
    await eventually(() => got.length >= 5, 'the input arrives')
    expect([got, lengths]).toEqual(['input', ['0', undefined]])
    client.socket.destroy()
  })
})
