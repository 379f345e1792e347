/** @typedef {import('../../feed.ts').Told} Told */

const KEY = 'enginebridge-token'
const RETRY_MS = 1000

/** The bridge does not accept the token (any more). */
export class Locked extends Error {}

/**
 * Takes the token from the URL and removes it there; else returns the one stored for this tab. Not in a cookie: cookies
 * are sent to every port of the host.
 */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given !== null) {
    keepToken(given)
    history.replaceState(null, '', location.pathname)
  }
  return sessionStorage.getItem(KEY) ?? undefined
}

/** @param {string} token */
export const keepToken = (token) => sessionStorage.setItem(KEY, token)

/** @param {string} path @param {RequestInit} [options] */
export async function ask(path, options = {}) {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ''}` }
  const answer = await fetch(path, { ...options, headers, cache: 'no-store' })
  if (answer.ok) return answer
  const { message } = await answer.json().catch(() => ({ message: answer.statusText }))
  throw answer.status === 401 ? new Locked(message) : new Error(message)
}

/**
 * Follows the live feed, reconnecting until the token is refused.
 * @param {(told: Told) => void} told
 * @param {(state: 'live' | 'lost') => void} state `live` comes before all calls are told
 * @returns {Promise<never>} rejects with Locked
 */
export async function follow(told, state) {
  for (;;) {
    try {
      const answer = await ask('api/feed')
      state('live')
      await events(answer, told)
    } catch (cause) {
      if (cause instanceof Locked) throw cause
    }
    state('lost')
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/**
 * Parses server-sent events in this server's format: `data:` on one line.
 * @param {Response} answer
 * @param {(told: Told) => void} told
 */
async function events(answer, told) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value = '' } = (await reader?.read()) ?? { done: true }
    if (done) return
    const parts = (rest + value).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) told(JSON.parse(part.slice('data: '.length)))
  }
}

/**
 * Saves an export of all calls, or of those with these numbers.
 * @param {'har' | 'recording'} kind
 * @param {readonly number[] | undefined} ids
 */
export async function save(kind, ids) {
  const answer = await ask(`api/${kind}`, ids === undefined ? {} : { method: 'POST', body: JSON.stringify(ids) })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = /filename="([^"]+)"/.exec(answer.headers.get('Content-Disposition') ?? '')?.[1] ?? kind
  link.click()
  URL.revokeObjectURL(link.href)
}
