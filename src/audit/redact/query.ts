import { isObject, writeJson } from '../../api/json/json.ts'
import type { OperationName } from '../../api/operations.ts'
import { parameters } from '../../api/validation/query.ts'
import { redactChanges } from './changes.ts'
import { type Redaction, redactJson, usual } from './json.ts'
import { BEYOND, jsonIn } from './json-in-text.ts'
import { isFlag, isSecret, REDACTED, scrub } from './text.ts'

/** Parameters of later versions (api/swagger.yaml v1.25 … v1.52). A parameter that no list has keeps its name at most. */
const LATER = [
  ...['platform', 'signal', 'condition', 'one-shot', 'stream', 'tail', 'since', 'until', 'details', 'timestamps'],
  ...['shared-size', 'manifests', 'identity', 'digests', 'filters', 'force', 'type', 'verbose', 'scope', 'link', 'v'],
  ...['copyUIDGID', 'checkpoint', 'checkpoint-dir', 'detachKeys', 'keep-storage', 'reserved-space', 'max-used-space'],
  ...['min-free-space', 'all', 'target', 'squash', 'networkmode', 'version', 'id', 'session', 'buildid', 'message'],
  ...['version', 'rollback', 'registryAuthFrom', 'insertDefaults', 'rotateWorkerToken', 'rotateManagerToken'],
  ...['rotateManagerUnlockKey', 'name', 'remote', 'timeout', 'status', 'size', 'limit', 'cachefrom', 'extrahosts'],
  ...['labels', 'outputs', 'quiet', 'follow', 'stdout', 'stderr', 'pause', 'author', 'comment', 'cpusetmems'],
]
const later = new Set(LATER.map((name) => name.toLowerCase()))

/** Parameters that say yes or no: whatever else stands there is no word of the API's. */
const YES_OR_NO = new Set([
  ...['rotateworkertoken', 'rotatemanagertoken', 'rotatemanagerunlockkey', 'force', 'all', 'v', 'link', 'verbose'],
  ...['one-shot', 'stream', 'details', 'timestamps', 'shared-size', 'manifests', 'identity', 'digests', 'copyuidgid'],
  ...['squash', 'insertdefaults', 'size', 'quiet', 'follow', 'stdout', 'stderr', 'stdin', 'logs', 'pause', 'noprune'],
  ...['nocache', 'rm', 'forcerm', 'nooverwritedirnondir', 'q', 'inspect'],
])

/** How much of a query is shown. */
const SHOWN = 16 * 1024
/** What stands for the rest. */
export const CUT = '[cut]'

const isKnown = (operation: string | undefined, name: string): boolean =>
  later.has(name.toLowerCase()) ||
  (operation !== undefined && Object.hasOwn(parameters[operation as OperationName] ?? {}, name))

/** A name that is one: dockerode sends a whole create body as the name of a parameter. */
const isName = (text: string): boolean => /^[A-Za-z][\w.-]{0,40}$/.test(text)

/**
 * A query without secrets, `?` included. What is not known to be harmless goes: the name and value of a parameter that no
 * version has, the values of build arguments, of secret labels, of `ENV` among changes, what stands before the @ of a URL.
 */
export function redactSearch(
  search: string,
  operation: string | undefined,
  secrets: Set<string>,
  redaction: Redaction = usual,
): string {
  if (search.length <= 1) return search
  const whole = search.length <= SHOWN
  const parts = [...new URLSearchParams(whole ? search : beginning(search))].map(([name, value]) => {
    const shown = redactParameter(name, value, operation, secrets, redaction)
    if (!isName(name)) return REDACTED
    return `${name}=${shown === REDACTED ? shown : encodeURIComponent(shown)}`
  })
  return `?${whole ? parts.join('&') : [...parts, CUT].join('&')}`
}

/** The parameters that end within what is shown: half a value may hide what it is. */
const beginning = (search: string): string => search.slice(0, Math.max(1, search.lastIndexOf('&', SHOWN)))

/** Gathers the secrets of a whole query, for texts that quote it. */
export function gatherFromSearch(
  search: string,
  operation: string | undefined,
  secrets: Set<string>,
  redaction: Redaction = usual,
): void {
  if (search.length <= 1) return
  for (const [name, value] of new URLSearchParams(search)) redactParameter(name, value, operation, secrets, redaction)
}

/** What is secret in a body that stands where it does not belong. */
function gather(text: string, operation: string | undefined, secrets: Set<string>, redaction: Redaction): void {
  const body = jsonIn(text)
  if (body !== undefined && body !== BEYOND) redactJson(body, operation, secrets, redaction)
}

function redactParameter(
  name: string,
  value: string,
  operation: string | undefined,
  secrets: Set<string>,
  redaction: Redaction,
): string {
  if (!isName(name)) gather(name, operation, secrets, redaction)
  if (value === '') return value
  const lower = name.toLowerCase()
  if (!isKnown(operation, name) || isSecret(name, value) || (YES_OR_NO.has(lower) && !isFlag(value))) {
    secrets.add(value)
    return REDACTED
  }
  if (lower === 'changes') return redactChanges(value, secrets, redaction)
  const body = jsonIn(value)
  if (body === BEYOND) {
    secrets.add(value)
    return REDACTED
  }
  if (body === undefined || typeof body !== 'object') return scrub(value)
  // The parameters that hold a map are named as the member that would: `buildargs`, `labels`.
  const named = redactJson({ [name]: body }, operation, secrets, redaction)
  return writeJson((isObject(named) ? named[name] : undefined) ?? null)
}
