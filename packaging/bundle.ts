import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'
import { ascii, builtins, FLAGS, OUTPUT, parts, SELDOM, seldom } from './plugins.ts'
import { provenRules } from './rules.ts'

const ROOT = join(import.meta.dirname, '..')

/** The modules that `enginebridge serve` always loads, without those of the command table. They become one file: Node takes time to find each. */
const needed = new Set<string>()

const reach: Plugin = {
  name: 'reach',
  buildEnd() {
    const from = (file: string): Set<string> => {
      const found = new Set<string>()
      const add = (id: string): void => {
        if (found.has(id)) return
        found.add(id)
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) add(next)
      }
      add(join(ROOT, 'src', file))
      if (found.size === 1) throw new Error(`the bundle has no src/${file}`)
      return found
    }
    for (const id of from(join('cli', 'commands', 'serve.ts')).difference(from('main.ts'))) needed.add(id)
  },
}

/**
 * Starts the program once, so that V8's compiled code stands beside it (bin/enginebridge and the image name the folder):
 * a sixth of a start. Another Node, or changed files, leave it unused (node:module, "compile cache").
 */
async function fillCache(main: string, cache: string): Promise<void> {
  await rm(cache, { recursive: true, force: true })
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-build-'))
  const [engine, socket] = [join(folder, 'engine.sock'), join(folder, 'bridge.sock')]
  const server = createServer((_req, res) => res.end('{"Version":"28.0.0","ApiVersion":"1.48","MinAPIVersion":"1.24"}'))
  await once(server.listen(engine), 'listening')
  const env = { ...process.env, NODE_COMPILE_CACHE: cache }
  const where = ['--listen', `unix://${socket}`]
  const quiet = ['--engine', `unix://${engine}`, '--log-level', 'error']
  const program = spawn(process.execPath, [...FLAGS, main, 'serve', ...where, ...quiet], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const over = once(program, 'exit')
  try {
    for (let tries = 0; !(await healthy(main, where, env)); tries++) {
      if (tries === 50 || program.exitCode !== null) throw new Error('the built program does not serve')
      await sleep(100)
    }
  } finally {
    program.kill() // the cache is written at its end
    await over
    server.close()
    await rm(folder, { recursive: true })
  }
}

const healthy = (main: string, where: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> =>
  promisify(execFile)(process.execPath, [...FLAGS, main, 'health', ...where], { env }).then(
    () => true,
    () => false,
  )

/**
 * `npm run build`: the program as a few files, its libraries inside. Of what a start took from the compiled modules, more
 * than half was finding and linking some 700 of them (measured; docs/performance.md).
 */
const bundle = await rolldown({
  cwd: ROOT,
  // The second is started by the first, from beside it (src/proxy/workers/worker-pool.ts).
  input: { main: join('src', 'main.ts'), worker: join('src', 'proxy', 'workers', 'worker.ts') },
  platform: 'node',
  plugins: [builtins, parts, seldom('file'), provenRules, reach, ascii],
})
/** `node packaging/bundle.ts [folder]`: where the program and its compiled code go. */
const dist = resolve(ROOT, process.argv[2] ?? 'dist')
const program = join(dist, 'program')
await bundle.write({
  ...OUTPUT,
  dir: program,
  format: 'esm',
  cleanDir: true,
  codeSplitting: { groups: [{ name: 'serve', test: (id) => needed.has(id) }] },
})
await bundle.close()
for (const library of SELDOM) {
  const one = await rolldown({ cwd: ROOT, input: library, platform: 'node', plugins: [ascii] })
  await one.write({ ...OUTPUT, file: join(program, `${library}.cjs`), format: 'cjs', codeSplitting: false })
  await one.close()
}
await cp(join(ROOT, 'src/tools/inspect/page'), join(program, 'page'), { recursive: true })
await fillCache(join(program, 'main.js'), join(dist, 'cache'))
