import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contender } from './contenders.ts'
import type { Program } from './programs.ts'

/** A contender that is up. */
export interface Running {
  readonly name: string
  readonly port: number
  readonly program: Program
  /** Until its first answer. */
  readonly startedMs: number
}

/** Runs `work` with the contenders up before `engine`, and takes everything down. */
export async function withContenders<T>(
  contenders: readonly Contender[],
  startEngine: (folder: string) => Promise<Program & { readonly socket: string }>,
  work: (running: readonly Running[], engine: Program & { readonly socket: string }) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'enginebridge-bench-'))
  const started: Program[] = []
  try {
    const engine = await startEngine(folder)
    started.push(engine)
    const running: Running[] = []
    for (const contender of contenders) {
      const port = await freePort()
      const begun = performance.now()
      const program = await contender.start(port, engine.socket, folder)
      started.push(program)
      running.push({ name: contender.name, port, program, startedMs: performance.now() - begun })
    }
    return await work(running, engine)
  } finally {
    for (const program of started.reverse()) await program.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
