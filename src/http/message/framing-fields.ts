import { HeaderNames } from '../headers.ts'

const NAMES = new HeaderNames(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])

/** The header fields that say where a message and its connection end, collected while a head is read. */
export class FramingFields {
  /** How many `Content-Length` there are, and the last. */
  lengths = 0
  length = ''
  /** How many `Transfer-Encoding` there are, and their list. */
  codings = 0
  coding = ''
  hosts = 0
  /** The list of all `Connection`. */
  connection = ''
  keepAlive = ''

  /** Whether a name of that length could be one of these. */
  static mayHave(nameLength: number): boolean {
    return NAMES.hasLength(nameLength)
  }

  add(name: string, value: string): void {
    switch (name.toLowerCase()) {
      case 'host':
        this.hosts++
        break
      case 'content-length':
        this.lengths++
        this.length = value
        break
      case 'transfer-encoding':
        this.coding = this.codings++ === 0 ? value : `${this.coding}, ${value}`
        break
      case 'connection':
        this.connection += `,${value}`
        break
      case 'keep-alive':
        this.keepAlive ||= value
        break
      default:
    }
  }
}
