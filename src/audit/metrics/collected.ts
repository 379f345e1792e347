import { Counter, Gauge, type Registry } from 'prom-client'

interface Collected {
  readonly name: string
  readonly help: string
  readonly labelNames?: string[]
  readonly values: () => readonly (readonly [value: number, labels?: Readonly<Record<string, string>>])[]
}

/** A counter or gauge whose values are read when it is collected. */
export function collected(type: 'counter' | 'gauge', registry: Registry, { values, ...facts }: Collected): void {
  ;new (type === 'counter' ? Counter : Gauge)({
    ...facts,
    registers: [registry],
    collect() {
      this.reset()
      for (const [value, labels = {}] of values()) this.inc(labels, value)
    },
  })
}
