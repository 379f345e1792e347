import { type Judge, matches } from '../judge.ts'

/** A name that engines may resolve as the id of an image. */
const MAYBE_ID = /^(?:sha256:)?[0-9a-f]+$/i

/** Completes a name like engines: `alpine` is `docker.io/library/alpine` (distribution/reference/normalize.go). */
export function fullName(reference: string): { readonly name: string; readonly tagged: string } {
  const [first = '', ...others] = reference.split('/')
  const isHost = others.length > 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase())
  const host = isHost ? (first === 'index.docker.io' ? 'docker.io' : first) : 'docker.io'
  const rest = isHost ? others.join('/') : reference
  const path = host === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest
  const digest = path.indexOf('@')
  const undigested = digest === -1 ? path : path.slice(0, digest)
  const colon = undigested.lastIndexOf(':')
  const name = `${host}/${colon > undigested.lastIndexOf('/') ? undigested.slice(0, colon) : undigested}`
  if (digest !== -1) return { name, tagged: name + path.slice(digest) } // engines ignore a tag before it
  return { name, tagged: colon > path.lastIndexOf('/') ? `${host}/${path}` : `${host}/${path}:latest` }
}

/** What Docker pulls: a tag beside the name replaces the name's own, but no digest (reference.WithTag). */
export function withTag(reference: string, tag: string): string {
  const [, named = '', digest = ''] = /^([^@]*)(.*)$/s.exec(reference) ?? []
  const name = named.replace(/:[^/]*$/, '')
  if (/^sha\d+:/.test(tag)) return `${name}@${tag}`
  return digest === '' ? `${name}:${tag}` : name + digest
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
