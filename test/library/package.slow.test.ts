import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import http, { type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_REPORT, reportOf } from '../../packaging/docs/api-report.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const PACK_MS = 240_000

/** A program that embeds the package; it uses every exported name. */
const CONSUMER = `
import {
  type AuditRecord, BadConfig, type BridgeOptions, type BridgeSettings, createBridge, type EngineDescription, type Json, type Message, parseJson,
  type RunningBridge, type SettingValue, type Translated, TranslateError, type TranslateOptions, translate, writeJson,
} from 'enginebridge'

const engine: EngineDescription = { highest: '1.52', lowest: '1.44' }
const options: TranslateOptions = { operation: 'ImageInspect', client: '1.24', engine, direction: 'response' }
const message: Message = { body: { Size: 7 } }
const done: Translated = translate(options, message)
const body: Json | undefined = done.body
const listen: SettingValue = [process.argv[2] ?? '']
const wanted: BridgeOptions = { settings: { listen, engine: 'unix://' + import.meta.dirname + '/none.sock', grace: 0 }, audit: (record) => void record }
const bridge: RunningBridge = await createBridge(wanted)
const lanes: string[] = []
const recorded = (record: AuditRecord): void => void lanes.push(record.stage)
const audited: BridgeOptions = { ...wanted, audit: recorded }
void audited
// @ts-expect-error: a setting that there is not
const misspelled: BridgeSettings = { listen: 'nonsense', 'no-such': 1 }
const problems = await createBridge({ settings: misspelled }).catch((cause: unknown) =>
  cause instanceof BadConfig ? cause.problems : [],
)
let thrown = ''
try { translate({ ...options, client: 'x' }) } catch (cause) { if (cause instanceof TranslateError) thrown = cause.name }
console.log(JSON.stringify({ body, addresses: bridge.addresses, problems, thrown, exact: writeJson(parseJson('9223372036854771712')), text: writeJson(body ?? null) }))
await bridge.close()
// @ts-expect-error: a direction that there is not
translate({ ...options, direction: 'sideways' })
`

async function statusOf(socketPath: string): Promise<number | undefined> {
  const [answer] = (await once(http.get({ socketPath, path: '/_ping' }), 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}

describe('the package', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enginebridge-pack-'))
    // Without the `prepack` script: it writes the pages that other tests compare.
    await run('npm', ['run', 'bundle'], { cwd: root })
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const { stdout } = await run('npm', pack, { cwd: root })
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as { filename: string }[]
    const modules = join(folder, 'node_modules')
    await mkdir(join(modules, 'enginebridge'), { recursive: true })
    await run('tar', [
      '-xzf',
      join(folder, packed?.filename ?? ''),
      '--strip-components=1',
      '-C',
      join(modules, 'enginebridge'),
    ])
    // Offline: the dependencies that npm would install are in the checkout.
    for (const name of await readdir(join(root, 'node_modules')))
      if (!name.startsWith('.')) await symlink(join(root, 'node_modules', name), join(modules, name))
  }, PACK_MS)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has a program in ASCII alone, so that its text takes one byte of memory for each character', async () => {
    const program = join(folder, 'node_modules', 'enginebridge', 'dist', 'program')
    const files = (await readdir(program)).filter((name) => name.endsWith('.js'))
    expect(files.length).toBeGreaterThan(10)
    const texts = await Promise.all(
      files.map(async (name) => [name, await readFile(join(program, name), 'utf8')] as const),
    )
    expect(texts.filter(([, text]) => /[^\0-\x7f]/.test(text)).map(([name]) => name)).toEqual([])
  })

  it('has the program in a few files, which serves and finds what it imports lazily', {
    timeout: PACK_MS,
  }, async () => {
    const program = join(folder, 'node_modules/enginebridge/dist/program')
    expect((await readdir(program)).length).toBeLessThan(120)
    const node = [process.execPath, '--disable-warning=DEP0060', join(program, 'main.js')] as const
    const said = async (...args: string[]): Promise<string> => (await run(node[0], [...node.slice(1), ...args])).stdout
    expect(await said('version')).toContain(`(Node ${process.version})`)
    expect(await said('explain', '1.22', '1.44')).toContain('1.44')
    const socket = join(folder, 'program.sock')
    const args = ['--listen', `unix://${socket}`, '--engine', `unix://${folder}/none.sock`, '--audit-log', 'off']
    args.push('--inspect', 'tcp://127.0.0.1:0') // the inspector reads the files of its page at start
    const bridge = spawn(node[0], [...node.slice(1), ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    try {
      await new Promise<void>((resolve) => {
        bridge.stderr.on('data', (chunk: Buffer) => {
          if (chunk.includes('inspector: http://')) resolve()
        })
      })
      expect(await statusOf(socket)).toBe(503)
    } finally {
      bridge.kill()
    }
  })

  it('compiles and runs a program that imports it', { timeout: PACK_MS }, async () => {
    const settings = {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2024',
      types: ['node'],
      outDir: 'out',
      skipLibCheck: false,
    }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: settings, files: ['consumer.ts'] }),
    )
    await writeFile(join(folder, 'consumer.ts'), CONSUMER)
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((cause: { stdout?: string }) =>
      expect.fail(cause.stdout ?? String(cause)),
    )
    const socket = join(folder, 's.sock')
    const { stdout } = await run(process.execPath, [
      '--disable-warning=DEP0060',
      join(folder, 'out/consumer.js'),
      `unix://${socket}`,
    ])
    expect(JSON.parse(stdout)).toEqual({
      body: expect.objectContaining({ Size: 7, VirtualSize: 7 }),
      text: expect.stringContaining('"VirtualSize":7'),
      addresses: [`unix://${socket}`],
      problems: ['no-such is not a setting', expect.stringContaining('listen: "nonsense"')],
      thrown: 'TranslateError',
      exact: '9223372036854771712',
    })
  })

  it('runs the command line from the build', { timeout: PACK_MS }, async () => {
    const bin = join(folder, 'node_modules/enginebridge/bin/enginebridge')
    const { stdout } = await run(bin, ['explain', '1.24', '28.5', 'GET', '/info'])
    expect(stdout).toContain('GET /info (SystemInfo)')
    expect((await run(bin, ['version'])).stdout).toMatch(/^enginebridge \d/)
  })

  it('explains with the same examples as the sources, although it makes them only when they are read', {
    timeout: PACK_MS,
  }, async () => {
    const call = ['explain', '1.18', '28.5', 'POST', '/containers/create']
    const [built, sources] = await Promise.all([
      run(join(folder, 'node_modules/enginebridge/bin/enginebridge'), call),
      run(process.execPath, [join(root, 'src/main.ts'), ...call]),
    ])
    expect(built.stdout).toBe(sources.stdout)
  })

  it('says in one sentence that an older Node cannot run it, before it loads what needs a newer one', async () => {
    const main = join(folder, 'node_modules/enginebridge/dist/program/main.js')
    const imported = [...(await readFile(main, 'utf8')).matchAll(/from"\.\/([a-z]+)-/g)].map(([, name]) => name)
    expect(imported).toEqual(['dispatch'])
    const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})'
    const ended = await run(process.execPath, ['--import', older, main, 'version']).catch((cause) => cause)
    expect({ code: ended.code, said: ended.stderr }).toEqual({
      code: 1,
      said: expect.stringMatching(/^enginebridge needs Node\.js 22\.18 or newer, and .* is 20\.20\.2: .*\n$/),
    })
  })

  it('exports the types of the checked-in report', async () => {
    const published = await reportOf(join(folder, 'node_modules/enginebridge/dist'))
    expect(published, 'npm run docs writes it').toBe(await readFile(join(root, API_REPORT), 'utf8'))
  })
})
