import { afterAll, beforeEach } from 'vitest'

/** Prints, when a file is through, how many of its cases were tried and how many held. Call it at the file's top level. */
export function tally(what: string): void {
  const count = { tried: 0, held: 0 }
  beforeEach(({ onTestFinished, task }) => {
    count.tried++
    onTestFinished(() => {
      if (task.result?.state === 'pass') count.held++
    })
  })
  afterAll(() => process.stdout.write(`${what}: ${count.tried} tried, ${count.held} held\n`))
}
