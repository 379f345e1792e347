import { parseArgs } from 'node:util'
import { growth, KINDS, type Rest, warm } from './flat.ts'
import { soak } from './soak.ts'

/** `npm run soak -- [--minutes N] [--stretch SECONDS] [--clients N] [--think MS] [--seed N] [--engine SOCKET]`. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    stretch: { type: 'string', default: '60' },
    clients: { type: 'string', default: '12' },
    think: { type: 'string', default: '100' },
    seed: { type: 'string' },
    engine: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const mb = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`
const start = performance.now()
const tell = ({ calls, heapUsed, rss, atWork, sockets, descriptors }: Rest, wrongSoFar: number): void => {
  const minutes = ((performance.now() - start) / 60_000).toFixed(1)
  say(
    `${minutes} min  ${calls} calls  heap ${mb(heapUsed)}  rss ${mb(rss)} (${mb(atWork)} at work)  ${sockets} sockets  ${descriptors} descriptors  ${wrongSoFar} wrong`,
  )
}

say(`seed ${seed}`)
const { rests, wrong, ...counts } = await soak({
  ms: Number(values.minutes) * 60_000,
  stretchMs: Number(values.stretch) * 1000,
  ...{ clients: Number(values.clients), thinkMs: Number(values.think), seed, tell },
  ...(values.engine === undefined ? {} : { engine: values.engine }),
})
say(JSON.stringify(counts))
for (const kind of KINDS) {
  const { bytesPerCall, first, last } = growth(rests, kind)
  say(
    `${kind}: ${mb(first)} to ${mb(last)} over the last ${warm(rests).length} of ${rests.length} rests, ${bytesPerCall.toFixed(2)} bytes a call`,
  )
}
say(`${wrong.length} wrong`)
for (const one of wrong.slice(0, 50)) say(`  ${one}`)
process.exitCode = wrong.length === 0 ? 0 : 1
