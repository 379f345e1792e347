import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { reasonOf } from '../../config/text.ts'
import type { TlsPaths } from '../../http/tls/tls-files.ts'
import { type Finding, finding } from './finding.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 30
const OTHERS_MAY_READ = 0o004

/** Checks that certificate, key and authority are readable, match each other and are currently valid. */
export async function checkCertificates(about: string, files: TlsPaths, now: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const broken = (says: string): void => void findings.push(finding('broken', about, says))
  const read = async <T>(path: string | undefined, parse: (text: Buffer) => T): Promise<T | undefined> => {
    if (path === undefined) return undefined
    try {
      return parse(await readFile(path))
    } catch (cause) {
      const code = reasonOf(cause)
      broken(`${path}: ${UNREADABLE[code] ?? `it is no PEM file of its kind, or has a passphrase (${code})`}`)
      return undefined
    }
  }
  const cert = await read(files.cert, (text) => new X509Certificate(text))
  const ca = await read(files.ca, (text) => new X509Certificate(text))
  const key = await read(files.key, (text) => createPrivateKey(text))
  if (cert !== undefined) findings.push(inForce(about, files.cert ?? '', cert, now))
  if (ca !== undefined) findings.push(inForce(about, files.ca ?? '', ca, now))
  if (files.key !== undefined && key !== undefined) {
    if (((await stat(files.key)).mode & OTHERS_MAY_READ) !== 0)
      findings.push(finding('warning', about, `everybody may read the key ${files.key}`, `chmod 0600 ${files.key}`))
    if (cert?.checkPrivateKey(key) === false) broken(`the key ${files.key} does not belong to the certificate`)
  }
  if ((files.cert === undefined) !== (files.key === undefined)) {
    const named = files.cert === undefined ? 'key' : 'certificate'
    broken(`a certificate and its key go together; only the ${named} is named`)
  }
  return findings
}

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
}

function inForce(about: string, path: string, certificate: X509Certificate, now: number): Finding {
  const { validFromDate: from, validToDate: to } = certificate
  const day = (date: Date): string => date.toISOString().slice(0, 10)
  if (to.getTime() < now) return finding('broken', about, `${path} expired on ${day(to)}`, 'Renew it.')
  if (from.getTime() > now) return finding('broken', about, `${path} is not valid before ${day(from)}`)
  const days = Math.floor((to.getTime() - now) / DAY_MS)
  if (days < SOON_DAYS)
    return finding('warning', about, `${path} expires in ${days === 1 ? '1 day' : `${days} days`}`, 'Renew it.')
  return finding('ok', about, `${path} is valid until ${day(to)}`)
}
