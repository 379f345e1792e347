import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stages } from '../support/bridge.ts'
import { call, listens, RawConnection } from '../support/client.ts'
import { NODE_FLAGS } from '../support/node-flags.ts'

const ROOT = join(import.meta.dirname, '../..')
const HOOK = join(ROOT, 'test/support/loaded-files.mjs')
const PROGRAMS = [
  ['from its sources', join(ROOT, 'src/main.ts')],
  ['as it is built', join(ROOT, 'node_modules/.cache/built/program/main.js')],
] as const

/** Names that only the library's own text has: in the built program it stands in some file or other. */
const MARKS = { undici: 'UND_ERR_HEADERS_TIMEOUT', 'http-proxy': 'createRightProxy' }

async function librariesIn(list: string): Promise<string[]> {
  const urls = (await readFile(list, 'utf8')).split('\n').filter((line) => line.startsWith('file:'))
  const files = [...new Set(urls)].map((url) => fileURLToPath(url))
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return Object.entries(MARKS)
    .filter(([, mark]) => texts.some((text) => text.includes(mark)))
    .map(([name]) => name)
}

describe.each(PROGRAMS)('a serving process %s', (how, program) => {
  const stage = stages()

  it.skipIf(!existsSync(program))(
    'loads http-proxy and node:http with the first attach/ws, and undici never',
    async () => {
      const { engine, folder } = await stage({
        onRequest: (_req, res) => res.end('[]'),
        onUpgrade: (_req, duplex) =>
          duplex.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
      })
      const [socket, list] = [join(folder, 'served.sock'), join(folder, 'loaded')]
      const places = [
        '--listen',
        `unix://${socket}`,
        '--engine',
        `unix://${engine.socket}`,
        '--state',
        join(folder, 'ids'),
      ]
      const quiet = ['--audit-log', 'off', '--log-level', 'error', '--grace', '0']
      const args = [...NODE_FLAGS, '--import', HOOK, program, 'serve', ...places, ...quiet]
      const child = spawn(process.execPath, args, {
        env: { ...process.env, LOADED_FILES: list },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const over = once(child, 'exit')
      try {
        await expect.poll(() => listens(socket), { timeout: 20_000 }).toBe(true)
        expect((await call(socket, '/v1.24/containers/json')).status).toBe(200)
        expect(await librariesIn(list)).toEqual([])
        const nodes = async (): Promise<string> => {
          child.kill('SIGUSR2')
          return readFile(list, 'utf8')
        }
        await expect.poll(nodes).toContain('NativeModule net\n')
        // Among the sources prom-client loads it, for what the bundle leaves out.
        if (how === 'as it is built') expect(await nodes()).not.toContain('NativeModule http\n')
        const client = new RawConnection(socket)
        client.send(
          'GET /v1.44/containers/x/attach/ws HTTP/1.1\r\nHost: docker\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
        )
        await client.until((text) => text.startsWith('HTTP/1.1 101 '))
        client.socket.destroy()
        expect(await librariesIn(list)).toEqual(['http-proxy'])
        await expect.poll(nodes).toContain('NativeModule http\n')
      } finally {
        child.kill()
        await over
      }
    },
  )
})
