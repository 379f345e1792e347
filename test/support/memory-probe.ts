import { setImmediate as turn } from 'node:timers/promises'

/**
 * Loaded into the program by `node --expose-gc --import`: on SIGUSR2 it collects all garbage and says on standard error what is
 * left. Figures taken without a collection say when the last one was, not whether something leaks.
 */
process.on('SIGUSR2', async () => {
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.()
    await turn() // what was freed may free more
  }
  process.stderr.write(`memory ${JSON.stringify(process.memoryUsage())}\n`)
})
