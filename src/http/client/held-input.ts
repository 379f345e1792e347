import type { Socket } from 'node:net'
import { ByteCollector } from '../byte-collector.ts'

/** Limit of bytes held behind the current request; beyond it the socket is not read until they are processed. */
const MAX_HELD = 64 * 1024

/** Notified when reading from the socket pauses and resumes. */
export interface InputOwner {
  inputPaused(): void
  inputResumed(): void
}

/** Bytes that cannot be processed yet. Pauses the socket while there are too many, or the body's receiver is busy. */
export class HeldInput {
  readonly #socket: Socket
  readonly #owner: InputOwner
  #held = new ByteCollector()
  #full = false
  #bodyPaused = false

  constructor(socket: Socket, owner: InputOwner) {
    this.#socket = socket
    this.#owner = owner
  }

  get empty(): boolean {
    return this.#held.size === 0
  }

  add(chunk: Buffer): void {
    this.#held.add(chunk)
    if (this.#held.size < MAX_HELD) return
    this.#full = true
    this.#pause()
  }

  take(): Buffer {
    const all = this.#held.whole()
    if (all.length > 0) this.#held = new ByteCollector()
    this.#full = false
    this.#resume()
    return all
  }

  pauseBody(): void {
    this.#bodyPaused = true
    this.#pause()
  }

  resumeBody(): void {
    this.#bodyPaused = false
    this.#resume()
  }

  #pause(): void {
    this.#socket.pause()
    this.#owner.inputPaused()
  }

  #resume(): void {
    if (this.#full || this.#bodyPaused) return
    this.#socket.resume()
    this.#owner.inputResumed()
  }
}
