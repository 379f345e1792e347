import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate with its key and who signed it, as files: the layout of DOCKER_CERT_PATH. */
export interface Issued {
  readonly folder: string
  readonly ca: string
  readonly cert: string
  readonly key: string
  /** Their contents, for `tls.connect`. */
  pem(): { ca: Buffer; cert: Buffer; key: Buffer }
}

/** An authority of its own, made by openssl: real certificates, real checks. */
export class Authority {
  readonly #folder: string
  readonly #name: string

  constructor(folder: string, name = 'test authority') {
    this.#folder = folder
    this.#name = name
    mkdirSync(folder, { recursive: true })
    this.#openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${name}`, '-keyout', 'ca-key.pem', '-out', 'ca.pem'],
    )
  }

  /** `into` may be a folder that has an older certificate: it is replaced. */
  issue(commonName: string, into: string): Issued {
    mkdirSync(into, { recursive: true })
    const [key, request, cert, ca] = ['key.pem', 'request.pem', 'cert.pem', 'ca.pem'].map((file) => join(into, file))
    const extensions = join(into, 'extensions')
    writeFileSync(extensions, 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n')
    this.#openssl(
      ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', `/CN=${commonName}`],
      ...['-keyout', `${key}.new`, '-out', `${request}`],
    )
    this.#openssl(
      ...['x509', '-req', '-in', `${request}`, '-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial'],
      ...['-days', '2', '-extfile', extensions, '-out', `${cert}.new`],
    )
    for (const file of [key, cert]) writeFileSync(`${file}`, readFileSync(`${file}.new`))
    writeFileSync(`${ca}`, readFileSync(join(this.#folder, 'ca.pem')))
    const files = { folder: into, ca: `${ca}`, cert: `${cert}`, key: `${key}` }
    return {
      ...files,
      pem: () => ({ ca: readFileSync(files.ca), cert: readFileSync(files.cert), key: readFileSync(files.key) }),
    }
  }

  get name(): string {
    return this.#name
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'pipe' })
  }
}
