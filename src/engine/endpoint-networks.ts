/** Endpoints remembered; the oldest are forgotten. */
const MOST = 1000

/**
 * Which network each endpoint belongs to. An endpoint gets its random id when a container joins a network and keeps both
 * until it leaves, so that what was once heard stays true.
 */
export class EndpointNetworks {
  readonly #networks = new Map<string, string>()

  networkOf(endpoint: string): string | undefined {
    return this.#networks.get(endpoint)
  }

  learn(endpoint: string, network: string): void {
    this.#networks.set(endpoint, network)
    for (const oldest of this.#networks.keys()) {
      if (this.#networks.size <= MOST) return
      this.#networks.delete(oldest)
    }
  }
}
