import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, eventually, RawConnection } from '../support/client.ts'
import { Viewer } from './support.ts'

/** Secrets, each in another place of a call; none may appear in any output. */
const planted = (place: string): string => `planted-${place}-7f3a9c`

const REGISTRY = Buffer.from(JSON.stringify({ username: 'u', password: planted('registry') })).toString('base64')

const BODY = JSON.stringify({
  Image: 'busybox',
  Env: [`TOKEN=${planted('env')}`, `PLAIN=${planted('plain-env')}`],
  Labels: { 'api-token': planted('label') },
  Cmd: ['login', '--password', planted('argument')],
  HostConfig: { LogConfig: { Type: 'splunk', Config: { 'splunk-token': planted('option') } } },
})

/** An answer of the engine that quotes the request. */
const QUOTES = JSON.stringify({
  Id: 'c1',
  Warnings: [`took ${planted('plain-env')} from the request`, `https://user:${planted('url')}@registry/x`],
  Config: { Env: [`TOKEN=${planted('env')}`] },
})

describe('secrets in the inspector', () => {
  const stage = stages()

  it('are in none of its output, wherever they were in a call and in whatever pieces they came', async () => {
    const { bridge, socket } = await stage(
      {
        onRequest: (req, res) => {
          res.setHeader('Content-Type', 'application/json')
          res.setHeader('X-Auth-Token', planted('answer-header'))
          if (req.url?.includes('/create')) res.statusCode = 201
          if (req.url?.includes('/logs')) {
            res.setHeader('Content-Type', 'text/plain')
            const lines = `start\npassword=${planted('log')}\n-----BEGIN RSA PRIVATE KEY-----\n${planted('key')}\n${planted('key2')}\n-----END RSA PRIVATE KEY-----\nhttps://u:${planted('log-url')}@host/\nprompt: `
            for (const character of lines) res.write(character)
            setTimeout(() => res.end(), 100)
            return
          }
          if (req.url?.includes('/build')) {
            res.write(`{"stream":"Step 2/9 : ENV FOO=${planted('step')}\\n"}\n`)
            res.write(`{"stream":"using ${planted('build-arg')}\\n"}\n`)
            res.end(`{"id":"moby.buildkit.trace","aux":"${Buffer.from(planted('trace')).toString('base64')}"}\n`)
            return
          }
          if (req.url?.includes('/nosuch')) {
            res.statusCode = 500
            res.end(JSON.stringify({ message: `no such thing: password=${planted('error')}` }))
          } else res.end(QUOTES)
        },
        onUpgrade: (_req, connection) => {
          connection.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
          for (const character of `TOKEN=${planted('output')}\r\n`) connection.write(character)
          connection.on('data', () => connection.write('ok\n'))
          connection.on('end', () => connection.end())
        },
      },
      ['--inspect', 'tcp://127.0.0.1:0'],
    )
    const viewer = new Viewer(bridge.inspect)
    const feed = viewer.feed()
    for (const version of ['1.22', '1.44'])
      await call(socket, `/v${version}/containers/create?name=web&nosuch=${planted('parameter')}`, {
        method: 'POST',
        body: BODY,
        headers: { 'X-Registry-Auth': REGISTRY, Cookie: planted('cookie'), 'X-Api-Key': planted('header') },
      })
    await call(socket, `/v1.44/containers/nosuch/json`)
    await call(socket, `/v1.44/images/https:%2F%2Fu:${planted('path')}@registry%2Fx/json`)
    await call(socket, `/v1.10/info?token=${planted('refused')}`, {
      headers: { Authorization: `Bearer ${planted('bearer')}` },
    })
    await call(socket, '/v1.44/containers/web/logs?follow=1&stdout=1')
    const args = encodeURIComponent(JSON.stringify({ VERSION: planted('build-arg') }))
    await call(socket, `/v1.24/build?buildargs=${args}`, { method: 'POST', headers: { 'Content-Length': '0' } })
    const tunnel = new RawConnection(socket)
    tunnel.send(
      'POST /v1.44/containers/web/attach?stream=1 HTTP/1.1\r\nHost: d\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n',
    )
    await tunnel.until((text) => text.includes('TOKEN'))
    tunnel.send(`${planted('typed')}\n`)
    await tunnel.until((text) => text.includes('ok'))

    const calls = await viewer.calls()
    expect(calls.length).toBe(8)
    const served = [
      JSON.stringify(calls),
      ...(await Promise.all(calls.map(({ id }) => viewer.details(id).then((details) => JSON.stringify(details))))),
      (await viewer.ask('/api/har')).text,
      (await viewer.ask('/api/recording')).text,
    ]
    tunnel.finish()
    await eventually(() => tunnel.ended, 'the tunnel ends')
    await eventually(() => feed.text().includes('"id":8'), 'the feed has them all')
    feed.leave()
    for (const text of [...served, feed.text()]) {
      expect(text).not.toMatch(/planted-[\w-]*-7f3a9c/)
      expect(text).not.toContain(REGISTRY)
      expect(text).not.toContain(Buffer.from(planted('trace')).toString('base64').slice(0, 12))
    }
    // The text around the secrets is there: the inspector removes nothing else.
    const all = served.join('\n')
    for (const seen of ['start', 'prompt:', '[redacted]', 'Step 2/9', 'busybox', 'TOKEN=', 'no such thing'])
      expect(all).toContain(seen)
  })

  it('are not shown while they come piece by piece', async () => {
    const pieces = ['the token is ', 'TOKEN=', 'plan', 'ted-slow', '-7f3a9c', ' and more', '\n']
    const go: (() => void)[] = []
    const { bridge, socket } = await stage(
      {
        onRequest: (_req, res) => {
          res.setHeader('Content-Type', 'text/plain')
          res.flushHeaders()
          for (const piece of pieces) go.push(() => res.write(piece))
          go.push(() => res.end())
        },
      },
      ['--inspect', 'tcp://127.0.0.1:0'],
    )
    const viewer = new Viewer(bridge.inspect)
    const logs = new RawConnection(socket)
    logs.send('GET /v1.44/containers/web/logs?follow=1&stdout=1 HTTP/1.1\r\nHost: d\r\nConnection: close\r\n\r\n')
    await eventually(() => go.length > 0, 'the engine is asked')
    let sent = ''
    for (const [i, piece] of pieces.entries()) {
      go[i]?.()
      sent += piece
      await logs.until((text) => decoded(text).includes(sent))
      const { clientResponse } = await viewer.details(1)
      expect(clientResponse?.stream?.text ?? '').not.toMatch(/plan|ted-slow|7f3a9c/)
    }
    expect((await viewer.details(1)).clientResponse?.stream?.text).toBe('the token is TOKEN=[redacted] and more\n')
    go.at(-1)?.()
    await logs.untilEnd()
  })
})

/** The body of a chunked response without its framing. */
const decoded = (text: string): string => text.replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, '').replaceAll('\r\n', '')
