import { Panel } from './details.js'
import { byId, counted } from './dom.js'
import { ask, follow, keepToken, Locked, save, takeToken } from './feed.js'
import { asksForAll, List } from './list.js'

/** @typedef {import('../../feed.ts').Told} Told */

/** Delay before a growing call is fetched again, in milliseconds. */
const LOOK_MS = 300

const filters = /** @type {HTMLFormElement} */ (byId('filters'))
const pause = byId('pause')
const list = new List(choose)
const panel = new Panel(leave)
/** What the list has, unless the page is paused: then the list keeps what it had. */
const calls = list.calls
let paused = false
/** @type {number | undefined} */
let chosen
/** The chosen call has changed, and will be fetched. */
let looking = false
/** The numbers of the calls that match the filters; undefined: all. @type {number[] | undefined} */
let fitting

/** @param {Told} told */
function heard({ calls: changed, gone }) {
  for (const id of gone) calls.delete(id)
  for (const call of changed) calls.set(call.id, call)
  if (paused) return sayPaused()
  show()
  if (looking || !changed.some(({ id }) => id === chosen)) return
  looking = true
  setTimeout(look, LOOK_MS)
}

function show() {
  const filter = /** @type {import('./list.js').Filter} */ (Object.fromEntries(new FormData(filters)))
  const all = asksForAll(filter)
  offerVersions()
  const shown = list.show(filter)
  fitting = all ? undefined : shown.map(({ id }) => id)
  const kept = list.calls.size
  byId('count').textContent = all ? counted(kept, 'call') : `${shown.length} of ${counted(kept, 'call')}`
  byId('har').textContent = all ? 'Export HAR' : `Export HAR (${shown.length})`
  byId('recording').textContent = all ? 'Export recording' : `Export recording (${shown.length})`
}

/** The versions that clients have used. */
function offerVersions() {
  const select = /** @type {HTMLSelectElement} */ (filters.elements.namedItem('client'))
  const minor = (/** @type {string} */ version) => Number(version.split('.')[1])
  const used = new Set([...list.calls.values()].flatMap(({ client }) => client ?? []))
  const [every, ...offered] = select.options
  if (every === undefined || (offered.length === used.size && offered.every(({ value }) => used.has(value)))) return
  const now = select.value
  select.replaceChildren(every, ...[...used].sort((a, b) => minor(a) - minor(b)).map((one) => new Option(one, one)))
  if (used.has(now)) select.value = now
}

/** @param {number} id */
function choose(id) {
  const other = chosen !== id
  chosen = id
  list.mark(id)
  document.body.classList.add('chosen')
  look().then(() => {
    if (other && matchMedia('(max-width: 720px)').matches) panel.focus()
  })
}

function leave() {
  const id = chosen
  chosen = undefined
  list.mark(undefined)
  panel.say()
  document.body.classList.remove('chosen')
  if (id !== undefined) list.focus(id)
}

async function look() {
  looking = false
  const id = chosen
  if (id === undefined) return
  try {
    const call = await (await ask(`api/calls/${id}`)).json()
    if (id === chosen) panel.show(call)
  } catch (cause) {
    if (id === chosen && !(cause instanceof Locked)) panel.say(messageOf(cause))
  }
}

function sayPaused() {
  const waiting = [...calls.keys()].filter((id) => !list.calls.has(id)).length
  pause.textContent = waiting === 0 ? 'Resume' : `Resume (${waiting} new)`
}

pause.addEventListener('click', () => {
  paused = !paused
  pause.setAttribute('aria-pressed', String(paused))
  document.body.classList.toggle('paused', paused)
  list.calls = paused ? new Map(calls) : calls
  if (paused) return sayPaused()
  pause.textContent = 'Pause'
  show()
  look()
})

byId('clear').addEventListener('click', () => ask('api/clear', { method: 'POST' }).catch(failed))
for (const kind of /** @type {const} */ (['har', 'recording']))
  byId(kind).addEventListener('click', () => save(kind, fitting).catch(failed))

filters.addEventListener('input', show)
filters.addEventListener('submit', (event) => event.preventDefault())

byId('unlock').addEventListener('submit', (event) => {
  event.preventDefault()
  keepToken(/** @type {HTMLInputElement} */ (byId('token')).value.trim().replace(/^.*#token=/, ''))
  location.reload() // of another start: nothing of that before stays
})

/** @param {unknown} cause */
const messageOf = (cause) => (cause instanceof Error ? cause.message : String(cause))

/** @param {unknown} cause */
function failed(cause) {
  byId('state').textContent = messageOf(cause)
}

/** @param {'live' | 'lost'} state */
function connected(state) {
  if (state === 'live') calls.clear()
  document.body.dataset['state'] = state
  byId('state').textContent = state === 'live' ? '● live' : '○ no connection: trying again'
}

async function open() {
  try {
    await greet()
    locked(false)
    await follow((told) => {
      heard(told)
      if (byId('engine').textContent === '') greet().catch(failed)
    }, connected)
  } catch (cause) {
    locked(true)
    byId('state').textContent = ''
    if (cause instanceof Locked) byId('refused').textContent = cause.message
    else failed(cause)
  }
}

/** @param {boolean} isLocked */
function locked(isLocked) {
  byId('locked').hidden = !isLocked
  byId('inspector').hidden = isLocked
}

async function greet() {
  const { version, engine } = await (await ask('api/about')).json()
  document.title = `enginebridge ${version} inspector`
  if (engine !== null)
    byId('engine').textContent = `${engine.product} ${engine.release} · API ${engine.lowest} to ${engine.highest}`
}

// The user pasted the URL of a restarted bridge into the same tab.
addEventListener('hashchange', () => {
  if (!location.hash.startsWith('#token=')) return
  takeToken()
  location.reload()
})

if (takeToken() === undefined) locked(true)
else open()
