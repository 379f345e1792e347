import { Counter, Gauge, type Registry } from 'prom-client'

interface Collected {
  readonly name: string
  readonly help: string
  readonly labelNames?: string[]
  readonly values: () => readonly (readonly [value: number, labels?: Readonly<Record<string, string>>])[]
}

/** A counter whose values are read when it is collected. */
export function counted(registry: Registry, { values, ...facts }: Collected): void {
  new Counter({
    ...facts,
    registers: [registry],
    collect() {
      this.reset()
      for (const [value, labels = {}] of values()) this.inc(labels, value)
    },
  })
}

/** The same as a gauge. */
export function measured(registry: Registry, { values, ...facts }: Collected): void {
  new Gauge({
    ...facts,
    registers: [registry],
    collect() {
      this.reset()
      for (const [value, labels = {}] of values()) this.set(labels, value)
    },
  })
}
