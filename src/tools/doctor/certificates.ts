import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { TlsPaths } from '../../http/listen/tls-files.ts'
import { type Finding, finding, reasonOf } from './finding.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 30
const OTHERS_MAY_READ = 0o004

/** Checks that certificate, key and authority are readable, match each other and are currently valid. */
export async function lookAtCertificates(about: string, files: TlsPaths, now: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const cert = await read(files.cert, about, findings, (text) => new X509Certificate(text))
  const ca = await read(files.ca, about, findings, (text) => new X509Certificate(text))
  const key = await read(files.key, about, findings, (text) => createPrivateKey(text))
  if (cert !== undefined && files.cert !== undefined) findings.push(inForce(about, files.cert, cert, now))
  if (ca !== undefined && files.ca !== undefined) findings.push(inForce(about, files.ca, ca, now))
  if (files.key !== undefined && key !== undefined) findings.push(...(await keyFindings(about, files.key, key, cert)))
  if ((files.cert === undefined) !== (files.key === undefined))
    findings.push(
      finding(
        'broken',
        about,
        `a certificate and its key go together; only the ${files.cert === undefined ? 'key' : 'certificate'} is named`,
      ),
    )
  return findings
}

async function read<T>(
  path: string | undefined,
  about: string,
  findings: Finding[],
  parse: (text: Buffer) => T,
): Promise<T | undefined> {
  if (path === undefined) return undefined
  try {
    return parse(await readFile(path))
  } catch (cause) {
    const code = reasonOf(cause)
    const words: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EACCES: 'this user may not read it',
      EISDIR: 'it is a directory',
    }
    findings.push(finding('broken', about, `${path}: ${words[code] ?? `it is no PEM file of its kind (${code})`}`))
    return undefined
  }
}

function inForce(about: string, path: string, certificate: X509Certificate, now: number): Finding {
  const { validFromDate: from, validToDate: to } = certificate
  const day = (date: Date): string => date.toISOString().slice(0, 10)
  if (to.getTime() < now) return finding('broken', about, `${path} expired on ${day(to)}`, 'Renew it.')
  if (from.getTime() > now) return finding('broken', about, `${path} is not in force before ${day(from)}`)
  const days = Math.floor((to.getTime() - now) / DAY_MS)
  if (days < SOON_DAYS)
    return finding('warning', about, `${path} expires in ${days === 1 ? '1 day' : `${days} days`}`, 'Renew it.')
  return finding('ok', about, `${path} is in force until ${day(to)}`)
}

async function keyFindings(
  about: string,
  path: string,
  key: KeyObject,
  cert: X509Certificate | undefined,
): Promise<Finding[]> {
  const { mode } = await stat(path)
  const findings: Finding[] = []
  if ((mode & OTHERS_MAY_READ) !== 0)
    findings.push(finding('warning', about, `everybody may read the key ${path}`, `chmod 0600 ${path}`))
  if (cert !== undefined && !cert.checkPrivateKey(key))
    findings.push(finding('broken', about, `the key ${path} does not belong to the certificate`))
  return findings
}
