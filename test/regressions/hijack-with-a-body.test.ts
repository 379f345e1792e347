import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { RawConnection } from '../support/client.ts'

/**
 * dockerode sends its options as the body of attach, which Podman took for the container's input; and it opens a
 * session with `Transfer-Encoding: chunked` and nothing but the last chunk, which the bridge refused.
 */
const HEAD = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'
const ask = (path: string, protocol: string, headers: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${headers}\r\n`

describe('a connection taken over by a request with a body that means nothing', () => {
  const stage = stages()
  const echo = async (request: string): Promise<string> => {
    const { socket } = await stage({
      onUpgrade: (req, duplex, head) => {
        duplex.write(`${HEAD}${req.headers['content-length'] ?? 'no'} body;`)
        if (head.length > 0) duplex.write(head)
        duplex.on('data', (chunk) => duplex.write(chunk))
      },
    })
    const client = new RawConnection(socket)
    client.send(request)
    const text = await client.until((seen) => seen.endsWith('over'))
    client.socket.destroy()
    return text.slice(text.indexOf('\r\n\r\n') + 4)
  }

  it('does not carry the body of an attach into the stream', async () => {
    const headers = 'Content-Type: application/json\r\nContent-Length: 15\r\n'
    const request = `${ask('/v1.44/containers/x/attach?stdin=1', 'tcp', headers)}{"stream":true}hello over`
    expect(await echo(request)).toBe('0 body;hello over')
  })

  it('takes the last chunk of a session’s empty body off the stream', async () => {
    const request = `${ask('/v1.44/session', 'h2c', 'Transfer-Encoding: chunked\r\n')}0\r\n\r\nhello over`
    expect(await echo(request)).toBe('0 body;hello over')
  })

  it('leaves the stream alone when no chunk follows', async () => {
    const request = `${ask('/v1.44/containers/x/attach', 'tcp', 'Transfer-Encoding: chunked\r\n')}hello over`
    expect(await echo(request)).toBe('0 body;hello over')
  })
})
