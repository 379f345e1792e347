import type { OperationName } from '../api/operations.ts'
import { parameters } from '../api/validation/query.ts'
import { asJson, isObject, writeJson } from '../translate/json.ts'
import { type Redaction, redactJson, usual } from './json.ts'
import { namesSecret, REDACTED, scrub } from './text.ts'

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
  const parts = [...new URLSearchParams(search)].map(([name, value]) => {
    if (!isName(name)) {
      gather(name, operation, secrets, redaction)
      if (value.length > 0) secrets.add(value)
      return REDACTED
    }
    const shown = redactParameter(name, value, operation, secrets, redaction)
    return `${name}=${shown === REDACTED ? shown : encodeURIComponent(shown)}`
  })
  return `?${parts.join('&')}`
}

/** What is secret in a body that stands where it does not belong. */
function gather(text: string, operation: string | undefined, secrets: Set<string>, redaction: Redaction): void {
  const body = asJson(text)
  if (body !== undefined) redactJson(body, operation, secrets, redaction)
}

function redactParameter(
  name: string,
  value: string,
  operation: string | undefined,
  secrets: Set<string>,
  redaction: Redaction,
): string {
  if (value === '') return value
  if (!isKnown(operation, name) || namesSecret(name)) {
    secrets.add(value)
    return REDACTED
  }
  if (name.toLowerCase() === 'changes') return redactChanges(value, secrets)
  const body = asJson(value)
  if (body === undefined || typeof body !== 'object') return scrub(value)
  // The parameters that hold a map are named as the member that would: `buildargs`, `labels`.
  const named = redactJson({ [name]: body }, operation, secrets, redaction)
  return writeJson((isObject(named) ? named[name] : undefined) ?? null)
}

/** `ENV NAME=value` and `ENV NAME value` among the instructions of a commit or an import. */
function redactChanges(text: string, secrets: Set<string>): string {
  return text.replace(/^(\s*(?:ENV|ARG)\s+[^\s=]+[\s=])(.*)/gims, (_all, start: string, rest: string) => {
    for (const part of [rest, ...rest.split(/\s+/).map((word) => word.slice(word.indexOf('=') + 1))]) secrets.add(part)
    return `${start}${REDACTED}`
  })
}
