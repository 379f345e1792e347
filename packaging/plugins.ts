import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

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
export const builtins: Plugin = {
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

/** The parts that the program uses of libraries whose index loads everything: the rest would be half of what a start reads. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  undici: { Client: 'lib/dispatcher/client.js' },
  'prom-client': {
    AggregatorRegistry: 'lib/cluster.js',
    Counter: 'lib/counter.js',
    Gauge: 'lib/gauge.js',
    Histogram: 'lib/histogram.js',
    Registry: 'lib/registry.js',
  },
}

export const parts: Plugin = {
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

/**
 * The whole of a file's text stays in memory, in two bytes for each character as soon as one of them is not ASCII, and Node reads
 * such a file with two more copies: 7 MB of what a start leaves (measured). The bundler leaves licences as they are, hence this.
 */
export const ascii: Plugin = {
  name: 'ascii',
  generateBundle(_options, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk')
        file.code = file.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  },
}

/**
 * Libraries that src/config/lazy-imports.ts requires when they are first asked for. `file`: beside the program, read when they are needed;
 * `inside`: within its one file.
 */
export const seldom = (where: 'file' | 'inside'): Plugin => ({
  name: 'seldom',
  transform(code, id) {
    if (!id.endsWith('/src/config/lazy-imports.ts')) return null
    const found = code
      .replace(/^const require = .*$/m, where === 'file' ? '$&' : '')
      .matchAll(/require\('([a-z-]+)'\)/g)
    if ([...found].length !== SELDOM.length)
      throw new Error('src/config/lazy-imports.ts requires other libraries than packaging/plugins.ts knows')
    if (where === 'inside') return code.replace(/^import .*createRequire.*$/m, '').replace(/^const require = .*$/m, '')
    return code.replaceAll(/require\('([a-z-]+)'\)/g, "require('./$1.cjs')")
  },
})

export const SELDOM = ['yaml', 'semver', 'pino-pretty'] as const

/** Those of bin/enginebridge, where they are explained: V8 does not take what it compiled with others. */
export const FLAGS = [
  '--disable-warning=DEP0060',
  '--disable-sigusr1',
  '--max-semi-space-size=2',
  '--no-concurrent-recompilation',
]

/** Names stay, for stack traces; so do licences. */
export const OUTPUT = {
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
  comments: { legal: true, annotation: false, jsdoc: false },
} as const
