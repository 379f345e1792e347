import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import { succeed } from '../clients/command.ts'
import { ENGINE_SCRIPT, endEngines, engineScript } from './support/engine-script.ts'

const { missing, required } = inject('live')

describe.skipIf(missing !== undefined && !required)(
  'in a container, whose /etc/resolv.conf is a mount of its own,',
  () => {
    const folder = mkdtempSync(join(inject('live').folder, 'script-'))
    const socket = join(folder, 'e.sock')
    afterEach(() => endEngines((one) => one === socket))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    test.each([
      ['its own', 'asks a name server that is nowhere', 'nameserver 192.0.2.53\n'],
      ['host', 'asks the name servers that this names', 'nameserver 127.0.0.11\nsearch example.com\n'],
    ])(
      'an engine in %s network %s',
      async (network, _, expected) => {
        const names = join(folder, 'resolv.conf')
        writeFileSync(names, 'nameserver 127.0.0.11\nsearch example.com\n')
        const script = 'mount --bind "$1" /etc/resolv.conf; exec "$2" up 20.10 "$3"'
        const env = { ...process.env, ENGINE_DATA: 'memory', ENGINE_NET: network }
        await succeed('unshare', ['--mount', 'bash', '-euc', script, 'bash', names, ENGINE_SCRIPT, socket], env)
        const line = (await engineScript('list')).split('\n').find((one) => one.startsWith(`${socket} `))
        const pid = line?.split(' ')[2] ?? ''
        const seen = await succeed('nsenter', ['--mount', '--target', pid, 'cat', '/etc/resolv.conf'], process.env)
        expect(seen).toBe(expected)
      },
      120_000,
    )
  },
)
