import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'

// A client that writes its input and ends its side before the engine has answered the upgrade (`echo x | docker exec -i`
// over a slow engine, docker-py's old hijack): net.Socket had emitted `end` by the time the tunnel was joined, nobody
// passed it on, and `cat` on the engine waited for ever.
describe('a client that ends its side before the tunnel is open', () => {
  const stage = stages()
  const HEAD_101 = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'

  it.each([
    ['with Upgrade', 'Connection: Upgrade\r\nUpgrade: tcp\r\n'],
    ['without Upgrade', ''],
  ])('has its end passed on to the engine, %s', async (_how, headers) => {
    const { socket } = await stage({
      onUpgrade: (_req, duplex, head) => {
        let got = head.toString()
        duplex.on('data', (chunk) => {
          got += chunk
        })
        duplex.on('end', () => duplex.end(`[${got}]`))
        setTimeout(() => duplex.write(HEAD_101), 100)
      },
    })
    const client = new RawConnection(socket)
    client.send(`POST /v1.22/containers/x/attach?stdin=1 HTTP/1.1\r\nHost: docker\r\n${headers}\r\nall of it`)
    client.finish()
    expect(await client.until((text) => text.endsWith(']'))).toMatch(/\[all of it\]$/)
  })

  it('gets a 400 when what it announced as body is not all there', async () => {
    const { socket } = await stage({})
    const client = new RawConnection(socket)
    client.send('POST /v1.44/exec/x/start HTTP/1.1\r\nHost: docker\r\nContent-Length: 20\r\n\r\n{"Tty"')
    client.finish()
    expect(await client.until((text) => text.endsWith('\n'))).toMatch(/^HTTP\/1\.1 400 /)
  })
})
