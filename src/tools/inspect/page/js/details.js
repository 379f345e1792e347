import { byId, Children, clock, counted, element, inUnits, shortIds, size } from './dom.js'
import { path, tone, versions } from './list.js'
import { section, tunnelSection, twoSides } from './sides.js'

/**
 * @typedef {import('../../shown/view.ts').CallDetails & { readonly sentences: Readonly<Record<string, string>> }} Details
 */

/** The selected call, in sections. */
export class Panel {
  #panel = byId('details')
  #parts = new Children(this.#panel)
  #leave

  /** @param {() => void} leave */
  constructor(leave) {
    this.#leave = leave
    this.#panel.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') leave()
    })
    this.say()
  }

  /** In place of a call. */
  say(message = 'Choose a call to see both of its sides.') {
    const make = () => element('div', this.#back(), element('h2.none', { id: 'details-title' }, message))
    this.#parts.show([{ key: message, source: message, make }])
  }

  focus() {
    this.#panel.focus({ preventScroll: true })
  }

  /** @param {Details} call */
  show(call) {
    const { id } = call.summary
    const sections = Object.entries(sectionsOf(call)).flatMap(([name, made]) => {
      if (!made) return []
      const [source, make] = made
      return [{ key: `${id} ${name}`, source: JSON.stringify(source), make }]
    })
    const head = { key: id, source: JSON.stringify(call.summary), make: () => this.#head(call) }
    this.#parts.show([head, ...sections])
  }

  #back() {
    return element('button.back', { type: 'button', click: this.#leave }, 'Back to the list')
  }

  /** @param {Details} call */
  #head({ summary }) {
    const { status, error, lane, open, changes, losses } = summary
    const link = (/** @type {string} */ name, /** @type {string} */ text) =>
      element(name, { href: `#part-${text.includes('change') ? 'changes' : 'losses'}` }, text)
    return element(
      'header',
      this.#back(),
      element('h2', { id: 'details-title' }, ...path(summary)),
      element(
        'p.pills',
        element(`span.pill${tone(summary) === '' ? '' : '.poor'}`, String(status ?? 'no answer yet')),
        error === undefined ? undefined : element('span.pill.bad', error),
        element('span.pill', versions(summary)),
        element('span.pill', lane ?? 'refused'),
        changes === 0 ? undefined : link('a.pill', counted(changes, 'change')),
        losses === 0 ? undefined : link('a.pill.poor', counted(losses, 'loss', 'losses')),
        open ? element('span.pill.live', 'open') : undefined,
      ),
    )
  }
}

/**
 * Each section's name, its input, and its renderer.
 * @param {Details} call
 */
function sectionsOf(call) {
  const { summary, record, clientRequest, engineRequest, engineResponse, clientResponse, tunnel } = call
  const { losses = [], findings = [], ignored = [], changes: planned = [], error } = record
  const noted = losses.length + findings.length + ignored.length > 0 || error !== undefined
  const asked = { client: clientRequest, engine: engineRequest }
  const answered = { client: clientResponse, engine: engineResponse }
  const missing = summary.engine === undefined ? 'It was not forwarded.' : 'Nothing went to the engine.'
  /** @type {{ [name: string]: false | [unknown, () => HTMLElement] }} */
  const sections = {
    call: [[summary, record.duration], () => overview(call)],
    notes: noted && [[losses, findings, ignored, error], () => notes(call)],
    request: [asked, () => twoSides('Request', asked, missing)],
    response: (clientResponse ?? engineResponse) !== undefined && [
      answered,
      () => twoSides('Response', answered, 'The bridge itself responded.'),
    ],
    tunnel: tunnel !== undefined && [tunnel, () => tunnelSection(tunnel)],
    changes: planned.length > 0 && [[planned, call.applied], () => changes(call)],
  }
  return sections
}

/** @param {Details} call */
function overview({ summary, record }) {
  const { total = 0, engine = 0, bridge = 0 } = record.duration ?? {}
  const peer = record.peer.certificate?.subject ?? record.peer.address
  const { decision, rule, reason } = record.policy ?? {}
  const facts = {
    Came: clock(summary.at),
    Operation: summary.operation ?? 'not in any table',
    Endpoint: summary.endpoint,
    Client: record.userAgent,
    From: peer === undefined ? record.listener : `${peer} to ${record.listener}`,
    Bytes: `${size(summary.bytesIn)} from the client, ${size(summary.bytesOut)} to it`,
    'Ended by': record.endedBy,
    Policy: [decision, rule, reason].filter(Boolean).join(', '),
    'Further calls': record.furtherCalls?.map(({ method, path: to }) => `${method} ${shortIds(to)}`).join('\n'),
    'Audit id': record.auditId,
  }
  const rows = Object.entries(facts).map(([name, value]) =>
    value ? element('div', element('dt', name), element('dd', value)) : undefined,
  )
  const parts = { bridge, engine, body: Math.max(0, total - engine - bridge) }
  return section('Call', inUnits(total), timeline(parts, total), element('dl', ...rows))
}

/** @param {{ bridge: number, engine: number, body: number }} parts @param {number} total */
function timeline(parts, total) {
  const bar = element('div.timeline', { 'aria-hidden': 'true' })
  const words = element('p.times')
  for (const [name, time] of Object.entries(parts)) {
    const piece = element(`span.${name}`)
    piece.style.flexGrow = String(total === 0 ? 1 : time / total)
    bar.append(piece)
    const label = name === 'engine' ? 'engine’s head' : name
    words.append(element(`span.of.${name}`, `${label} ${inUnits(time)}`), ' ')
  }
  return element('div.timing', bar, words)
}

/** @param {Details} call */
function notes({ record, sentences }) {
  const { error, losses = [], ignored = [], findings = [] } = record
  /** @param {string} kind @param {string} label @param {string} text @param {string} [more] */
  const note = (kind, label, text, more) =>
    element(`li.${kind}`, element('strong', label), ' ', text, more === undefined ? more : element('small', more))
  const list = [
    ...(error === undefined ? [] : [note('bad', error.code, error.message)]),
    ...losses.map(({ what, change, needs, outcome }) => {
      const label = outcome === 'warned' ? 'lost' : 'left out'
      return note('lost', label, `${what} needs API ${needs}.`, `${change}: ${sentences[change] ?? ''}`)
    }),
    ...ignored.map((what) => note('', 'ignored', `${what}, as an engine of the client’s version would`)),
    ...findings.map(({ field, rule }) => note('', 'not valid', `${field} ${rule}`)),
  ]
  const more = losses.length === 0 ? '' : counted(losses.length, 'loss', 'losses')
  return section('Losses and notes', more, element('ul.notes', ...list))
}

/** @param {Details} call */
function changes({ record, applied, sentences }) {
  const { request, response } = applied
  const planned = record.changes ?? []
  const done = new Set([...(request ?? []), ...(response ?? [])])
  const rest = planned.filter((id) => !done.has(id))
  const unknown = request === undefined || response === undefined
  const idle = `${rest.length} more ${rest.length === 1 ? 'lies' : 'lie'} between the versions and had nothing to do`
  /** @param {Iterable<string>} ids */
  const list = (ids) =>
    element(
      'ul.change-list',
      ...[...ids].map((id) =>
        element(
          'li',
          element('code', id),
          request?.includes(id) ? element('span.tag', 'request') : undefined,
          response?.includes(id) ? element('span.tag', 'answer') : undefined,
          element('span.sentence', sentences[id] ?? ''),
        ),
      ),
    )
  const summary = unknown ? `${rest.length} more may have; bodies above 64 KiB are not compared` : idle
  const others = element('details.rest', element('summary', summary), list(rest))
  return section(
    'Changes applied',
    `${done.size} of ${planned.length}`,
    list(done),
    rest.length > 0 ? others : undefined,
  )
}
