import { reasonOf } from '../../config/text.ts'
import type { TlsPaths } from '../../http/tls/tls-files.ts'
import { type Finding, finding } from './finding.ts'

type Words = readonly [says: string, advice: string]

const WHO_SIGNS = 'Name who signs it with --engine-tls-ca, or in ca.pem of DOCKER_CERT_PATH.'
const OWN_CERTIFICATE =
  'Name one that it takes with --engine-tls-cert and --engine-tls-key, or in cert.pem and key.pem of DOCKER_CERT_PATH.'

/** Messages for TLS errors of Node and OpenSSL (doc/api/tls.md, X509 certificate error codes; doc/api/errors.md). */
const TLS: readonly (readonly [code: RegExp, words: Words])[] = [
  [
    /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY|CERT_UNTRUSTED)/,
    ['its certificate is not signed by a trusted authority', WHO_SIGNS],
  ],
  [/^CERT_HAS_EXPIRED$/, ['its certificate has expired', 'Renew it on the engine’s host.']],
  [/^CERT_NOT_YET_VALID$/, ['its certificate is not valid yet', 'Look at the clocks of both hosts.']],
  [
    /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    ['its certificate is for another name', 'Use a name that stands in it, or have it made anew.'],
  ],
  [/^ERR_OSSL_X509_KEY_VALUES_MISMATCH$/, ['key and certificate do not belong together', OWN_CERTIFICATE]],
  [/^(?:EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/, ['it speaks no TLS', 'Leave TLS out.']],
]

/** An engine that rejects or misses our certificate sends an alert or hangs up: from TLS 1.3 on after the handshake. */
const HUNG_UP = /^ECONNRESET$|ALERT_(?:CERTIFICATE_REQUIRED|UNKNOWN_CA|BAD_CERTIFICATE|HANDSHAKE_FAILURE|ACCESS_DENIED)/

/** Explains why an engine accepts connections but sends no response. `tls`: the connection used it. */
export function notHeard(cause: unknown, tls: TlsPaths | undefined): Finding {
  const code = reasonOf(cause)
  const [says, advice] = wordsOf(code, tls)
  return finding('broken', 'engine', `GET /version: ${says}${says === code ? '' : ` (${code})`}`, advice)
}

function wordsOf(code: string, tls: TlsPaths | undefined): readonly [string, string?] {
  if (!HUNG_UP.test(code)) return TLS.find(([pattern]) => pattern.test(code))?.[1] ?? [code]
  if (tls === undefined) return ['it hung up; perhaps it speaks TLS', 'Set DOCKER_CERT_PATH or --engine-tls-ca.']
  if (tls.cert === undefined) return ['it hung up; perhaps it wants a certificate', OWN_CERTIFICATE]
  return ['it hung up; perhaps it does not take this certificate', OWN_CERTIFICATE]
}
