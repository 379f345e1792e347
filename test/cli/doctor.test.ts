import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { chmod, symlink } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dispatch } from '../../src/cli/dispatch.ts'
import { formatAddress } from '../../src/http/address.ts'
import { checkCertificates } from '../../src/tools/doctor/certificates.ts'
import { exitCode } from '../../src/tools/doctor/finding.ts'
import { startFakeEngine } from '../../src/tools/fake-engine/engine.ts'
import { stages } from '../support/bridge.ts'
import { Authority } from '../support/certificates.ts'
import { captured } from '../support/io.ts'

interface Report {
  readonly exitCode: number
  readonly engines: readonly {
    readonly address: string
    readonly engine: { highest: string } | null
    readonly findings: readonly { level: string; about: string; says: string; advice?: string }[]
    readonly clients: readonly { client: string; withoutBridge: { served: boolean; refusal: string | null } }[]
  }[]
  readonly bridge: Report['engines'][number]['findings']
}

/** Runs doctor; the exit code must be the one it writes. */
async function look(args: readonly string[], env: Record<string, string> = {}): Promise<Report> {
  const io = captured({ env })
  const code = await dispatch(['doctor', '--json', ...args], io)
  const report = JSON.parse(io.out()) as Report
  expect(report.exitCode).toBe(code)
  return report
}

describe('doctor', () => {
  const stage = stages()
  const listen = (): string[] => ['--listen', `unix://${join(stage.folder(), 'none.sock')}`]
  const first = async (path: string): Promise<Report['engines'][number]['findings'][number] | undefined> =>
    (await look([path, ...listen()])).engines[0]?.findings.find(({ level }) => level !== 'ok')

  it('says what an engine is and who is served, and ends with 0', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const report = await look([...listen()], { DOCKER_HOST: `unix://${engine.path}` })
    expect(report.exitCode).toBe(0)
    expect(report.engines[0]).toMatchObject({
      address: `unix://${engine.path}`,
      engine: { lowest: '1.44', highest: '1.53' },
    })
    const served = Object.fromEntries((report.engines[0]?.clients ?? []).map((one) => [one.client, one.withoutBridge]))
    expect(served['1.18']).toMatchObject({ served: false, refusal: expect.stringContaining('1.18 is too old') })
    expect(served['1.44']?.served).toBe(true)
    await engine.close()
  })

  it('lets no text of an engine move the cursor of who reads it, nor begin a line', async () => {
    const evil = '\u001b[2J\u009b31m\nAll is well.\u007f'
    const { engine } = await stage({
      onRequest: (_req, res) => res.end('OK'),
      version: { Version: evil, Os: evil, Arch: evil, ApiVersion: '1.44', MinAPIVersion: '1.24' },
    })
    for (const args of [
      ['doctor', engine.socket, ...listen()],
      ['explain', '1.18', `unix://${engine.socket}`],
    ]) {
      const io = captured()
      expect(await dispatch(args, io)).toBe(0)
      expect(io.out()).toContain('\uFFFD[2J\uFFFD31m\uFFFDAll')
      expect(io.out()).not.toMatch(/[^\P{Cc}\n]/u)
    }
  })

  it('takes no engine up to 24, which serves 1.12 itself, for a bridge', async () => {
    const noted = async (highest: string) => {
      const { engine } = await stage({
        onRequest: (_req, res) => res.end('OK'),
        version: { Version: '24.0.9', ApiVersion: highest, MinAPIVersion: '1.12' },
      })
      const { engines } = await look([engine.socket, ...listen()])
      return engines[0]?.findings.some(({ says }) => says.endsWith('it may be a bridge itself'))
    }
    expect([await noted('1.43'), await noted('1.44')]).toEqual([false, true])
  })

  it('writes for people in 80 columns what stands in its JSON', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const io = captured()
    expect(await dispatch(['doctor', engine.path, ...listen()], io)).toBe(0)
    expect(io.out()).toMatch(
      /serves API 1\.44 to\s+1\.53[\s\S]*1\.18 +Docker 1\.6 +refused, too old +served[\s\S]*All is well\.\n$/,
    )
    expect(
      io
        .out()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([])
    await engine.close()
  })

  it('looks at the engine that is named where other settings cannot be used', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const named = `unix://${engine.path}`
    const open = await look(['--engine', named, '--listen', 'tcp://0.0.0.0:2375'])
    expect(open).toMatchObject({ exitCode: 2, engines: [{ address: named, engine: { highest: '1.53' } }] })
    expect(open.bridge.map(({ level }) => level)).toEqual(['broken'])
    const unknown = await look([...listen(), '--validation', 'perhaps'], { DOCKER_HOST: named })
    expect(unknown).toMatchObject({ exitCode: 2, engines: [{ address: named }] })
    expect((await look([...listen(), '--engine', 'nowhere'])).engines).toEqual([])
    await engine.close()
  })

  it('names what a client may be refused, and no member that its version does not have', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const io = captured()
    await dispatch(['doctor', engine.path, ...listen()], io)
    const lost = io.out().slice(io.out().indexOf('may be refused:'))
    expect(lost).toContain('1.42/kernel-memory-ignored: the limit KernelMemory')
    // A newer client would lose AutoRemove on an engine before 1.25; an older one loses nothing.
    expect(lost).not.toContain('1.25/auto-remove')
    await engine.close()
  })

  it('says in words of ssh why an engine behind it cannot be reached', async () => {
    const says = expect.stringMatching(/^cannot reach the engine at ssh:\/\/none\.invalid: ./)
    expect(await first('ssh://none.invalid')).toMatchObject({ level: 'broken', says })
  })

  it('tells apart what can be wrong with a socket, with 2', async () => {
    const at = (name: string): string => join(stage.folder(), name)
    writeFileSync(at('file'), '')
    mkdirSync(at('folder'))
    await symlink(at('nowhere'), at('link'))
    await stale(at('stale.sock'))
    expect((await first(at('none')))?.says).toContain('there is no socket')
    expect((await first(at('file')))?.says).toContain('no socket but another file')
    expect((await first(at('folder')))?.says).toContain('is a directory')
    expect((await first(at('link')))?.says).toContain('a link to something that is not there')
    expect((await first(at('stale.sock')))?.says).toContain('is stale')
    expect((await first(at('no/such/folder.sock')))?.advice).toContain('The directory')
    expect((await look([at('stale.sock'), ...listen()])).exitCode).toBe(2)
  })

  it.skipIf(process.getuid?.() !== 0)('says who may connect where this user may not', { tags: 'slow' }, async () => {
    const path = join(stage.folder(), 'closed.sock')
    const server = net.createServer().listen(path)
    await new Promise((resolve) => server.once('listening', resolve))
    await chmod(stage.folder(), 0o755)
    await chmod(path, 0o600)
    const program = join(import.meta.dirname, '../../src/main.ts')
    const script = `process.setuid(65534); process.argv.splice(1, 1, ${JSON.stringify(program)}); await import(${JSON.stringify(program)})`
    const args = ['--disable-warning=DEP0060', '--input-type=module', '-e', script, '-', 'doctor', path, '--json']
    const result = runs(process.execPath, args)
    expect(result.code, result.out).toBe(2)
    const [finding] = (JSON.parse(result.out) as Report).engines[0]?.findings ?? []
    expect(finding).toMatchObject({ level: 'broken', says: expect.stringContaining('uid 65534 may not connect') })
    expect(finding?.says).toContain('0600')
    server.close()
  })

  it('warns with 1 of a socket that everybody may use', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    await chmod(engine.path, 0o666)
    const report = await look([engine.path, ...listen()])
    expect([report.exitCode, report.engines[0]?.findings.find(({ level }) => level === 'warning')?.says]).toEqual([
      1,
      expect.stringContaining('every user of this machine may connect'),
    ])
    await engine.close()
  })

  it.each([
    [
      'is no engine',
      (res: http.ServerResponse) => res.writeHead(404).end('nothing here'),
      'returned 404 without a version',
    ],
    [
      'wants TLS',
      (res: http.ServerResponse) => res.writeHead(400).end('Client sent an HTTP request to an HTTPS server.'),
      'it requires TLS',
    ],
    ['answers garbage', (res: http.ServerResponse) => res.end('{'), 'GET /version:'],
    ['leaves', (res: http.ServerResponse) => res.destroy(), 'ECONNRESET'],
  ])('says so when what listens %s', async (_what, answer, says) => {
    const path = join(stage.folder(), 'other.sock')
    const server = http.createServer((_req, res) => void answer(res)).listen(path)
    await new Promise((resolve) => server.once('listening', resolve))
    expect((await first(path))?.says).toContain(says)
    server.close()
  })

  it('names each setting that cannot be used, and looks at the engine all the same', async () => {
    const report = await look([], { ENGINEBRIDGE_LOG_LEVEL: 'z', ENGINEBRIDGE_ENGINE_API: 'y' })
    expect(report.bridge.map(({ says }) => says)).toEqual([
      expect.stringContaining('ENGINEBRIDGE_ENGINE_API'),
      expect.stringContaining('ENGINEBRIDGE_LOG_LEVEL'),
    ])
    expect(report.engines).toHaveLength(1)
    expect(report.exitCode).toBe(2)
  })

  it('says whether the bridge itself listens, and whether the engine answers through it', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const bridge = await stage.bridge(engine.path)
    const up = await look([engine.path, '--listen', `unix://${bridge.socket}`])
    expect(up.bridge.map(({ says }) => says)).toContainEqual(expect.stringContaining('the engine answers through it'))
    await engine.close()
    const alone = await look([engine.path, '--listen', `unix://${bridge.socket}`])
    expect(alone.bridge.at(-1)?.says).toMatch(
      /a bridge listens, but its engine does not answer: 503 \(engine-unknown\)/,
    )
    await stale(join(stage.folder(), 'old.sock'))
    const old = await look([engine.path, '--listen', `unix://${join(stage.folder(), 'old.sock')}`])
    expect(old.bridge.at(-1)).toMatchObject({ level: 'warning', says: expect.stringContaining('no process listens') })
  })

  it('says that an audit log cannot be written, but not of one whose folder the program makes', async () => {
    writeFileSync(join(stage.folder(), 'file'), '')
    const levelOf = async (path: string): Promise<string | undefined> =>
      (await look([...listen(), '--audit-log', join(stage.folder(), path)])).bridge.find(
        ({ about }) => about === 'audit-log',
      )?.level
    expect(await levelOf('file/audit.log')).toBe('broken')
    expect(await levelOf('no/such/audit.log')).toBe('ok')
  })

  it('notes that ids cannot be kept, which is not broken, and says nothing of it where they are not to be', async () => {
    writeFileSync(join(stage.folder(), 'file'), '')
    const levelOf = async (state: string): Promise<string | undefined> =>
      (await look([...listen(), '--state', state])).bridge.find(({ about }) => about === 'state')?.level
    expect(await levelOf(join(stage.folder(), 'file/state'))).toBe('note')
    expect(await levelOf(join(stage.folder(), 'state'))).toBe('ok')
    expect(await levelOf('off')).toBeUndefined()
  })

  it('says that no bridge can listen where the engine does, or where there is no directory', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const taken = await look([engine.path, '--listen', `unix://${engine.path}`])
    expect(taken.bridge.at(-1)).toMatchObject({ level: 'broken', says: expect.stringContaining('another process') })
    const folderless = await look([engine.path, '--listen', `unix://${join(stage.folder(), 'none/b.sock')}`])
    expect(folderless.bridge.at(-1)).toMatchObject({ level: 'warning', says: expect.stringContaining('no directory') })
    await engine.close()
  })

  it('reads policies as the program would', async () => {
    const policy = join(stage.folder(), 'policy.yaml')
    writeFileSync(policy, 'rules: {nonsense: 1}')
    const about = async (...flags: string[]): Promise<string[]> =>
      (await look([...listen(), ...flags])).bridge.flatMap(({ level, about: name }) =>
        name.endsWith('policy') ? [`${level} ${name}`] : [],
      )
    expect(await about('--policy', 'read-only')).toEqual(['ok policy'])
    expect(await about('--policy', policy)).toEqual(['broken policy'])
    expect(await about('--audit-policy', policy)).toEqual(['broken audit-policy'])
  })

  it('speaks TLS to an engine as the settings say, as explain does by the environment, and says when the engine wants it', async () => {
    const issued = new Authority(join(stage.folder(), 'ca')).issue('engine', join(stage.folder(), 'certificates'))
    const version = JSON.stringify({
      ApiVersion: '1.51',
      MinAPIVersion: '1.24',
      Version: '28.5.2',
      Os: 'linux',
      Arch: 'amd64',
    })
    const server = https.createServer(
      { ...issued.pem(), requestCert: true, rejectUnauthorized: true },
      (req, res) => void res.end(req.url === '/version' ? version : 'OK'),
    )
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const bound = server.address()
    const engine = `tcp://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
    const env = { DOCKER_HOST: engine, DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: issued.folder }
    expect((await look([...listen()], env)).engines[0]).toMatchObject({ engine: { highest: '1.51' } })
    const explained = captured({ env })
    expect(await dispatch(['explain', '1.22', engine], explained)).toBe(0)
    expect(explained.out()).toContain('28.5.2')
    const wrong = async (...flags: string[]): Promise<string | undefined> => {
      const { exitCode: code, engines } = await look([engine, ...listen(), ...flags])
      expect(code).toBe(2)
      return engines[0]?.findings.find(({ level }) => level === 'broken')?.says
    }
    const { ca, cert, key } = new Authority(join(stage.folder(), 'ca2'), 'other').issue('x', join(stage.folder(), 'x'))
    const own = ['--engine-tls-cert', issued.cert, '--engine-tls-key', issued.key]
    expect(await wrong()).toContain('it hung up; perhaps it speaks TLS')
    expect(await wrong('--engine-tls-verify', ...own)).toContain('not signed by a trusted authority')
    expect(await wrong('--engine-tls-ca', ca, ...own)).toContain('not signed by a trusted authority')
    expect(await wrong('--engine-tls-ca', issued.ca)).toContain('perhaps it wants a certificate')
    const others = ['--engine-tls-cert', cert, '--engine-tls-key', key]
    expect(await wrong('--engine-tls-ca', issued.ca, ...others)).toContain('perhaps it does not take this certificate')
    const mixed = ['--engine-tls-cert', issued.cert, '--engine-tls-key', key]
    expect(await wrong('--engine-tls-ca', issued.ca, ...mixed)).toContain('do not belong together')
    server.close()
  })

  it('pings a bridge that listens on TCP', async () => {
    const engine = await startFakeEngine(join(stage.folder(), 'e.sock'))
    const bridge = await stage.bridge(engine.path, ['--listen', 'tcp://127.0.0.1:0'])
    const tcp = bridge.addresses.find(({ kind }) => kind === 'tcp')
    const report = await look([engine.path, '--listen', tcp === undefined ? '' : formatAddress(tcp)])
    expect(report.bridge.at(-1)?.says).toContain('the engine answers through it')
    await engine.close()
  })

  it('finds certificates that are missing, expired, soon to expire or of another key', async () => {
    const at = (name: string): string => join(stage.folder(), name)
    for (const name of ['a', 'b'])
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'ed25519',
          '-nodes',
          '-subj',
          `/CN=${name}`,
          '-days',
          '90',
          '-keyout',
          at(`${name}.key`),
          '-out',
          at(`${name}.pem`),
        ],
        { stdio: 'ignore' },
      )
    const now = Date.now()
    const day = 86_400_000
    const say = async (cert: string, key: string, when: number): Promise<string[]> =>
      (await checkCertificates('tls', { cert: at(cert), key: at(key) }, when)).map(
        ({ level, says }) => `${level} ${says.replaceAll(stage.folder(), '')}`,
      )
    expect(await say('a.pem', 'a.key', now)).toEqual([expect.stringMatching(/^ok \/a\.pem is valid/)])
    expect(await say('a.pem', 'b.key', now)).toContain('broken the key /b.key does not belong to the certificate')
    expect(await say('a.pem', 'a.key', now + 80 * day)).toEqual([
      expect.stringMatching(/^warning .*expires in \d+ days/),
    ])
    expect(await say('a.pem', 'a.key', now + 100 * day)).toEqual([expect.stringMatching(/^broken .*expired/)])
    expect(await say('none.pem', 'a.key', now)).toContain('broken /none.pem: there is no such file')
    await chmod(at('a.key'), 0o644)
    const open = await checkCertificates('tls', { cert: at('a.pem'), key: at('a.key') }, now)
    expect(exitCode(open)).toBe(1)
    expect(exitCode(await checkCertificates('tls', { cert: at('a.pem') }, now))).toBe(2)
  })
})

/** A socket whose server was killed. */
async function stale(path: string): Promise<void> {
  const server = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  runs(process.execPath, ['-e', server])
}

function runs(program: string, args: readonly string[]): { code: number; out: string } {
  try {
    return { code: 0, out: execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }) }
  } catch (cause) {
    const { status, stdout } = cause as { status: number | null; stdout: string }
    return { code: status ?? -1, out: stdout }
  }
}
