/** Limit of endpoints; the oldest are forgotten first. */
const MAX_ENDPOINTS = 1000

/** The network of each endpoint. The id of an endpoint is random and its network never changes: no entry gets stale. */
export class EndpointNetworks {
  readonly #networks = new Map<string, string>()

  networkOf(endpoint: string): string | undefined {
    return this.#networks.get(endpoint)
  }

  learn(endpoint: string, network: string): void {
    this.#networks.set(endpoint, network)
    for (const oldest of this.#networks.keys()) {
      if (this.#networks.size <= MAX_ENDPOINTS) return
      this.#networks.delete(oldest)
    }
  }
}
