/** A map that forgets the entries that were set first beyond a number. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: K, value: V): this {
    super.set(key, value)
    for (const oldest of this.keys()) {
      if (this.size <= this.#most) break
      this.delete(oldest)
    }
    return this
  }
}
