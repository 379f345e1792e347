import { byId, clock, duration, element, shortIds, unseen } from './dom.js'

/** @typedef {import('../../shown/view.ts').CallSummary} CallSummary */

/** Limit of rows; a narrower search finds the rest. */
const MOST_ROWS = 1000

/**
 * The filters' values.
 * @typedef {{ text: string, client: string, lane: string, status: string, changed: boolean, lost: boolean }} Filter
 */

/** @param {Filter} filter */
export const asksForAll = ({ text, client, lane, status, changed, lost }) =>
  text === '' && client === '' && lane === '' && status === '' && !changed && !lost

/**
 * @param {CallSummary} call
 * @param {Filter} filter
 */
export function fits(call, { text, client, lane, status, changed, lost }) {
  if (client !== '' && call.client !== client) return false
  if (lane !== '' && (call.lane ?? '-') !== lane) return false
  if (changed && call.changes === 0) return false
  if (lost && call.losses === 0) return false
  if (status === 'open' ? !call.open : status !== '' && !String(call.status ?? '').startsWith(status)) return false
  if (text === '') return true
  const { method, target, endpoint, operation = '', error = '', engine = '' } = call
  const all = [
    method,
    target,
    endpoint,
    operation,
    error,
    call.status ?? '',
    call.client ?? '',
    engine,
    call.lane ?? '',
  ]
  const line = all.join(' ').toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word))
}

/** The table of calls: one row per call, newest first. */
export class List {
  /** @type {Map<number, CallSummary>} */
  calls = new Map()
  /** @type {Map<number, { row: HTMLTableRowElement, shown: CallSummary }>} */
  #rows = new Map()
  /** @type {number | undefined} */
  #chosen
  #body = /** @type {HTMLTableSectionElement} */ (byId('rows'))
  #choose

  /** @param {(id: number) => void} choose */
  constructor(choose) {
    this.#choose = choose
    this.#body.addEventListener('keydown', (event) => this.#moved(event))
    this.#body.addEventListener('click', (event) => {
      const id = event.target instanceof Element ? event.target.closest('tr')?.dataset['id'] : undefined
      if (id !== undefined) choose(Number(id))
    })
  }

  /** @param {number | undefined} id */
  mark(id) {
    for (const one of [this.#chosen, id]) {
      const row = one === undefined ? undefined : this.#rows.get(one)?.row
      row?.classList.toggle('chosen', one === id)
      row?.querySelector('button')?.setAttribute('aria-current', String(one === id))
    }
    this.#chosen = id
  }

  /** @param {number} id */
  focus(id) {
    this.#rows.get(id)?.row.querySelector('button')?.focus()
  }

  /**
   * Updates the table to the kept calls that match.
   * @param {Filter} filter
   * @returns {CallSummary[]} the matching calls, newest first
   */
  show(filter) {
    const fitting = [...this.calls.values()].filter((call) => fits(call, filter)).sort((a, b) => b.id - a.id)
    const shown = new Map(fitting.slice(0, MOST_ROWS).map((call) => [call.id, call]))
    for (const [id, { row }] of this.#rows)
      if (!shown.has(id)) {
        row.remove()
        this.#rows.delete(id)
      }
    /** @type {Element | null} */
    let next = this.#body.firstElementChild
    for (const call of shown.values()) {
      const row = this.#row(call)
      if (row === next) next = row.nextElementSibling
      else this.#body.insertBefore(row, next)
    }
    byId('none').hidden = shown.size > 0
    byId('none').textContent =
      this.calls.size === 0 ? 'No call yet. Point a client at the bridge.' : 'No call fits the filters.'
    return fitting
  }

  /** @param {CallSummary} call */
  #row(call) {
    const known = this.#rows.get(call.id)
    if (known !== undefined && known.shown === call) return known.row
    const row = known?.row ?? element('tr', { 'data-id': call.id })
    const button = row.querySelector('button')
    const hadFocus = button !== null && button === document.activeElement
    row.replaceChildren(...cells(call))
    row.className = [call.id === this.#chosen && 'chosen', call.open && 'open', tone(call)].filter(Boolean).join(' ')
    row.querySelector('button')?.setAttribute('aria-current', String(call.id === this.#chosen))
    this.#rows.set(call.id, { row, shown: call })
    if (hadFocus) queueMicrotask(() => row.querySelector('button')?.focus({ preventScroll: true }))
    return row
  }

  /** @param {KeyboardEvent} event */
  #moved(event) {
    const rows = [...this.#body.rows]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (at === -1 || to === undefined) return
    event.preventDefault()
    const row = rows[Math.max(0, Math.min(to, rows.length - 1))]
    row?.querySelector('button')?.focus()
    if (row?.dataset['id'] !== undefined && this.#chosen !== undefined) this.#choose(Number(row.dataset['id']))
  }
}

/** @param {CallSummary} call */
const tone = ({ status = 0, error }) => (error !== undefined || status >= 500 ? 'bad' : status >= 400 ? 'poor' : '')

/** @param {CallSummary} call */
function cells(call) {
  const { status, changes, losses } = call
  return [
    element(
      'td',
      { class: 'time' },
      clock(call.at).slice(0, 8),
      element('span', { class: 'fine' }, clock(call.at).slice(8)),
    ),
    element('td', { class: 'versions' }, versions(call)),
    element('td', { class: 'call' }, element('button', { type: 'button', title: call.target }, ...path(call))),
    element(
      'td',
      { class: 'status' },
      status === undefined ? '…' : String(status),
      call.error ? element('span', { class: 'fine' }, ` ${call.error}`) : '',
    ),
    element('td', { class: 'lane' }, call.lane ?? 'refused'),
    element(
      'td',
      { class: call.open || call.milliseconds >= 10_000 ? 'number duration long' : 'number duration' },
      call.open ? element('span', { class: 'live' }, 'open') : duration(call.milliseconds),
    ),
    element('td', { class: 'number changes' }, ...count(changes, 'change', 'changes')),
    element('td', { class: 'number losses' }, ...count(losses, 'loss', 'losses')),
  ]
}

/** @param {number} number @param {string} one @param {string} more */
function count(number, one, more) {
  if (number === 0) return ['']
  return [element('span', { class: 'count-of' }, String(number), unseen(number === 1 ? ` ${one}` : ` ${more}`))]
}

/** @param {CallSummary} call */
export const versions = ({ client = '?', engine }) => (engine === undefined ? client : `${client} → ${engine}`)

/**
 * The path, with the template's parameter values highlighted.
 * @param {CallSummary} call
 */
export function path({ method, target, endpoint }) {
  const [way = '', ...query] = target.replace(/^\/v\d[\d.]*(?=\/)/, '').split('?')
  const [before = '', after] = endpoint.split(/\{\w+\}/)
  const fits = after !== undefined && way.startsWith(before) && way.endsWith(after)
  const parameter = fits ? way.slice(before.length, way.length - after.length) : ''
  return [
    element('span', { class: 'method' }, method),
    ' ',
    ...(fits
      ? [before, element('span', { class: 'parameter' }, shortIds(decoded(parameter))), after]
      : [shortIds(way)]),
    query.length === 0 ? '' : element('span', { class: 'query' }, `?${shortIds(decoded(query.join('?')))}`),
  ]
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    if (cause instanceof URIError) return text
    throw cause
  }
}
