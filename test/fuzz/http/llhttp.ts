import { createRequire } from 'node:module'
import type { ReadMessage } from '../../support/http-messages.ts'

/** The result of llhttp for the bytes of a connection. */
export interface Theirs {
  readonly messages: readonly ReadMessage[]
  /** Undefined if it needs more bytes. */
  readonly error: string | undefined
  /** The last message closes its connection or ends HTTP on it. */
  readonly over: boolean
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  _initialize(): void
  llhttp_alloc(type: number): number
  llhttp_free(parser: number): void
  llhttp_execute(parser: number, data: number, length: number): number
  llhttp_finish(parser: number): number
  llhttp_get_error_reason(parser: number): number
  llhttp_get_method(parser: number): number
  llhttp_method_name(method: number): number
  llhttp_get_http_major(parser: number): number
  llhttp_get_http_minor(parser: number): number
  malloc(length: number): number
}

/** The part of WebAssembly that is used here: the project does not load the DOM's types. */
interface WebAssembly {
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Exports }
}

const REQUEST = 1
const RESPONSE = 2
const MAX_BYTES = 16 * 1024

/** undici's build of llhttp, no leniency set: it runs in this process and without a socket, so that it can read millions of inputs. */
const require = createRequire(import.meta.url)
const code: unknown = require('undici/lib/llhttp/llhttp-wasm.js')
if (!Buffer.isBuffer(code)) throw new TypeError('undici has no llhttp any more')

let reading: Listener | undefined
const on =
  (take: (listener: Listener, text: string) => void) =>
  (_parser: number, at: number, length: number): number => {
    if (reading !== undefined) take(reading, Buffer.from(llhttp.memory.buffer, at, length).toString('latin1'))
    return 0
  }

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssembly }
const llhttp = new WebAssembly.Instance(new WebAssembly.Module(code), {
  env: {
    wasm_on_message_begin: () => reading?.begin() ?? 0,
    wasm_on_url: on((listener, text) => listener.take('start', text)),
    wasm_on_status: on((listener, text) => listener.take('start', text)),
    wasm_on_header_field: on((listener, text) => listener.take('name', text)),
    wasm_on_header_value: on((listener, text) => listener.take('value', text)),
    wasm_on_body: on((listener, text) => listener.body(text)),
    wasm_on_headers_complete: (_parser: number, status: number, upgrade: number, lasts: number) =>
      reading?.head(status, upgrade === 1, lasts === 1) ?? 0,
    wasm_on_message_complete: () => reading?.end() ?? 0,
  },
}).exports
llhttp._initialize()
const input = llhttp.malloc(MAX_BYTES)

class Listener {
  readonly messages: (ReadMessage & { closes: boolean })[] = []
  readonly #parser: number
  readonly #method: string | undefined
  #start = ''
  #fields: string[] = []
  #last: 'start' | 'name' | 'value' = 'start'

  /** `method`: the method of the requests that the responses answer. */
  constructor(parser: number, method: string | undefined) {
    this.#parser = parser
    this.#method = method
  }

  begin(): number {
    this.#start = ''
    this.#fields = []
    this.#last = 'start'
    return 0
  }

  /** Names and values come in pieces if the bytes do; those after the head are trailers. */
  take(kind: 'start' | 'name' | 'value', text: string): void {
    if (kind === 'start') this.#start += text
    else if (kind === 'name') {
      if (this.#last === 'name') this.#fields[this.#fields.length - 2] += text
      else this.#fields.push(text, '')
    } else this.#fields[this.#fields.length - 1] += text
    this.#last = kind
  }

  head(status: number, upgrade: boolean, lasts: boolean): number {
    const version = `${llhttp.llhttp_get_http_major(this.#parser)}.${llhttp.llhttp_get_http_minor(this.#parser)}`
    const start =
      this.#method === undefined
        ? [textAt(llhttp.llhttp_method_name(llhttp.llhttp_get_method(this.#parser))), this.#start, version]
        : [version, String(status), this.#start]
    const fields = this.#fields.map((part, i) => (i % 2 === 1 ? withoutBlankEnd(part) : part))
    this.messages.push({
      start,
      fields,
      framing: 'none',
      body: '',
      whole: false,
      chunks: [],
      closes: upgrade || !lasts,
    })
    this.#fields = []
    this.#last = 'start'
    return this.#method === 'HEAD' ? 1 : 0
  }

  body(text: string): void {
    const message = this.messages.at(-1)
    if (message !== undefined) message.body += text
  }

  end(): number {
    const message = this.messages.at(-1)
    if (message !== undefined) message.whole = true
    return 0
  }
}

/** As in Node: white space after a value is not part of it. */
export function withoutBlankEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return text.slice(0, end)
}

function textAt(pointer: number): string {
  const bytes = Buffer.from(llhttp.memory.buffer, pointer)
  return bytes.toString('latin1', 0, bytes.indexOf(0))
}

/** `method`: undefined for requests; for responses, the method that they answer. `ended`: the connection closes after the bytes. */
export function readByLlhttp(pieces: readonly Buffer[], method: string | undefined, ended: boolean): Theirs {
  const parser = llhttp.llhttp_alloc(method === undefined ? REQUEST : RESPONSE)
  const listener = new Listener(parser, method)
  reading = listener
  try {
    let failed = 0
    for (const piece of pieces) {
      if (piece.length > MAX_BYTES) throw new RangeError(`a piece of more than ${MAX_BYTES} bytes`)
      new Uint8Array(llhttp.memory.buffer, input, piece.length).set(piece)
      failed = llhttp.llhttp_execute(parser, input, piece.length)
      if (failed !== 0) break
    }
    if (failed === 0 && ended) failed = llhttp.llhttp_finish(parser)
    const reason = llhttp.llhttp_get_error_reason(parser)
    const last = listener.messages.at(-1)
    const over = last?.whole === true && last.closes
    return { messages: listener.messages, error: failed === 0 || over ? undefined : reasonAt(reason), over }
  } finally {
    reading = undefined
    llhttp.llhttp_free(parser)
  }
}

const reasonAt = (pointer: number): string => (pointer === 0 ? 'an error without a reason' : textAt(pointer))
