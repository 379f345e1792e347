import { Panel } from './details.js'
import { byId } from './dom.js'
import { ask, follow, keepToken, Locked, save, takeToken } from './feed.js'
import { asksForAll, List } from './list.js'

/**
 * @typedef {import('../../feed.ts').Told} Told
 * @typedef {import('./list.js').Filter} Filter
 */

/** Delay before a growing call is fetched again, in milliseconds. */
const LOOK_MS = 300

const filters = /** @type {HTMLFormElement} */ (byId('filters'))
const pause = /** @type {HTMLButtonElement} */ (byId('pause'))
const list = new List(choose)
const panel = new Panel(leave)
let paused = false
/** Calls that arrived while the page was paused. */
let waiting = 0
/** @type {number | undefined} */
let chosen
/** @type {ReturnType<typeof setTimeout> | undefined} */
let looking
/** @type {import('./list.js').CallSummary[]} */
let fitting = []

/** @returns {Filter} */
function filter() {
  const data = new FormData(filters)
  const text = (/** @type {string} */ name) => String(data.get(name) ?? '').trim()
  return {
    ...{ text: text('text'), client: text('client'), lane: text('lane'), status: text('status') },
    ...{ changed: data.has('changed'), lost: data.has('lost') },
  }
}

/** @param {Told} told */
function heard({ calls, gone, all }) {
  if (all) list.calls.clear()
  for (const id of gone) list.calls.delete(id)
  for (const call of calls) {
    if (paused && !list.calls.has(call.id)) waiting++
    list.calls.set(call.id, call)
  }
  if (paused) return sayPaused()
  show()
  if (chosen !== undefined && (all || calls.some(({ id }) => id === chosen))) lookSoon()
}

function show() {
  const asked = filter()
  offerVersions()
  fitting = list.show(asked)
  const kept = list.calls.size
  const text = asksForAll(asked) ? `${kept} ${kept === 1 ? 'call' : 'calls'}` : `${fitting.length} of ${kept} calls`
  if (byId('count').textContent !== text) byId('count').textContent = text
  byId('har').textContent = asksForAll(asked) ? 'Export HAR' : `Export HAR (${fitting.length})`
  byId('recording').textContent = asksForAll(asked) ? 'Export recording' : `Export recording (${fitting.length})`
}

/** The versions that clients have used. */
function offerVersions() {
  const select = /** @type {HTMLSelectElement} */ (filters.elements.namedItem('client'))
  const versions = new Set([...list.calls.values()].flatMap(({ client }) => client ?? []))
  const minor = (/** @type {string} */ version) => Number(version.split('.')[1])
  const sorted = [...versions].sort((a, b) => minor(a) - minor(b))
  const offered = [...select.options].map(({ value }) => value).filter(Boolean)
  if (sorted.join() === offered.join()) return
  const now = select.value
  for (const version of sorted.filter((one) => !offered.includes(one))) {
    const after = [...select.options].find(({ value }) => value !== '' && minor(value) > minor(version))
    select.add(new Option(version, version), after ?? null)
  }
  select.value = now
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
  panel.empty()
  document.body.classList.remove('chosen')
  if (id !== undefined) list.focus(id)
}

function lookSoon() {
  if (looking !== undefined) return
  looking = setTimeout(() => {
    looking = undefined
    look()
  }, LOOK_MS)
}

async function look() {
  const id = chosen
  if (id === undefined) return
  try {
    const answer = await ask(`api/calls/${id}`)
    const call = await answer.json()
    if (id === chosen) panel.show(call)
  } catch (cause) {
    if (cause instanceof Locked) return
    if (id === chosen) panel.gone(cause instanceof Error ? cause.message : String(cause))
  }
}

function sayPaused() {
  pause.textContent = waiting === 0 ? 'Resume' : `Resume (${waiting} new)`
}

pause.addEventListener('click', () => {
  paused = !paused
  pause.setAttribute('aria-pressed', String(paused))
  document.body.classList.toggle('paused', paused)
  waiting = 0
  if (paused) return sayPaused()
  pause.textContent = 'Pause'
  show()
  look()
})

byId('clear').addEventListener('click', async () => {
  await ask('api/clear', { method: 'POST' }).catch(failed)
})

for (const kind of /** @type {const} */ (['har', 'recording']))
  byId(kind).addEventListener('click', () => {
    save(kind, asksForAll(filter()) ? undefined : fitting.map(({ id }) => id)).catch(failed)
  })

filters.addEventListener('input', show)
filters.addEventListener('submit', (event) => event.preventDefault())

byId('unlock').addEventListener('submit', (event) => {
  event.preventDefault()
  keepToken(/** @type {HTMLInputElement} */ (byId('token')).value.trim().replace(/^.*#token=/, ''))
  open()
})

/** @param {unknown} cause */
function failed(cause) {
  byId('state').textContent = cause instanceof Error ? cause.message : String(cause)
}

/** @param {'live' | 'lost'} state */
function connected(state) {
  document.body.dataset['state'] = state
  byId('state').textContent = state === 'live' ? 'live' : 'no connection: trying again'
}

async function open() {
  try {
    await greet()
    byId('locked').hidden = true
    byId('inspector').hidden = false
    await follow((told) => {
      heard(told)
      if (byId('engine').textContent === '') greet().catch(failed)
    }, connected)
  } catch (cause) {
    byId('inspector').hidden = true
    byId('locked').hidden = false
    byId('state').textContent = ''
    if (cause instanceof Locked) byId('refused').textContent = cause.message
    else failed(cause)
  }
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

if (takeToken() === undefined) byId('locked').hidden = false
else open()
