import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { requestText } from '../../src/http/engine/request.ts'
import { asHead, readRequestHead } from '../../src/http/message/head.ts'
import { forwardedHeaders } from '../../src/proxy/engine-side/engine-request.ts'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

const MB = 1 << 20
const HEADS = 8

/** Each look-up kept a copy in lower case: a followed stream whose head has 1 MiB held 4 of them, as long as it lasted. */
it('a head of 1 MiB is held once while its call lasts, also by what is forwarded of it', () => {
  const call = (): object[] => {
    const text = `GET /events HTTP/1.1\r\nHost: d\r\nAccept-Encoding: gzip\r\nX: ${'x'.repeat(MB)}\r\nConnection: close\r\n`
    const { headers } = readRequestHead(asHead(Buffer.from(text).toString('latin1')))
    const own = headers.copy()
    expect([headers.get('Expect'), own.get('User-Agent'), own.list('x').length]).toEqual([undefined, undefined, MB])
    const forwarded = forwardedHeaders(own)
    const written = requestText({ method: 'GET', path: '/events', headers: forwarded, body: null })
    expect(Buffer.from(written, 'latin1').length).toBeGreaterThan(MB)
    return [headers, own, forwarded]
  }
  call()
  gc()
  const before = process.memoryUsage().heapUsed
  const calls = Array.from({ length: HEADS }, call)
  gc()
  expect((process.memoryUsage().heapUsed - before) / HEADS).toBeLessThan(1.2 * MB)
  expect(calls.length).toBe(HEADS)
})

it('a look-up takes no longer where the value of another header repeats the name', () => {
  const { headers } = readRequestHead(asHead(`GET / HTTP/1.1\r\nHost: d\r\nX: ${'expect'.repeat(MB / 6)}\r\n`))
  const started = process.cpuUsage()
  for (let i = 0; i < 50; i++) headers.get('Expect')
  const { user, system } = process.cpuUsage(started)
  expect((user + system) / 1000).toBeLessThan(60)
})
