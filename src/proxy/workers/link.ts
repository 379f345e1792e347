import type { Socket } from 'node:net'
import { BadConfig } from '../../config/bad-config.ts'
import { messageOf } from '../../config/text.ts'

/** A ChildProcess, or `process` in the child. */
export interface Channel {
  readonly connected: boolean
  send?(message: unknown, handle?: Socket, options?: object, callback?: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown
}

/** Functions that one process calls in the other. */
type Functions<T> = { readonly [Name in keyof T]: (...args: never[]) => unknown }
type Arguments<T extends Functions<T>, Name extends keyof T> = Parameters<T[Name]>
type Result<T extends Functions<T>, Name extends keyof T> = Awaited<ReturnType<T[Name]>>

type Message =
  /** Without `number`, nobody waits for the answer. */
  | { readonly name: string; readonly args: readonly unknown[]; readonly number?: number }
  | { readonly number: number; readonly value?: unknown; readonly problem?: string; readonly badConfig?: boolean }

/** A socket that is handed over with a call. `sent`: it has left this process. */
interface HandedSocket {
  readonly socket: Socket
  readonly sent: () => void
}

/** Calls between two processes, over the channel of node:child_process. */
export class Link<Theirs extends Functions<Theirs>, Ours extends Functions<Ours>> {
  readonly #channel: Channel
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #ours: Partial<Ours> = {}
  #number = 0

  constructor(channel: Channel) {
    this.#channel = channel
    channel.on('message', (message, handle) => void this.#heard(message as Message, handle))
  }

  /** Answers calls of these functions; a socket that comes with a call is the last argument. */
  serve(ours: Partial<Ours>): void {
    this.#ours = { ...this.#ours, ...ours }
  }

  /** Rejects with the other process's error, or when it ends. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    args: Arguments<Theirs, Name>,
    handed?: HandedSocket,
  ): Promise<Result<Theirs, Name>> {
    const waiting = Promise.withResolvers<unknown>()
    const number = ++this.#number
    this.#waiting.set(number, waiting)
    this.#send({ name, args, number }, handed, waiting.reject)
    return waiting.promise.finally(() => this.#waiting.delete(number)) as Promise<Result<Theirs, Name>>
  }

  /** Calls without an answer; lost if the other process has ended. */
  tell<Name extends keyof Theirs & string>(name: Name, args: Arguments<Theirs, Name>): void {
    this.#send({ name, args })
  }

  /** The other process has ended: rejects all open calls. */
  close(why: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(why))
  }

  async #heard(message: Message, handle: unknown): Promise<void> {
    if (!('name' in message)) {
      const { number, problem, badConfig, value } = message
      if (problem === undefined) this.#waiting.get(number)?.resolve(value)
      else this.#waiting.get(number)?.reject(badConfig ? new BadConfig(problem.split('\n')) : new Error(problem))
      return
    }
    const { name, args, number } = message
    try {
      const ours = this.#ours[name as keyof Ours] as ((...args: unknown[]) => unknown) | undefined
      if (ours === undefined) throw new Error(`${name} is not served yet`)
      const value = await ours(...args, handle)
      if (number !== undefined) this.#send({ number, value })
    } catch (cause) {
      if (number === undefined) throw cause // nobody else hears of it
      this.#send({ number, problem: messageOf(cause), badConfig: cause instanceof BadConfig })
    }
  }

  #send(message: Message, handed?: HandedSocket, failed?: (error: Error) => void): void {
    if (!this.#channel.connected) {
      failed?.(new Error('the process has ended'))
      return
    }
    // A socket stays open here too: until it is known to have arrived.
    this.#channel.send?.(message, handed?.socket, { keepOpen: true }, (error) => {
      handed?.sent()
      if (error !== null) failed?.(error)
    })
  }
}
