import { align, differentPart, folded } from './diff.js'
import { byId, clock, duration, element, shortIds, size, unseen } from './dom.js'
import { path, versions } from './list.js'
import { pretty } from './pretty.js'

/**
 * @typedef {import('../../shown/view.ts').CallDetails & { readonly sentences: Readonly<Record<string, string>> }} Details
 * @typedef {import('../../shown/view.ts').Message} Message
 * @typedef {import('../../shown/view.ts').StreamText} StreamText
 * @typedef {import('./diff.js').Row} Row
 */

/** Limit of lines shown per message; more would slow down the page. */
const MOST_LINES = 6000
/** Lines shown at the end of a stream that is the same on both sides: users look for the latest ones. */
const LAST_OF_STREAM = 20

/** The selected call, in sections; unchanged sections keep their DOM, with opened parts. */
export class Panel {
  #panel = byId('details')
  /** @type {Map<string, { key: string, node: HTMLElement }>} */
  #sections = new Map()
  #id = 0
  #leave

  /** @param {() => void} leave */
  constructor(leave) {
    this.#leave = leave
    this.#panel.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') leave()
    })
  }

  empty() {
    this.#id = 0
    this.#sections.clear()
    const says = 'Choose a call to see both of its sides.'
    this.#panel.replaceChildren(element('h2', { id: 'details-title', class: 'none' }, says))
  }

  focus() {
    this.#panel.focus({ preventScroll: true })
  }

  /** @param {string} message */
  gone(message) {
    this.empty()
    const title = element('h2', { id: 'details-title', class: 'none' }, message)
    this.#panel.replaceChildren(this.#back(), title)
  }

  /** @param {Details} call */
  show(call) {
    const known = this.#id === call.summary.id ? this.#sections : new Map()
    if (known !== this.#sections) this.#panel.scrollTop = 0
    /** @type {Map<string, { key: string, node: HTMLElement }>} */
    const sections = new Map()
    for (const [name, source, make] of sectionsOf(call)) {
      const key = JSON.stringify(source)
      const before = known.get(name)
      sections.set(name, before?.key === key ? before : { key, node: replacing(before?.node, make()) })
    }
    this.#id = call.summary.id
    this.#sections = sections
    const nodes = [this.#head(call), ...[...sections.values()].map(({ node }) => node)]
    const focused = document.activeElement
    const at = this.#panel.scrollTop
    this.#panel.replaceChildren(...nodes)
    this.#panel.scrollTop = at
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true })
    for (const pane of this.#panel.querySelectorAll('pre.growing[data-end]')) pane.scrollTop = pane.scrollHeight
  }

  #back() {
    return element('button', { type: 'button', class: 'back', click: this.#leave }, 'Back to the list')
  }

  /** @param {Details} call */
  #head({ summary }) {
    const { status, error, lane, open, changes: done, losses } = summary
    return element(
      'header',
      {},
      this.#back(),
      element('h2', { id: 'details-title' }, ...path(summary)),
      element(
        'p',
        { class: 'pills' },
        element(
          'span',
          { class: `pill ${error !== undefined || (status ?? 0) >= 400 ? 'poor' : ''}` },
          status === undefined ? 'no answer yet' : String(status),
        ),
        error === undefined ? '' : element('span', { class: 'pill bad' }, error),
        element('span', { class: 'pill' }, versions(summary)),
        element('span', { class: 'pill' }, lane ?? 'refused'),
        done === 0
          ? ''
          : element('a', { class: 'pill', href: '#part-changes' }, `${done} ${done === 1 ? 'change' : 'changes'}`),
        losses === 0
          ? ''
          : element('a', { class: 'pill poor', href: '#part-losses' }, `${losses} ${losses === 1 ? 'loss' : 'losses'}`),
        open ? element('span', { class: 'pill live' }, 'open') : '',
      ),
    )
  }
}

/**
 * A stream scrolled to its end stays there.
 * @param {HTMLElement | undefined} before
 * @param {HTMLElement} made
 */
function replacing(before, made) {
  const [old, panes] = [before?.querySelectorAll('pre.growing') ?? [], made.querySelectorAll('pre.growing')]
  panes.forEach((pane, i) => {
    const was = old[i]
    if (was === undefined || was.scrollTop + was.clientHeight >= was.scrollHeight - 8) pane.setAttribute('data-end', '')
  })
  if (before instanceof HTMLDetailsElement && made instanceof HTMLDetailsElement) made.open = before.open
  return made
}

/**
 * Each section's name, its input, and its renderer.
 * @param {Details} call
 * @returns {[string, unknown, () => HTMLElement][]}
 */
function sectionsOf(call) {
  const { summary, record, clientRequest, engineRequest, engineResponse, clientResponse, tunnel } = call
  /** @type {[string, unknown, () => HTMLElement][]} */
  const sections = [['call', [summary, record.duration], () => overview(call)]]
  const { losses = [], findings = [], ignored = [], error } = record
  if (losses.length + findings.length + ignored.length > 0 || error !== undefined)
    sections.push(['notes', [losses, findings, ignored, error], () => notes(call)])
  const sent = summary.engine !== undefined
  sections.push([
    'request',
    [clientRequest, engineRequest],
    () =>
      twoSides('Request', clientRequest, engineRequest, sent ? 'Nothing went to the engine.' : 'It was not forwarded.'),
  ])
  if (clientResponse !== undefined || engineResponse !== undefined)
    sections.push([
      'response',
      [clientResponse, engineResponse],
      () => twoSides('Response', clientResponse, engineResponse, 'The bridge itself responded.'),
    ])
  if (tunnel !== undefined) sections.push(['tunnel', tunnel, () => tunnelSection(tunnel)])
  if ((record.changes ?? []).length > 0) sections.push(['changes', [record.changes, call.applied], () => changes(call)])
  return sections
}

/**
 * @param {string} title
 * @param {string} more
 * @param {...Node} children
 */
function section(title, more, ...children) {
  return element(
    'details',
    { open: true, class: 'part', id: `part-${title.toLowerCase().split(' ', 1)[0]}` },
    element('summary', {}, element('h3', {}, title), more === '' ? '' : element('span', { class: 'more' }, more)),
    ...children,
  )
}

/** @param {Details} call */
function overview({ summary, record, userAgent }) {
  const { total = 0, engine = 0, bridge = 0 } = record.duration ?? {}
  const peer = record.peer.certificate?.subject ?? record.peer.address
  const further = record.furtherCalls ?? []
  /** @type {[string, string | undefined][]} */
  const facts = [
    ['Came', clock(summary.at)],
    ['Operation', summary.operation ?? 'not in any table'],
    ['Endpoint', summary.endpoint],
    ['Client', userAgent],
    ['From', peer === undefined ? record.listener : `${peer} to ${record.listener}`],
    ['Bytes', `${size(summary.bytesIn)} from the client, ${size(summary.bytesOut)} to it`],
    ['Ended by', record.endedBy],
    [
      'Policy',
      record.policy && [record.policy.decision, record.policy.rule, record.policy.reason].filter(Boolean).join(', '),
    ],
    [
      'Further calls',
      further.length === 0 ? undefined : further.map(({ method, path: to }) => `${method} ${shortIds(to)}`).join('\n'),
    ],
    ['Audit id', record.auditId],
  ]
  const list = element('dl', {})
  for (const [name, value] of facts)
    if (value !== undefined) list.append(element('div', {}, element('dt', {}, name), element('dd', {}, value)))
  return section('Call', `${duration(total)}${total < 10_000 ? ' ms' : ''}`, timeline({ total, engine, bridge }), list)
}

/** @param {{ total: number, engine: number, bridge: number }} times */
function timeline({ total, engine, bridge }) {
  const left = Math.max(0, total - engine - bridge)
  /** @type {[string, string, number][]} */
  const parts = [
    ['bridge', 'bridge', bridge],
    ['engine', 'engine’s head', engine],
    ['body', 'body', left],
  ]
  const bar = element('div', { class: 'timeline', 'aria-hidden': 'true' })
  const words = element('p', { class: 'times' })
  for (const [name, label, time] of parts) {
    const piece = element('span', { class: name })
    piece.style.flexGrow = String(total === 0 ? 1 : time / total)
    bar.append(piece)
    const unit = time < 10_000 ? ' ms' : ''
    words.append(element('span', { class: `of ${name}` }, `${label} ${duration(time)}${unit}`), ' ')
  }
  return element('div', { class: 'timing' }, bar, words)
}

/** @param {Details} call */
function notes({ record, sentences }) {
  const list = element('ul', { class: 'notes' })
  /** @param {string} kind @param {string} label @param {string} text @param {string} [more] */
  const note = (kind, label, text, more) =>
    list.append(
      element('li', { class: kind }, element('strong', {}, label), ' ', text, more ? element('small', {}, more) : ''),
    )
  if (record.error !== undefined) note('bad', record.error.code, record.error.message)
  for (const { what, change, needs, outcome } of record.losses ?? [])
    note(
      'lost',
      outcome === 'warned' ? 'lost' : 'left out',
      `${what} needs API ${needs}.`,
      `${change}: ${sentences[change] ?? ''}`,
    )
  for (const what of record.ignored ?? []) note('', 'ignored', `${what}, as an engine of the client’s version would`)
  for (const { field, rule } of record.findings ?? []) note('', 'not valid', `${field} ${rule}`)
  const number = record.losses?.length ?? 0
  return section('Losses and notes', number === 0 ? '' : `${number} ${number === 1 ? 'loss' : 'losses'}`, list)
}

/** @param {Details} call */
function changes({ record, applied, sentences }) {
  const planned = record.changes ?? []
  const done = new Set([...(applied.request ?? []), ...(applied.response ?? [])])
  const unknown = applied.request === undefined || applied.response === undefined
  /** @param {string} id */
  const row = (id) =>
    element(
      'li',
      {},
      element('code', {}, id),
      applied.request?.includes(id) ? element('span', { class: 'tag' }, 'request') : '',
      applied.response?.includes(id) ? element('span', { class: 'tag' }, 'answer') : '',
      element('span', { class: 'sentence' }, sentences[id] ?? ''),
    )
  const rest = planned.filter((id) => !done.has(id))
  const others = element(
    'details',
    { class: 'rest' },
    element(
      'summary',
      {},
      unknown
        ? `${rest.length} more may have; bodies above 64 KiB are not compared`
        : `${rest.length} more ${rest.length === 1 ? 'lies' : 'lie'} between the versions and had nothing to do`,
    ),
    element('ul', { class: 'change-list' }, ...rest.map(row)),
  )
  const list = element('ul', { class: 'change-list' }, ...[...done].map(row))
  return section('Changes applied', `${done.size} of ${planned.length}`, list, ...(rest.length === 0 ? [] : [others]))
}

/**
 * @param {string} title
 * @param {Message | undefined} client
 * @param {Message | undefined} engine
 * @param {string} missing
 */
function twoSides(title, client, engine, missing) {
  const streams = [client?.stream, engine?.stream].filter((stream) => stream !== undefined)
  const last = client?.stream ?? engine?.stream
  const said = streams.length === 0 ? '' : size(last?.bytes ?? 0)
  if (engine === undefined || client === undefined) {
    const only = client ?? engine
    const rows = (only === undefined ? [] : linesOf(only)).map(
      (line) => /** @type {Row} */ ({ mark: 'same', left: line, right: line }),
    )
    return section(title, said, element('p', { class: 'says' }, missing), diffTable(rows, true), ...about(only))
  }
  const records = client.stream?.text !== engine.stream?.text
  const rows = align(linesOf(client, records), linesOf(engine, records))
  const differ = rows.filter(({ mark }) => mark !== 'same').length
  const more = differ === 0 ? 'the same on both sides' : `${differ} ${differ === 1 ? 'line differs' : 'lines differ'}`
  const parts = [
    ...about(client),
    ...about(engine).filter((part) => !about(client).some((other) => other.textContent === part.textContent)),
  ]
  return section(
    title,
    [more, said].filter(Boolean).join(' · '),
    diffTable(rows, differ === 0, streams.length === 0 ? 0 : LAST_OF_STREAM),
    ...parts,
  )
}

/**
 * Head, a blank line, body. Headers are sorted by name: their order is irrelevant and would hide real differences.
 * @param {Message} message
 * @param {boolean} [records] show the records of a stream with one member per line
 */
function linesOf({ line, headers, body, stream }, records = false) {
  const text = body?.json ?? body?.text
  const lines = [
    ...(stream?.forgotten ? [`… the first ${stream.forgotten} characters are not kept`] : []),
    ...(text === undefined ? [] : body?.json === undefined && !/^\s*[[{]/.test(text) ? text.split('\n') : pretty(text)),
    ...streamLines(stream, records),
  ]
  const over = lines.length - MOST_LINES
  const kept =
    over <= 0
      ? lines
      : stream === undefined
        ? [...lines.slice(0, MOST_LINES), `… and ${over} more lines`]
        : [`… ${over} lines before these`, ...lines.slice(over)]
  const heads = headers.map(([name, value]) => `${name}: ${value}`)
  heads.sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), 'en'))
  return kept.length === 0 ? [line, ...heads] : [line, ...heads, '', ...kept]
}

/**
 * @param {StreamText | undefined} stream
 * @param {boolean} records
 */
function streamLines(stream, records) {
  if (stream === undefined || stream.text === '') return []
  const lines = stream.text.replace(/\n$/, '').split('\n')
  return records ? lines.flatMap((line) => (line.startsWith('{') ? pretty(line) : [line])) : lines
}

const WITHHELD = {
  stream: 'bytes are counted, not kept',
  'not-json': 'no JSON: not kept',
  'too-large': 'too large to be kept',
  incomplete: 'it was cut off: not kept',
  bytes: 'bytes are counted, not kept',
  typed: 'what is typed is counted, not kept (--inspect-input)',
  unreadable: 'a record is too large to be shown',
}

/**
 * Notes about a body.
 * @param {Message | undefined} message
 */
function about(message) {
  const { body, stream } = message ?? {}
  const withheld = stream?.withheld ?? (stream === undefined ? body?.withheld : undefined)
  const said = [
    body?.redacted && 'secrets are taken out',
    body?.cut && body.withheld === undefined && 'its beginning; the rest is not kept',
    withheld && `${size(stream?.bytes ?? body?.bytes ?? 0)}: ${WITHHELD[withheld]}`,
  ].filter((part) => typeof part === 'string')
  return said.length === 0 ? [] : [element('p', { class: 'says' }, said.join('; '))]
}

const MARKS = {
  same: ['', ''],
  changed: ['≠', 'changed'],
  client: ['−', 'client only'],
  engine: ['+', 'engine only'],
}

/**
 * @param {readonly Row[]} rows
 * @param {boolean} single
 * @param {number} last
 */
function diffTable(rows, single, last = 0) {
  const body = element('div', { role: 'rowgroup' })
  const head = element(
    'div',
    { role: 'row', class: 'head' },
    element('div', { role: 'columnheader' }, single ? 'Both' : 'Client'),
    ...(single
      ? []
      : [
          element('div', { role: 'columnheader', class: 'gutter' }, unseen('Difference')),
          element('div', { role: 'columnheader' }, 'Engine'),
        ]),
  )
  for (const piece of single ? rows : folded(rows, undefined, last)) {
    if ('hidden' in piece) body.append(fold(piece.hidden))
    else body.append(line(piece, single))
  }
  return element(
    'div',
    { role: 'table', class: single ? 'diff single' : 'diff', 'aria-label': 'Client and engine' },
    element('div', { role: 'rowgroup' }, head),
    body,
  )
}

/** @param {readonly Row[]} hidden */
function fold(hidden) {
  const cell = element('div', { role: 'cell' })
  const row = element('div', { role: 'row', class: 'fold' }, cell)
  const open = () => row.replaceWith(...hidden.map((one) => line(one, false)))
  cell.append(element('button', { type: 'button', click: open }, `… ${hidden.length} equal lines`))
  return row
}

/** @param {Row} row @param {boolean} single */
function line({ mark, left, right }, single) {
  const [sign = '', word = ''] = MARKS[mark]
  const [one, other] = mark === 'changed' ? marked(left, right) : [[left], [right]]
  const client = element('div', { role: 'cell', class: 'left' }, ...one)
  if (single) return element('div', { role: 'row', class: 'same' }, client)
  const gutter = element(
    'div',
    { role: 'cell', class: 'gutter' },
    element('span', { 'aria-hidden': 'true' }, sign),
    unseen(word),
  )
  return element(
    'div',
    { role: 'row', class: mark },
    client,
    gutter,
    element('div', { role: 'cell', class: 'right' }, ...other),
  )
}

/**
 * @param {string} left
 * @param {string} right
 * @returns {[(Node | string)[], (Node | string)[]]}
 */
function marked(left, right) {
  const part = differentPart(left, right)
  /** @param {string} text @param {number} end @param {'del' | 'ins'} tag */
  const pieces = (text, end, tag) => [
    text.slice(0, part.start),
    end > part.start ? element(tag, {}, text.slice(part.start, end)) : '',
    text.slice(end),
  ]
  return [pieces(left, part.left, 'del'), pieces(right, part.right, 'ins')]
}

/** @param {{ readonly client: StreamText, readonly engine: StreamText }} tunnel */
function tunnelSection({ client, engine }) {
  const more = `${size(client.bytes)} from the client, ${size(engine.bytes)} from the engine`
  return section(
    'Tunnel',
    more,
    element('div', { class: 'tunnel' }, pane('From the client', client), pane('From the engine', engine)),
  )
}

/** @param {string} title @param {StreamText} stream */
function pane(title, { bytes, text, forgotten, withheld }) {
  const says = withheld === undefined ? '' : WITHHELD[withheld]
  const start = forgotten > 0 ? `… the first ${forgotten} characters are not kept\n` : ''
  return element(
    'section',
    {},
    element('h4', {}, title, ' ', element('span', { class: 'more' }, size(bytes))),
    text === '' && start === ''
      ? element('p', { class: 'says' }, says || 'nothing yet')
      : element('pre', { class: 'growing', tabindex: '0', 'aria-label': title }, start + text),
  )
}
