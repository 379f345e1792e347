import { parseArgs } from 'node:util'
import { chaos } from './chaos.ts'

/** `npm run chaos -- [--minutes N] [--seed N] [--clients N] [--engine SOCKET]`. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '24' },
    engine: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
process.stdout.write(`seed ${seed}\n`)
const { wrong, ...counts } = await chaos({
  ms: Number(values.minutes) * 60_000,
  seed,
  clients: Number(values.clients),
  ...(values.engine === undefined ? {} : { engine: values.engine }),
})
process.stdout.write(`${JSON.stringify(counts, undefined, 2)}\n${wrong.length} wrong\n`)
for (const one of wrong.slice(0, 50)) process.stdout.write(`  ${one}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
