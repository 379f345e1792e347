import { type ApiVersion, parseVersion } from '../../api/version.ts'

/** A value that moved through the versions of clients. */
export class ByClient<T> {
  /** The newest first. */
  readonly #history: readonly (readonly [from: ApiVersion, value: T])[]

  constructor(history: readonly (readonly [from: ApiVersion, value: T])[]) {
    this.#history = [...history].sort(([a], [b]) => b - a)
  }

  /** Each value with the first version that has it, the newest first. */
  get history(): readonly (readonly [from: ApiVersion, value: T])[] {
    return this.#history
  }

  /** The one of the highest version up to the client's; undefined before the first. */
  for(client: ApiVersion): T | undefined {
    return this.#history.find(([from]) => from <= client)?.[1]
  }
}

/** `byClient({ '1.18': asNumber, '1.19': asBoolean })`: each from that version on. */
export const byClient = <T>(history: Readonly<Record<`1.${number}`, T>>): ByClient<T> =>
  new ByClient(
    Object.entries<T>(history).map(([text, value]) => {
      const version = parseVersion(text)
      if (version === undefined) throw new Error(`invalid API version "${text}": expected one such as 1.24`)
      return [version, value] as const
    }),
  )

export const forClient = <T>(value: T | ByClient<T>, client: ApiVersion): T | undefined =>
  value instanceof ByClient ? value.for(client) : value
