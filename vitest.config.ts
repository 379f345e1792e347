import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

/** `npm run quick` leaves out what starts engines or programs, waits for clocks, or works for seconds: all of it is in `npm test`. */
const SLOW = ['test/{chaos,clients,faults,fuzz,live,performance,workers}/**', '**/*.slow.test.ts']

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'quick' ? [...configDefaults.exclude, ...SLOW] : configDefaults.exclude,
    globalSetup: ['test/live/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 180_000,
    // Two processes: the live suites start engines and containers beside them. They load the sources and rules once, not once a file.
    maxWorkers: 2,
    isolate: false,
    // Programs that the tests start compile the sources once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') },
    execArgv: ['--disable-warning=DEP0060'],
  },
}))
