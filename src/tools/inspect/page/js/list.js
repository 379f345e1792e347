import { byId, Children, clock, duration, element, shortIds, unseen } from './dom.js'

/** @typedef {import('../../shown/view.ts').CallSummary} CallSummary */

/** Limit of rows; a narrower search finds the rest. */
const MOST_ROWS = 1000

/**
 * The filters' values; empty: all. Boxes are there where they are checked.
 * @typedef {{ text: string, client: string, lane: string, status: string, changed?: string, lost?: string }} Filter
 */

/** @param {Filter} filter */
export const asksForAll = (filter) => Object.values(filter).every((value) => value.trim() === '')

/** @param {CallSummary} call @param {Filter} filter */
function fits(call, { text, client, lane, status, changed, lost }) {
  if (client !== '' && call.client !== client) return false
  if (lane !== '' && (call.lane ?? '-') !== lane) return false
  if (changed !== undefined && call.changes === 0) return false
  if (lost !== undefined && call.losses === 0) return false
  if (status === 'open' ? !call.open : !String(call.status ?? '').startsWith(status)) return false
  const { method, target, endpoint, operation, error, engine } = call
  const all = [method, target, decoded(target), endpoint, operation, error, call.status, call.client, engine, call.lane]
  const line = all.join(' ').toLowerCase()
  const words = text.toLowerCase().split(/\s+/)
  return words.every((word) => line.includes(word))
}

/** The table of calls: one row per call, newest first. */
export class List {
  /** @type {Map<number, CallSummary>} */
  calls = new Map()
  /** @type {number | undefined} */
  #chosen
  #body = /** @type {HTMLTableSectionElement} */ (byId('rows'))
  #rows = new Children(this.#body)
  #choose

  /** @param {(id: number) => void} choose */
  constructor(choose) {
    this.#choose = choose
    this.#body.addEventListener('keydown', (event) => this.#moved(event))
    this.#body.addEventListener('focusin', () => this.#stop())
    this.#body.addEventListener('click', (event) => {
      const id = event.target instanceof Element ? event.target.closest('tr')?.dataset['id'] : undefined
      if (id !== undefined) choose(Number(id))
    })
  }

  /** @param {number | undefined} id */
  mark(id) {
    this.#chosen = id
    for (const row of this.#body.rows) this.#marked(row)
    this.#stop()
  }

  /** Tab stops at one row, and arrow keys reach the others: behind a thousand rows nobody would get to the details. */
  #stop() {
    const [first] = this.#body.rows
    const row = document.activeElement?.closest('#rows tr') ?? this.#body.querySelector('.chosen') ?? first
    for (const button of this.#body.querySelectorAll('[tabindex="0"]')) button.setAttribute('tabindex', '-1')
    row?.querySelector('button')?.setAttribute('tabindex', '0')
  }

  /** @param {HTMLElement} row */
  #marked(row) {
    const isChosen = row.dataset['id'] === String(this.#chosen)
    row.classList.toggle('chosen', isChosen)
    row.querySelector('button')?.setAttribute('aria-current', String(isChosen))
    return row
  }

  /** @param {number} id */
  focus(id) {
    this.#body.querySelector(`tr[data-id="${id}"]`)?.querySelector('button')?.focus()
  }

  /**
   * Updates the table to the kept calls that match.
   * @param {Filter} filter
   * @returns {CallSummary[]} the matching calls, newest first
   */
  show(filter) {
    const fitting = [...this.calls.values()].filter((call) => fits(call, filter)).sort((a, b) => b.id - a.id)
    const rows = fitting.slice(0, MOST_ROWS)
    this.#rows.show(rows.map((call) => ({ key: call.id, source: call, make: () => this.#marked(rowOf(call)) })))
    this.#stop()
    const over = fitting.length > MOST_ROWS
    byId('none').hidden = fitting.length > 0 && !over
    byId('none').textContent = over
      ? `Only the newest ${MOST_ROWS} are listed: search for the others.`
      : `No call ${this.calls.size === 0 ? 'yet. Point a client at the bridge.' : 'fits the filters.'}`
    return fitting
  }

  /** @param {KeyboardEvent} event */
  #moved(event) {
    const row = document.activeElement?.closest('tr')
    const { firstElementChild: Home, lastElementChild: End } = this.#body
    const to = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling, Home, End }[event.key]
    if (!(to instanceof HTMLTableRowElement)) return
    event.preventDefault()
    to.querySelector('button')?.focus()
    if (this.#chosen !== undefined) this.#choose(Number(to.dataset['id']))
  }
}

/** @param {CallSummary} call */
export const tone = ({ status = 0, error }) =>
  error !== undefined || status >= 500 ? 'bad' : status >= 400 ? 'poor' : ''

/** @param {CallSummary} call */
function rowOf(call) {
  const { id, at, target, status, error, lane, open, milliseconds, changes, losses } = call
  return element(
    `tr.${tone(call)}`,
    { 'data-id': String(id) },
    element('td.time', clock(at).slice(0, 8), element('span.fine', clock(at).slice(8))),
    element('td.versions', versions(call)),
    element('td.call', element('button', { type: 'button', tabindex: '-1', title: target }, ...path(call))),
    element('td.status', String(status ?? '…'), error === undefined ? undefined : element('span.fine', ` ${error}`)),
    element('td.lane', lane ?? 'refused'),
    open
      ? element('td.number.duration.long', element('span.live', 'open'))
      : element(`td.number.duration${milliseconds < 10_000 ? '' : '.long'}`, duration(milliseconds)),
    element('td.number.changes', badge(changes, 'change', 'changes')),
    element('td.number.losses', badge(losses, 'loss', 'losses')),
  )
}

/** @param {number} number @param {string} one @param {string} more */
const badge = (number, one, more) =>
  number === 0 ? undefined : element('span.count-of', String(number), unseen(number === 1 ? ` ${one}` : ` ${more}`))

/** @param {CallSummary} call */
export const versions = ({ client = '?', engine }) => (engine === undefined ? client : `${client} → ${engine}`)

/**
 * The path, with the template's parameter values highlighted.
 * @param {CallSummary} call
 * @returns {(Node | string | undefined)[]}
 */
export function path({ method, target, endpoint }) {
  const [way = '', ...query] = target.replace(/^\/v\d[\d.]*(?=\/)/, '').split('?')
  const [before = '', after] = endpoint.split(/\{\w+\}/)
  const fits = after !== undefined && way.startsWith(before) && way.endsWith(after)
  const parameter = fits ? way.slice(before.length, way.length - after.length) : ''
  return [
    element('span.method', method),
    ' ',
    ...(fits ? [before, element('span.parameter', shortIds(decoded(parameter))), after] : [shortIds(way)]),
    query.length === 0 ? undefined : element('span.query', `?${shortIds(decoded(query.join('?')))}`),
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
