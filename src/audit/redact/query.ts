import { isObject, writeJson } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import { parameters } from '../../api/validation/query.ts'
import { words } from '../../config/text.ts'
import { redactChanges } from './changes.ts'
import { BEYOND, gatherFromText, jsonIn, type Redacting, redactJson } from './json.ts'
import { isFlag, isSecret, REDACTED, scrub } from './text.ts'

/** Parameters of later versions (api/swagger.yaml v1.25 … v1.52). Unknown parameters show at most their names. */
const LATER = words(`
  platform signal condition one-shot stream tail since until details timestamps shared-size manifests identity digests
  filters force type verbose scope link v copyUIDGID checkpoint checkpoint-dir detachKeys keep-storage reserved-space
  max-used-space min-free-space all target squash networkmode version id session buildid message rollback
  registryAuthFrom insertDefaults rotateWorkerToken rotateManagerToken rotateManagerUnlockKey name remote timeout
  status size limit cachefrom extrahosts labels outputs quiet follow stdout stderr pause author comment cpusetmems
`)
const later = new Set(LATER.map((name) => name.toLowerCase()))

/** Boolean parameters. Other values are redacted. */
const YES_OR_NO = new Set(
  words(`rotateworkertoken rotatemanagertoken rotatemanagerunlockkey force all v link verbose one-shot stream
    details timestamps shared-size manifests identity digests copyuidgid squash insertdefaults size quiet
    follow stdout stderr stdin logs pause noprune nocache rm forcerm nooverwritedirnondir q inspect`),
)

/** Maximum characters shown of a query. */
const SHOWN = 16 * 1024
/** Replaces the rest. */
export const CUT = '[cut]'

const isKnown = (operation: string | undefined, name: string): boolean =>
  later.has(name.toLowerCase()) ||
  (operation !== undefined && Object.hasOwn(parameters[operation as OperationName] ?? {}, name))

/** dockerode sends an entire create body as the name of a parameter. */
const isName = (text: string): boolean => /^[A-Za-z][\w.-]{0,40}$/.test(text)

/**
 * Redacts a query, `?` included. Keeps only what is known to be harmless: removes unknown parameters, values of build
 * arguments and secret labels, `ENV` in changes, credentials in URLs.
 */
export function redactSearch(search: string, how: Redacting): string {
  if (search.length <= 1) return search
  const whole = search.length <= SHOWN
  const parts = [...new URLSearchParams(whole ? search : beginning(search))].map(([name, value]) => {
    const shown = redactParameter(name, value, how)
    if (!isName(name)) return REDACTED
    return `${name}=${shown === REDACTED ? shown : encodeURIComponent(shown)}`
  })
  return `?${whole ? parts.join('&') : [...parts, CUT].join('&')}`
}

/** Whole parameters within the limit: part of a value could escape redaction. */
const beginning = (search: string): string => search.slice(0, Math.max(1, search.lastIndexOf('&', SHOWN)))

/** Collects the secrets of a whole query, for texts that quote it. */
export function gatherFromSearch(search: string, how: Redacting): void {
  if (search.length <= 1) return
  for (const [name, value] of new URLSearchParams(search)) redactParameter(name, value, how)
}

function redactParameter(name: string, value: string, how: Redacting): string {
  if (!isName(name)) gatherFromText(name, how)
  if (value === '') return value
  const lower = name.toLowerCase()
  if (!isKnown(how.operation, name) || isSecret(name, value) || (YES_OR_NO.has(lower) && !isFlag(value))) {
    how.secrets.add(value)
    return REDACTED
  }
  if (lower === 'changes') return redactChanges(value, how)
  const body = jsonIn(value)
  // A mistake such as `TOKEN=x`, which engines refuse; `null` is what some clients send for none.
  const isBare = lower === 'buildargs' && !['object', 'boolean'].includes(typeof body)
  if (body === BEYOND || isBare) {
    how.secrets.add(value)
    return REDACTED
  }
  if (body === undefined || typeof body !== 'object') return scrub(value)
  // Map parameters are named like the body's member: `buildargs`, `labels`.
  const named = redactJson({ [name]: body }, how)
  return writeJson((isObject(named) ? named[name] : undefined) ?? null)
}
