import { parseArgs } from 'node:util'
import { corpusOf, keep } from './corpus.ts'
import { Coverage } from './coverage.ts'
import { fuzz } from './loop.ts'
import { targets } from './targets.ts'

/**
 * `npm run fuzz -- --minutes N [--seed N] [--only TARGET] [--blind]`: keeps what reaches new code, and what breaks something.
 * `--only` takes the beginning of a name. Blind, it does not look at what code is reached, and tries many times as much.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string' },
    blind: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const chosen = targets.filter(({ name }) => name.startsWith(values.only ?? ''))
const coverage = values.blind ? undefined : new Coverage()
await coverage?.start()
let broken = 0
process.stdout.write(`seed ${seed}\n`)
for (const target of chosen) {
  const ms = (Number(values.minutes) * 60_000) / chosen.length
  const { tried, found, failures } = await fuzz(target, corpusOf(target), coverage, { ms, seed })
  for (const input of found) keep(target, input, 'new')
  for (const { input, cause } of failures) {
    broken++
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    process.stdout.write(`${keep(target, input, 'broke')}\n${why.split('\n').slice(0, 6).join('\n')}\n`)
  }
  process.stdout.write(
    `${target.name}: ${tried} inputs, ${found.length} new, ${failures.length} broken; ${coverage?.size ?? 'no'} blocks\n`,
  )
}
process.exitCode = broken === 0 ? 0 : 1
coverage?.stop()
