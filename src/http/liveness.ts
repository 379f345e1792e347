import type { Socket } from 'node:net'

/**
 * Without it a TCP peer that vanished (power, NAT) stays until something is written. Probes go out after two minutes of
 * silence, nine of them 15 s apart as Docker's engine sends them; Node 22 sends ten, a second apart. Not for unix sockets.
 */
export const keepAlive = (socket: Socket): Socket => socket.setKeepAlive(true, 120_000, 15_000, 9)

/** How often a client that has half-closed, or is not being read, is probed. */
export const PROBE_MS = 1000

/**
 * Detects a client that closed its unix socket: the write fails with EPIPE. After a half-close it succeeds
 * (Linux, unix_stream_sendmsg: releasing a socket shuts down both directions).
 */
export function probe(socket: Socket): void {
  if (socket.writableLength === 0) socket.write('')
}

/** Detects a client that still reads, however slowly. */
export class ReadProgress {
  #taken = 0

  /** Whether the client has read any pending bytes since the last check. */
  advanced({ writableLength, bytesWritten }: Socket): boolean {
    const taken = bytesWritten - writableLength
    const advanced = writableLength > 0 && taken > this.#taken
    this.#taken = taken
    return advanced
  }
}
