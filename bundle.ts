import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * `npm run build`: the program as a few files, its libraries inside. Of what a start took from the compiled modules, more
 * than half was finding and linking some 700 of them (measured; docs/performance.md).
 */
const bundle = await rolldown({
  cwd: import.meta.dirname,
  // The second is started by the first, from beside it (src/workers/team.ts).
  input: { main: join('src', 'main.ts'), worker: join('src', 'workers', 'worker.ts') },
  platform: 'node',
  external: ['pino', 'pino-pretty'], // they start threads from files of their own
})
// Two folders below package.json, where src/cli/version.ts looks for it.
await bundle.write({ dir: join('dist', 'program'), format: 'esm', cleanDir: true })
await bundle.close()
