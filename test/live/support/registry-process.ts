import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { Client } from './client.ts'
import './provided.ts'

/** A registry in the engine's network that has its own busybox, whatever name it is asked for. Gives what ends it. */
export async function registryFor(socket: string, port: number): Promise<() => void> {
  const tarball = join(inject('live').folder, `busybox-${process.pid}-${port}.tar`)
  const saved = await Client.ofEngine(socket).get('/images/busybox/get')
  writeFileSync(tarball, saved.bytes)
  const program = [process.execPath, join(import.meta.dirname, 'registry.ts'), tarball, String(port)]
  const engine = join(import.meta.dirname, '..', 'engine')
  const child = spawn(engine, ['enter', socket, ...program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the registry did not start')))
  await Promise.race([once(child.stdout, 'data'), failed])
  failed.catch(() => undefined) // it ends when the tests do
  return () => child.kill() // `enter` becomes the program itself
}
