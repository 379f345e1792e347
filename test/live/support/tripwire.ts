import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** When the wire trips: as a request is about to reach the engine, or once the engine has answered it. */
export interface Trip {
  readonly request: RegExp
  readonly when: 'before' | 'after'
}

/** A relay between a bridge and an engine that kills the bridge at one request. Nothing passes from then on. */
export interface Tripwire {
  readonly tripped: Promise<void>
  close(): Promise<void>
}

export async function tripwire(
  socket: string,
  engine: string,
  trip: Trip,
  kill: () => Promise<void>,
): Promise<Tripwire> {
  const { promise: tripped, resolve } = Promise.withResolvers<void>()
  let dead = false
  const fire = (): void => {
    if (dead) return
    dead = true
    void kill().then(resolve)
  }
  const open = new Set<net.Socket>()
  const server = net.createServer((near) => {
    const far = net.connect(engine)
    let armed = false
    for (const one of [near, far]) {
      open.add(one)
      one.on('error', () => one.destroy()).on('close', () => open.delete(one))
    }
    near.on('data', (chunk) => {
      if (dead) return
      const meant = trip.request.test(chunk.toString('latin1'))
      if (meant && trip.when === 'before') return fire()
      armed ||= meant
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (armed) fire()
      if (!dead) near.write(chunk)
    })
    near.on('close', () => far.end())
    far.on('close', () => near.end())
  })
  await new Promise<void>((listening) => server.listen(socket, listening))
  return {
    tripped,
    close: async () => {
      await sleep(0)
      for (const one of open) one.destroy()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
