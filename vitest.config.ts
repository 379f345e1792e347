import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** `npm run quick` leaves out what starts engines or programs, waits for clocks, or works for seconds: all of it is in `npm test`. */
const SLOW = ['test/{chaos,clients,faults,fuzz,live,performance,workers}/**', '**/*.slow.test.ts']

/** They take a minute or more, and begin first: at the end one of them would run alone. */
const LONGEST = ['live/dockerfile', 'live/conformance', 'clients/clients', 'live/examples', 'live/start-recreate']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.includes(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    // For single tests of that kind; the others of their file stay in the quick ring.
    tags: [{ name: 'slow', description: 'Starts programs, waits for clocks, or works for seconds.' }],
    tagsFilter: mode === 'quick' ? ['!slow'] : [],
    exclude: mode === 'quick' ? [...configDefaults.exclude, ...SLOW] : configDefaults.exclude,
    globalSetup: ['test/live/support/global-setup.ts'],
    // Four times what the slowest test without its own limit takes on a slow machine: a hang fails, a busy machine does not.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // On two cores: more than half of the time of live suites is waiting for engines and containers.
    maxWorkers: mode === 'quick' ? 2 : 4,
    sequence: { sequencer: LongestFirst },
    // A process loads the sources and rules once, not once a file.
    isolate: false,
    // Keeps transformed files for the next run.
    fsModuleCache: mode === 'quick',
    // Programs that the tests start compile the sources once.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node') },
    execArgv: ['--disable-warning=DEP0060'],
  },
}))
