import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const BYTES = 32

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** What opens the inspector: made anew at every start, kept nowhere. */
export class Token {
  readonly text = randomBytes(BYTES).toString('base64url')
  readonly #digest = digest(this.text)

  /** Whether a request's `Authorization` has it. Takes as long for a wrong one as for the right one. */
  isIn(authorization: string | undefined): boolean {
    const given = /^Bearer ([\w-]{1,100})$/i.exec(authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), this.#digest)
  }
}
