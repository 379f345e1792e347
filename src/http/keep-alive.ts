import type net from 'node:net'

/**
 * Without it a TCP peer that vanished (power, NAT) stays until something is written. Probes go out after two minutes of
 * silence, nine of them 15 s apart as Docker's engine sends them; Node 22 sends ten, a second apart. Not for unix sockets.
 */
export const keepAlive = (socket: net.Socket): net.Socket => socket.setKeepAlive(true, 120_000, 15_000, 9)
