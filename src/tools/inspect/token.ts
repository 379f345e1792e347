import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const BYTES = 32

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Grants access to the inspector; new at every start, never stored. */
export class Token {
  readonly text = randomBytes(BYTES).toString('base64url')
  readonly #digest = digest(this.text)

  /** Checks a request's `Authorization` in constant time. */
  isIn(authorization: string | undefined): boolean {
    const given = /^Bearer ([\w-]{1,100})$/i.exec(authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), this.#digest)
  }
}
