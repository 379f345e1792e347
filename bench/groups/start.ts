import { build, contenderProgram } from '../contenders.ts'
import { memory } from '../programs.ts'
import { Gathered, type Group } from '../result.ts'
import { withContenders } from '../stage.ts'
import { startUpstream } from '../upstream.ts'

/** From the start of the process to the first answered call. */
export async function start(rounds: number): Promise<Group> {
  const gathered = new Gathered()
  await build()
  await withContenders([], startUpstream, async (_running, engine) => {
    for (let round = 0; round <= rounds; round++)
      for (const contender of contenderProgram) {
        const begun = performance.now()
        const program = await contender.start(engine.socket)
        const taken = performance.now() - begun
        const { now } = memory(program)
        await program.stop()
        if (round === 0) continue // fills the compile cache
        gathered.add('until the first answer', 'ms', false, contender.name, taken)
        gathered.add('memory then', 'MB', false, contender.name, now)
      }
  })
  return {
    name: 'Start',
    how: 'From the sources of a checkout, whose first start fills the compile cache and is not counted, and from the built program.',
    rows: gathered.rows(),
  }
}
