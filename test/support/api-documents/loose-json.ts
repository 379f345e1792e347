import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts'

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]|-?\d[\w.:+-]*|true|false|null/g

/** The JSON values of a text written by hand: commas too many or too few, and words in between, do not matter. */
export function looseValues(text: string): JsonValue[] {
  const tokens = new Tokens(text.match(TOKEN) ?? [])
  const values: JsonValue[] = []
  while (!tokens.done()) {
    if (tokens.at('{') || tokens.at('[')) values.push(tokens.value())
    else tokens.next()
  }
  return values
}

class Tokens {
  readonly #tokens: readonly string[]
  #next = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  done = (): boolean => this.#next >= this.#tokens.length
  at = (token: string): boolean => this.#tokens[this.#next] === token
  next = (): string => this.#tokens[this.#next++] ?? ''

  value(): JsonValue {
    const token = this.next()
    if (token === '{') return this.#object()
    if (token === '[') return this.#array()
    if (token.startsWith('"')) return token.slice(1, -1)
    if (token === 'true' || token === 'false') return token === 'true'
    return token === 'null' ? null : Number.parseFloat(token)
  }

  #object(): JsonObject {
    const object: JsonObject = {}
    while (!this.done() && !this.at('}')) {
      const name = this.next()
      if (!name.startsWith('"') || !this.at(':')) continue
      this.next()
      object[name.slice(1, -1)] = this.value()
    }
    this.next()
    return object
  }

  #array(): JsonValue[] {
    const array: JsonValue[] = []
    while (!this.done() && !this.at(']')) {
      if (this.at(':') || this.at('}')) this.next()
      else array.push(this.value())
    }
    this.next()
    return array
  }
}
