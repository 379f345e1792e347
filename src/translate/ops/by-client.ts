import { type ApiVersion, versionOf } from '../../api/version.ts'

/** A value that moved through the versions of clients. */
export class ByClient<T> {
  /** Each value with the first version that has it, the newest first. */
  readonly history: readonly (readonly [from: ApiVersion, value: T])[]

  constructor(history: ByClient<T>['history']) {
    this.history = history.toSorted(([a], [b]) => b - a)
  }

  /** The one of the highest version up to the client's; undefined before the first. */
  for(client: ApiVersion): T | undefined {
    return this.history.find(([from]) => from <= client)?.[1]
  }
}

/** `byClient({ '1.18': asNumber, '1.19': asBoolean })`: each from that version on. */
export const byClient = <T>(history: Readonly<Record<`1.${number}`, T>>): ByClient<T> =>
  new ByClient(Object.entries<T>(history).map(([from, value]) => [versionOf(from), value] as const))

export const forClient = <T>(value: T | ByClient<T>, client: ApiVersion): T | undefined =>
  value instanceof ByClient ? value.for(client) : value
