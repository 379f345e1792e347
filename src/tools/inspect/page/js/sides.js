import { align, differentPart, folded } from './diff.js'
import { counted, element, size, unseen } from './dom.js'
import { pretty } from './pretty.js'

/**
 * @typedef {import('../../shown/view.ts').Message} Message
 * @typedef {import('../../shown/view.ts').StreamText} StreamText
 * @typedef {import('./diff.js').Row} Row
 */

/** Limit of lines shown per message; more would slow down the page. */
const MOST_LINES = 6000
/** Lines shown at the end of a stream that is the same on both sides: users look for the latest ones. */
const LAST_OF_STREAM = 20

/**
 * A part of the selected call that can be closed.
 * @param {string} title
 * @param {string} more
 * @param {...(Node | undefined)} children
 */
export function section(title, more, ...children) {
  const summary = element('summary', element('h3', title), more === '' ? undefined : element('span.more', more))
  const id = `part-${title.toLowerCase().split(' ', 1)[0]}`
  return element('details.part', { open: '', id }, summary, ...children)
}

/**
 * @param {string} title
 * @param {{ readonly client: Message | undefined, readonly engine: Message | undefined }} sides
 * @param {string} missing said where there is one side only
 */
export function twoSides(title, { client, engine }, missing) {
  const stream = client?.stream ?? engine?.stream
  const bytes = stream === undefined ? '' : size(stream.bytes)
  const said = new Set([about(client), about(engine)].filter((text) => text !== ''))
  const both = client !== undefined && engine !== undefined
  const records = both && client.stream?.text !== engine.stream?.text
  const [left = [], right = left] = [client, engine].flatMap((side) => (side ? [linesOf(side, records)] : []))
  const rows = align(left, right)
  const differ = rows.filter(({ mark }) => mark !== 'same').length
  const more = differ === 0 ? 'the same on both sides' : `${counted(differ, 'line differs', 'lines differ')}`
  return section(
    title,
    [both ? more : '', bytes].filter(Boolean).join(' · '),
    both ? undefined : element('p.says', missing),
    differ === 0
      ? element('pre.lines', left.join('\n'))
      : diffTable(folded(rows, undefined, stream === undefined ? 0 : LAST_OF_STREAM)),
    ...[...said].map((text) => element('p.says', text)),
  )
}

/**
 * Head, a blank line, body. Headers are sorted by name: their order is irrelevant and would hide real differences.
 * @param {Message} message
 * @param {boolean} records show the records of a stream with one member per line
 */
function linesOf({ line, headers, body, stream }, records) {
  const text = body?.json ?? body?.text
  const isJson = body?.json !== undefined || /^\s*[[{]/.test(text ?? '')
  const lines = [
    ...(stream?.forgotten ? [`… the first ${stream.forgotten} characters are not kept`] : []),
    ...(text === undefined ? [] : isJson ? pretty(text) : text.split('\n')),
    ...streamLines(stream?.text ?? '', records),
  ]
  const over = lines.length - MOST_LINES
  if (over > 0 && stream === undefined) lines.splice(MOST_LINES, over, `… and ${over} more lines`)
  else if (over > 0) lines.splice(0, over, `… ${over} lines before these`)
  const heads = headers.map(([name, value]) => `${name}: ${value}`)
  heads.sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase(), 'en'))
  return [line, ...heads, ...(lines.length === 0 ? [] : ['', ...lines])]
}

/** @param {string} text @param {boolean} records */
function streamLines(text, records) {
  if (text === '') return []
  const lines = text.replace(/\n$/, '').split('\n')
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

/** Notes about a body. @param {Message | undefined} message */
function about({ body, stream } = { line: '', headers: [] }) {
  const withheld = stream === undefined ? body?.withheld : stream.withheld
  const said = [
    body?.withheld === undefined && body?.redacted && 'secrets are taken out',
    body?.withheld === undefined && body?.cut && 'its beginning; the rest is not kept',
    withheld && `${size(stream?.bytes ?? body?.bytes ?? 0)}: ${WITHHELD[withheld]}`,
  ]
  return said.filter(Boolean).join('; ')
}

const MARKS = {
  same: ['', ''],
  changed: ['≠', 'changed'],
  client: ['−', 'client only'],
  engine: ['+', 'engine only'],
}

/** @param {ReturnType<typeof folded>} pieces */
function diffTable(pieces) {
  const header = (/** @type {string} */ selector, /** @type {Node | string} */ text) =>
    element(selector, { role: 'columnheader' }, text)
  const heads = [header('div', 'Client'), header('div.gutter', unseen('Difference')), header('div', 'Engine')]
  const lines = pieces.map((piece) => ('hidden' in piece ? fold(piece.hidden) : line(piece)))
  return element(
    'div.diff',
    { role: 'table', 'aria-label': 'Client and engine' },
    element('div', { role: 'rowgroup' }, row('div.head', ...heads)),
    element('div', { role: 'rowgroup' }, ...lines),
  )
}

/** @param {string} selector @param {...Node} cells */
const row = (selector, ...cells) => element(selector, { role: 'row' }, ...cells)
/** @param {string} selector @param {...(Node | string)} content */
const cell = (selector, ...content) => element(selector, { role: 'cell' }, ...content)

/** @param {readonly Row[]} hidden */
function fold(hidden) {
  const open = () => folds.replaceWith(...hidden.map(line))
  const button = element('button', { type: 'button', click: open }, `… ${hidden.length} equal lines`)
  const folds = row('div.fold', cell('div', button))
  return folds
}

/** @param {Row} row */
function line({ mark, left, right }) {
  const [sign = '', word = ''] = MARKS[mark]
  const part = mark === 'changed' ? differentPart(left, right) : { start: 0, left: 0, right: 0 }
  return row(
    `div.${mark}`,
    cell('div.left', ...marked(left, part.start, part.left, 'del')),
    cell('div.gutter', element('span', { 'aria-hidden': 'true' }, sign), unseen(word)),
    cell('div.right', ...marked(right, part.start, part.right, 'ins')),
  )
}

/** @param {string} text @param {number} start @param {number} end @param {'del' | 'ins'} tag */
const marked = (text, start, end, tag) =>
  end > start ? [text.slice(0, start), element(tag, text.slice(start, end)), text.slice(end)] : [text]

/** @param {{ readonly client: StreamText, readonly engine: StreamText }} tunnel */
export function tunnelSection({ client, engine }) {
  const more = `${size(client.bytes)} from the client, ${size(engine.bytes)} from the engine`
  return section(
    'Tunnel',
    more,
    element('div.tunnel', pane('From the client', client), pane('From the engine', engine)),
  )
}

/** @param {string} title @param {StreamText} stream */
function pane(title, { bytes, text, forgotten, withheld }) {
  const start = forgotten > 0 ? `… the first ${forgotten} characters are not kept\n` : ''
  return element(
    'section',
    element('h4', title, ' ', element('span.more', size(bytes))),
    text === '' && start === ''
      ? element('p.says', withheld === undefined ? 'nothing yet' : WITHHELD[withheld])
      : element('pre.growing', { tabindex: '0', 'aria-label': title }, start + text),
  )
}
