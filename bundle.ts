import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'

/**
 * Node's modules that are costly to load, and that a start needs for some settings only: TLS, an admin page, workers, a sealed audit
 * log. Not `assert`, which is a function, nor `cluster`, which is an emitter: of those the exports are not all.
 */
const COSTLY = ['child_process', 'crypto', 'http', 'https', 'tls', 'tty', 'worker_threads', 'zlib']

/** The same names, each read when it is first used. `names` are those of the Node that builds. */
const onDemand = (id: string, names: readonly string[]): string => `
const load = () => process.getBuiltinModule('node:${id}')
for (const name of ${JSON.stringify(names)})
  Object.defineProperty(exports, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      const value = load()[name]
      Object.defineProperty(exports, name, { value })
      return value
    },
  })`

/**
 * Node's own modules, without the module object that stands for each of them in an `import`: to make that is to read every
 * export, and to read `WebSocket` of node:http is to load the fetch client inside Node (a tenth of a start; measured).
 */
const builtins: Plugin = {
  name: 'builtins',
  resolveId: (id) => {
    const bare = id.replace(/^node:/, '')
    // The bundler's own code imports node:module.
    return isBuiltin(id) && bare !== 'module' ? `\0node:${bare}` : null
  },
  load: (id) => {
    if (!id.startsWith('\0node:')) return null
    const name = id.slice('\0node:'.length)
    return COSTLY.includes(name)
      ? onDemand(name, Object.keys(process.getBuiltinModule(`node:${name}`) ?? {}))
      : `module.exports = process.getBuiltinModule('node:${name}')`
  },
}

/** Of libraries that are one large file by their index, what the program uses: the rest is half of what a start would read. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  undici: { Client: 'lib/dispatcher/client.js' },
  'prom-client': {
    AggregatorRegistry: 'lib/cluster.js',
    Counter: 'lib/counter.js',
    Gauge: 'lib/gauge.js',
    Registry: 'lib/registry.js',
  },
}

const parts: Plugin = {
  name: 'parts',
  resolveId: (id) => (id in PARTS ? `\0${id}` : null),
  load: (id) => {
    const library = id.slice(1)
    if (!id.startsWith('\0') || PARTS[library] === undefined) return null
    return Object.entries(PARTS[library])
      .map(([name, file]) => `export { default as ${name} } from '${library}/${file}'`)
      .join('\n')
  },
}

/** What `enginebridge serve` imports in any case, and the table of commands does not: one file, since each file costs its finding. */
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
      add(join(import.meta.dirname, 'src', file))
      if (found.size === 1) throw new Error(`the bundle has no src/${file}`)
      return found
    }
    for (const id of from(join('cli', 'commands', 'serve.ts')).difference(from('main.ts'))) needed.add(id)
  },
}

/**
 * The whole of a file's text stays in memory, in two bytes for each character as soon as one of them is not ASCII, and Node reads
 * such a file with two more copies: 7 MB of what a start leaves (measured). The bundler leaves licences as they are, hence this.
 */
const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_options, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk')
        file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  },
}

/** Those of bin/enginebridge: V8 does not take what it compiled with others. */
const FLAGS = ['--disable-warning=DEP0060', '--max-semi-space-size=8']

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
  cwd: import.meta.dirname,
  // The second is started by the first, from beside it (src/proxy/workers/worker-pool.ts).
  input: { main: join('src', 'main.ts'), worker: join('src', 'proxy', 'workers', 'worker.ts') },
  platform: 'node',
  plugins: [builtins, parts, reach, ascii],
})
// Two folders below package.json, where src/config/version.ts looks for it.
await bundle.write({
  dir: join('dist', 'program'),
  format: 'esm',
  cleanDir: true,
  codeSplitting: { groups: [{ name: 'serve', test: (id) => needed.has(id) }] },
  // Names stay, for stack traces; so do licences.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
  comments: { legal: true, annotation: false, jsdoc: false },
})
await bundle.close()
await fillCache(join(import.meta.dirname, 'dist', 'program', 'main.js'), join(import.meta.dirname, 'dist', 'cache'))
