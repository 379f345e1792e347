import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { readConfig } from '../../src/proxy/settings/config.ts'
import { captured } from '../support/io.ts'
import { socketFolder } from '../support/scripted-engine.ts'

/** As the packages of docker.io and docker-ce have it. */
const DOCKER_SOCKET = `[Unit]
Description=Docker Socket for the API

[Socket]
ListenStream=/var/run/docker.sock
SocketMode=0660
SocketUser=root
SocketGroup=docker

[Install]
WantedBy=sockets.target
`

describe('takeover', () => {
  let root = ''
  let remove: () => Promise<void>
  let engine: http.Server
  const socket = (): string => join(root, 'run/docker.sock')
  const take = async (...args: string[]) => answering(undefined, ...args)
  const answering = async (answer: string | undefined, ...args: string[]) => {
    const io = captured(answer === undefined ? {} : { answer })
    return { code: await dispatch(['takeover', ...args, '--root', root], io), said: io.out() }
  }
  /** Every file with its bytes and mode, every folder, every socket. */
  const tree = (): string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .map((one) => join(one.parentPath, one.name))
      .map(
        (path) =>
          `${relative(root, path)} ${statSync(path).mode} ${statSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`,
      )
      .toSorted()
  const answers = (path: string): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    http
      .get({ socketPath: path, path: '/_ping' }, (res) => resolve(res.resume().statusCode === 200))
      .on('error', () => resolve(false))
    return promise
  }

  beforeEach(async () => {
    const made = await socketFolder()
    ;({ path: root, remove } = made)
    for (const folder of ['run', 'var/lib', 'etc/systemd/system', 'usr/lib/systemd/system'])
      mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, 'usr/lib/systemd/system/docker.socket'), DOCKER_SOCKET)
    engine = http.createServer((_req, res) => res.end('OK'))
    await new Promise<void>((resolve) => engine.listen(socket(), resolve))
  })
  afterEach(async () => {
    engine.closeAllConnections()
    await new Promise((resolve) => engine.close(resolve))
    await remove()
  })

  it('shows what it would do and the way back, and does nothing without --yes', async () => {
    const before = tree()
    const { code, said } = await take()
    expect([code, tree()]).toEqual([1, before])
    expect(said).toMatch(
      /rename the socket .*docker\.sock to .*docker-engine\.sock[\s\S]*takeover undo would[\s\S]*Nothing was done/,
    )
  })

  it.each(['n', '', 'yesterday', 'no, yes'])('does nothing when a person answers %j', async (answer) => {
    const before = tree()
    const { code, said } = await answering(answer)
    expect([code, tree()]).toEqual([1, before])
    expect(said).toMatch(/Do this\? \[y\/N\] Nothing was done\.\n$/)
  })

  it.skipIf(existsSync('/run/systemd/system'))('says what to do where systemd does not run the machine', async () => {
    const io = captured()
    expect(await dispatch(['takeover', '--yes'], io)).toBe(1)
    const [, flags = ''] = /enginebridge serve (.*)/.exec(io.out()) ?? []
    expect(readConfig(flags.split(' '), {})).toMatchObject({ 'socket-group': 'docker', engine: { kind: 'unix' } })
  })

  it('does it, and undoes it, when a person says yes', async () => {
    const before = tree()
    expect((await answering('Y')).code).toBe(0)
    expect(tree()).not.toEqual(before)
    expect((await answering(' yes', 'undo')).code).toBe(0)
    expect(tree()).toEqual(before)
  })

  it('moves the engine’s socket aside while it goes on listening, and undo leaves every byte as before', async () => {
    const before = tree()
    expect((await take('--yes', '--announce-api', '1.44')).code).toBe(0)
    expect([await answers(socket()), await answers(join(root, 'run/docker-engine.sock'))]).toEqual([false, true])
    mkdirSync(join(root, 'var/lib/enginebridge-takeover/x'), { recursive: true }) // what the bridge keeps
    expect((await take('undo')).code).toBe(1)
    expect((await take('undo', '--yes')).code).toBe(0)
    expect([await answers(socket()), tree()]).toEqual([true, before])
  })

  // It was overridden: the bridge forgot the containers that it had made again.
  it.each([
    ['a flag', (state: string) => ['--state', state]],
    [
      'a file of settings',
      (state: string) => {
        const file = join(root, 'settings.yaml')
        writeFileSync(file, `state: ${state}\n`)
        return ['--config', file]
      },
    ],
  ])('leaves the state where %s has it', async (_, said) => {
    expect((await take('--yes', ...said('/srv/state'))).code).toBe(0)
    const service = readFileSync(join(root, 'etc/systemd/system/enginebridge-takeover.service'), 'utf8')
    expect(service).not.toContain('/var/lib/enginebridge-takeover')
  })

  it('writes units that systemd takes, which listen where the engine did and start again whatever happens', async () => {
    await take('--yes', '--policy', 'read-only', '--api-cors-header', 'https://a.example/%20 "x"')
    const units = join(root, 'etc/systemd/system')
    const text = (name: string): string => readFileSync(join(units, name), 'utf8')
    expect(text('docker.socket.d/enginebridge-takeover.conf')).toMatch(
      /^ListenStream=\nListenStream=\/run\/docker-engine\.sock$/m,
    )
    expect(text('enginebridge-takeover.socket')).toMatch(
      /^ListenStream=\/run\/docker\.sock\nSocketMode=0660\nSocketUser=root\nSocketGroup=docker$/m,
    )
    expect(text('enginebridge-takeover.service')).toMatch(
      /"--engine" "unix:\/\/\/run\/docker-engine\.sock" "--state=\/var\/lib\/enginebridge-takeover" "--policy=read-only"/,
    )
    expect(text('enginebridge-takeover.service')).toMatch(/^StartLimitIntervalSec=0[\s\S]*^Restart=always$/m)
    const files = ['service', 'socket'].map((kind) => join(units, `enginebridge-takeover.${kind}`))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...files], {
      encoding: 'utf8',
    })
    if (verified.error !== undefined) process.stderr.write('\n*** NOT VERIFIED: no systemd-analyze here ***\n\n')
    else expect(verified.stderr.split('\n').filter((line) => line.includes('enginebridge-takeover'))).toEqual([])
  })

  it('starts the bridge where it was typed, so that --policy policy.yaml is that file', async () => {
    await take('--yes', '--policy', 'policy.yaml')
    const service = readFileSync(join(root, 'etc/systemd/system/enginebridge-takeover.service'), 'utf8')
    expect(service).toMatch(new RegExp(`^WorkingDirectory=-${process.cwd()}$`, 'm'))
  })

  it('takes over the socket unit of Podman, whose path begins with %t', async () => {
    writeFileSync(join(root, 'usr/lib/systemd/system/podman.socket'), '[Socket]\nListenStream=%t/docker.sock\n')
    expect((await take('--yes', '--unit', 'podman')).code).toBe(0)
    expect(await answers(join(root, 'run/docker-engine.sock'))).toBe(true)
  })

  it('lets systemd wait for longer than --grace: it killed the bridge after 30 seconds, whatever that said', async () => {
    await take('--yes', '--grace', '600')
    const service = readFileSync(join(root, 'etc/systemd/system/enginebridge-takeover.service'), 'utf8')
    expect(service).toMatch(/^TimeoutStopSec=622$/m)
  })

  it.each([
    ['etc/systemd/system/enginebridge-takeover.socket', 'already exists'],
    ['run/docker-engine.sock', 'already exists'],
    ['var/lib/enginebridge-takeover', 'already exists'],
  ])('does nothing where %s exists', async (path, reason) => {
    writeFileSync(join(root, path), '')
    const before = tree()
    await expect(take('--yes')).rejects.toThrow(`nothing was done: ${join(root, path)} ${reason}`)
    expect(tree()).toEqual(before)
  })

  it('undoes what was done when a step fails half-way', async () => {
    const before = tree()
    const blocked = join(root, 'etc/systemd/system/docker.socket.d')
    writeFileSync(blocked, '')
    await expect(take('--yes')).rejects.toThrow(/everything is as it was|not undone/)
    spawnSync('rm', [blocked])
    expect(tree()).toEqual(before)
  })

  it('does not undo what was changed since, and has no settings that it says itself', async () => {
    await take('--yes')
    const file = join(root, 'etc/systemd/system/docker.socket.d/enginebridge-takeover.conf')
    writeFileSync(file, `${readFileSync(file, 'utf8')}# mine\n`)
    await expect(take('undo', '--yes')).rejects.toThrow('was changed since')
    await expect(take('--listen', 'unix:///run/x.sock')).rejects.toThrow('sets --listen and --engine itself')
    await expect(take('--polcy', 'x')).rejects.toThrow('--polcy is not a flag')
  })
})
