import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import http from 'node:http'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { onEngines } from './support/suites.ts'
import { layOut, Machine, until, whyNoSystemd } from './support/systemd.ts'

const SERVICE = 'enginebridge-takeover.service'
const LIMIT_MS = 300_000
const missing = whyNoSystemd()
if (missing !== undefined) process.stderr.write(`\n*** LIVE TESTS SKIPPED with systemd: ${missing} ***\n\n`)

/** The API version that `_ping` names at a socket, on a connection of its own. */
function announced(socketPath: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = http.get({ socketPath, path: '/_ping', agent: false, timeout: 60_000 }, (response) => {
    response.resume().on('end', () => resolve(String(response.headers['api-version'])))
    response.on('error', reject)
  })
  request.on('timeout', () => request.destroy(new Error('no answer within a minute'))).on('error', reject)
  return promise
}

/** Clients that come one after the other, some at a time, until they are ended: what became of each. */
function stream(socketPath: string): { end(): Promise<ReadonlyMap<string, number>>; answered(): number } {
  const outcomes = new Map<string, number>()
  let over = false
  const one = async (): Promise<void> => {
    while (!over) {
      const outcome = await announced(socketPath).catch((cause: NodeJS.ErrnoException) => cause.code ?? cause.message)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      await sleep(5)
    }
  }
  const all = Promise.all(Array.from({ length: 8 }, one))
  return {
    answered: () => outcomes.get('1.52') ?? 0,
    end: async () => {
      over = true
      await all
      return outcomes
    },
  }
}

await onEngines(['28.5'], (engine) => {
  describe.skipIf(missing !== undefined)('takeover on a machine that systemd runs', () => {
    let root = ''
    let machine: Machine
    const socket = (): string => machine.path('/run/docker.sock')
    const boot = async (): Promise<void> => {
      machine = await Machine.boot(root, [dirname(engine.socket)])
    }
    /** Every file of etc with its bytes and mode, what var/lib has, and the engine's sockets. */
    const files = (): string[] => [
      ...readdirSync(join(root, 'etc'), { recursive: true, withFileTypes: true }).map((one) => {
        const path = join(one.parentPath, one.name)
        const content = one.isSymbolicLink() ? readlinkSync(path) : one.isFile() ? readFileSync(path, 'utf8') : ''
        return `${relative(root, path)} ${lstatSync(path).mode} ${content}`
      }),
      ...readdirSync(join(root, 'var/lib')),
      ...readdirSync(machine.path('/run')).filter((name) => name.startsWith('docker')),
    ]

    beforeAll(async () => {
      root = join(mkdtempSync(join(inject('live').folder, 'systemd-')), 'root')
      mkdirSync(root)
      layOut(root, engine.socket)
      await boot()
    }, LIMIT_MS)
    afterAll(async () => {
      await machine?.cut() // if it came up
      rmSync(dirname(root), { recursive: true })
    })

    test(
      'leaves an engine that starts its socket, whether it ran in the takeover or not, and after undo',
      async () => {
        const aside = (): string => machine.path('/run/docker-engine.sock')
        for (const ran of [false, true]) {
          await machine.run('systemctl', ran ? 'start' : 'stop', 'docker.service')
          await machine.enginebridge('takeover', '--yes')
          if (ran) await machine.run('systemctl', 'restart', 'docker.service')
          expect([await announced(aside()), await announced(socket())]).toEqual(['1.51', '1.51'])
          if (!ran) await machine.run('systemctl', 'stop', 'docker.service')
          await machine.enginebridge('takeover', 'undo', '--yes')
          if (ran) await machine.run('systemctl', 'restart', 'docker.service')
          await until(() => announced(socket()).then(Boolean, () => false), 'the engine answers at its path')
        }
      },
      LIMIT_MS,
    )

    test(
      'serves at the engine’s path, also after kill -9 without a refused connection and after a reboot; undo leaves every file',
      async () => {
        const before = files()
        expect(await announced(socket())).toBe('1.51')
        await machine.enginebridge('takeover', '--yes', '--announce-api', '1.52')
        expect(await announced(socket())).toBe('1.52')

        const clients = stream(socket())
        const mainPid = (): Promise<string> => machine.run('systemctl', 'show', '-P', 'MainPID', SERVICE)
        const kills = 3
        for (let i = 0; i < kills; i++) {
          const [pid, had] = [await mainPid(), clients.answered()]
          await machine.run('kill', '-9', pid)
          await until(async () => !['0', pid].includes(await mainPid()), 'another bridge runs')
          await until(() => clients.answered() > had + 50, 'clients are answered again')
        }
        const outcomes = await clients.end()
        // A call that the killed bridge had taken is cut; at most eight are under way at a time.
        const {
          '1.52': answered = 0,
          ECONNRESET: reset = 0,
          EPIPE: broken = 0,
          ...others
        } = Object.fromEntries(outcomes)
        expect(others).toEqual({})
        expect(reset + broken).toBeLessThanOrEqual(kills * 8)
        expect(answered).toBeGreaterThan(kills * 50)

        await machine.cut()
        await boot()
        expect(await announced(socket())).toBe('1.52')
        expect(await announced(machine.path('/run/docker-engine.sock'))).toBe('1.51')

        await machine.enginebridge('takeover', 'undo', '--yes')
        expect(files()).toEqual(before)
        expect(await announced(socket())).toBe('1.51')
        await machine.cut()
        await boot()
        expect([await announced(socket()), files()]).toEqual(['1.51', before])
      },
      LIMIT_MS,
    )
  })
})
