import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/live/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 180_000,
    // Two processes: the live suites start engines and containers beside them.
    maxWorkers: 2,
    execArgv: ['--disable-warning=DEP0060'],
  },
})
