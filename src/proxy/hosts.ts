import net from 'node:net'
import { ProxyError } from '../api/errors.ts'
import type { ReadonlyHeaders } from '../http/headers.ts'

/** `Host` and `Origin` values that a TCP listener accepts. */
export interface HostRules {
  /** `--allowed-hosts`: names, `*.example.com`, or `*` for all. */
  readonly allowed: readonly string[]
  /** Check `Host`. Unneeded over TLS, where the client has checked the name against the certificate. */
  readonly checksHost: boolean
  /** `--api-cors-header`: the origin whose pages may send requests, `*` for all. */
  readonly origin: string | undefined
}

/**
 * Blocks web pages. A page can make its own name resolve to this machine (DNS rebinding) and can send "simple" requests
 * across origins without a preflight (CSRF); both reach a port on localhost through the visitor's browser. Rebinding
 * shows in `Host`, CSRF in `Origin` or `Sec-Fetch-Site`, which other programs do not send. Throws a ProxyError.
 * Source: https://fetch.spec.whatwg.org/#origin-header, https://www.w3.org/TR/fetch-metadata/
 */
export function checkOrigin(rules: HostRules, headers: ReadonlyHeaders, target: string): void {
  const hostHeader = headers.get('Host')
  if (hostHeader !== undefined && headers.list('Host') !== hostHeader)
    throw new ProxyError('bad-request', 'too many Host headers')
  const targetHost = authorityOf(target)
  if (rules.checksHost) for (const host of [hostHeader, targetHost]) checkHost(host, rules)
  const host = targetHost ?? hostHeader // the target's host takes precedence (RFC 9112, 3.2.2)
  const origin = headers.has('Origin') ? headers.list('Origin') : undefined // repeated: a list that equals no origin
  if (origin !== undefined) {
    if (!isOwnOrigin(origin, host) && !originAllowed(origin, rules))
      throw new ProxyError('forbidden', `pages of ${JSON.stringify(origin)} may not call the engine (--allowed-hosts)`)
    return
  }
  const site = headers.has('Sec-Fetch-Site') ? headers.list('Sec-Fetch-Site') : undefined
  if (site !== undefined && site !== 'none' && site !== 'same-origin' && rules.origin === undefined)
    throw new ProxyError('forbidden', 'pages of other sites may not call the engine (--api-cors-header)')
}

/** The authority of an absolute-form target, without userinfo. */
function authorityOf(target: string): string | undefined {
  if (target.startsWith('/')) return undefined
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]
  return authority?.slice(authority.lastIndexOf('@') + 1)
}

function checkHost(host: string | undefined, rules: HostRules): void {
  if (host !== undefined && host !== '' && !isOurs(nameIn(host), rules))
    throw new ProxyError('forbidden', `the host name ${JSON.stringify(host)} is not served here (--allowed-hosts)`)
}

/** The hostname in `Host`, without port, IPv6 brackets and final dot. */
function nameIn(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)
  const name = bracketed?.[1] ?? host.replace(/:\d*$/, '')
  return name.replace(/\.$/, '').toLowerCase()
}

/**
 * An attacker cannot serve a page from an IP address of this machine, from `localhost`, or from a name without a dot,
 * since public DNS has none of these. Other names must be listed.
 */
function isOurs(name: string, rules: HostRules): boolean {
  if (net.isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return true
  if (name !== '' && /^[a-z0-9_-]+$/.test(name)) return true
  return isListed(name, rules)
}

function isListed(name: string, { allowed }: HostRules): boolean {
  return allowed.some((entry) => {
    const pattern = nameIn(entry)
    return pattern === '*' || pattern === name || (pattern.startsWith('*.') && name.endsWith(pattern.slice(1)))
  })
}

/**
 * The listener's own origin. The bridge serves no page there, and the name has passed the `Host` check. The websocket
 * library of docker-py (`attach_socket(ws=True)`) sends it.
 */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.parse(origin)?.host === host.toLowerCase()
}

function originAllowed(origin: string, rules: HostRules): boolean {
  if (rules.origin === '*' || rules.origin === origin) return true
  const url = URL.parse(origin) // sandboxed pages send `null`, which is not a URL
  return url !== null && isListed(nameIn(url.hostname), rules)
}
