import { type Judge, matches } from '../judge.ts'

/** A name that engines may resolve as the id of an image. */
const MAYBE_ID = /^(?:sha256:)?[0-9a-f]+$/i

/** Completes a name like engines: `alpine` is `docker.io/library/alpine` (distribution/reference/normalize.go). */
export function fullName(reference: string): { readonly name: string; readonly tagged: string } {
  const slash = reference.indexOf('/')
  const first = reference.slice(0, Math.max(0, slash))
  const isHost = slash !== -1 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase())
  const host = isHost ? (first === 'index.docker.io' ? 'docker.io' : first) : 'docker.io'
  const rest = isHost ? reference.slice(slash + 1) : reference
  const path = host === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest
  const { name, tag, digest } = partsOf(path)
  // Engines ignore a tag before a digest.
  return { name: `${host}/${name}`, tagged: `${host}/${name}${digest || tag || ':latest'}` }
}

/** What Docker pulls: a tag beside the name replaces the name's own, but no digest (reference.WithTag). */
export function withTag(reference: string, tag: string): string {
  const { name, digest } = partsOf(reference)
  if (/^sha\d+:/.test(tag)) return `${name}@${tag}`
  return digest === '' ? `${name}:${tag}` : name + digest
}

/** `name:tag@digest` in its parts, tag and digest with their sign and empty when not there. */
function partsOf(reference: string): { readonly name: string; readonly tag: string; readonly digest: string } {
  const at = reference.indexOf('@')
  const undigested = at === -1 ? reference : reference.slice(0, at)
  const colon = undigested.lastIndexOf(':')
  const end = colon > undigested.lastIndexOf('/') ? colon : undigested.length
  return { name: undigested.slice(0, end), tag: undigested.slice(end), digest: reference.slice(undigested.length) }
}

/** Judges an image to run or pull. A pattern without a tag matches all tags. */
export function judgeImage(judge: Judge, reference: string): void {
  const allowed = judge.allowed('images')
  if (allowed === undefined || allowed.includes(reference)) return
  const reason = `the image ${JSON.stringify(reference)} is not listed`
  if (reference === '' || MAYBE_ID.test(reference)) judge.deny('images', `${reason}; as an id it could be any`)
  const { name, tagged } = fullName(reference)
  const fits = allowed.some((pattern) => {
    if (pattern === '**') return true
    const hasTag = /[:@]/.test(pattern.slice(pattern.lastIndexOf('/') + 1))
    return hasTag ? matches(tagged, fullName(pattern).tagged) : matches(name, fullName(pattern).name)
  })
  if (!fits) judge.deny('images', reason)
}
