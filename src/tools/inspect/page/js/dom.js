/** Bidirectional controls (UAX 9) and characters without width, which make one name look like another. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** @param {string} text */
const inOrder = (text) => text.replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * An element: `element('p.pills', { id: 'x' }, 'text', child)`. Texts become text, never markup; functions listen.
 * @param {string} selector tag and classes
 * @param {...(string | undefined | Node | { readonly [name: string]: string | ((event: Event) => void) })} content
 */
export function element(selector, ...content) {
  const [tag = '', ...classes] = selector.split('.')
  const made = document.createElement(tag)
  if (classes.length > 0) made.className = classes.join(' ').trim()
  for (const item of content) {
    if (item === undefined) continue
    if (typeof item === 'string' || item instanceof Node) {
      made.append(typeof item === 'string' ? inOrder(item) : item)
      continue
    }
    for (const [name, value] of Object.entries(item))
      if (typeof value === 'function') made.addEventListener(name, value)
      else made.setAttribute(name, value)
  }
  return made
}

/**
 * Children of an element by key. A child is made anew only where its source is another: those that stay keep focus,
 * scroll positions and opened parts.
 * @typedef {{ readonly key: unknown, readonly source: unknown, make(): HTMLElement }} Part
 */
export class Children {
  #parent
  /** @type {Map<unknown, { readonly source: unknown, readonly node: HTMLElement }>} */
  #shown = new Map()

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.#parent = parent
  }

  /** @param {readonly Part[]} parts in their order */
  show(parts) {
    const keys = new Set(parts.map(({ key }) => key))
    for (const [key, { node }] of this.#shown) if (!keys.has(key)) node.remove()
    const before = this.#shown
    this.#shown = new Map(parts.map((part) => [part.key, renewed(part, before.get(part.key))]))
    let next = this.#parent.firstElementChild
    for (const { node } of this.#shown.values())
      if (node === next) next = node.nextElementSibling
      else this.#parent.insertBefore(node, next)
  }
}

/** @param {Part} part @param {{ readonly source: unknown, readonly node: HTMLElement } | undefined} before */
function renewed({ source, make }, before) {
  if (before !== undefined && before.source === source) return before
  const node = make()
  if (before?.node.matches('details:not([open])')) node.removeAttribute('open')
  const focused = focusable(before?.node).indexOf(/** @type {HTMLElement} */ (document.activeElement))
  before?.node.replaceWith(node)
  focusable(node)[focused]?.focus({ preventScroll: true })
  return { source, node }
}

/** @param {HTMLElement} [node] @returns {HTMLElement[]} */
const focusable = (node) => Array.from(node?.querySelectorAll('a, button, summary, [tabindex]') ?? [])

/**
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no #${id}`)
  return /** @type {T} */ (/** @type {unknown} */ (found))
}

/** For screen readers. @param {string} text */
export const unseen = (text) => element('span.unseen', text)

/** `1 loss`, `2 losses`. @param {number} number @param {string} one @param {string} [more] */
export const counted = (number, one, more = `${one}s`) => `${number} ${number === 1 ? one : more}`

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

/** @param {number} milliseconds */
export function duration(milliseconds) {
  if (milliseconds < 10) return milliseconds.toFixed(1)
  return milliseconds < 10_000 ? String(Math.round(milliseconds)) : `${(milliseconds / 1000).toFixed(1)} s`
}

/** With its unit. @param {number} milliseconds */
export const inUnits = (milliseconds) => `${duration(milliseconds)}${milliseconds < 10_000 ? ' ms' : ''}`

/** `14:03:07.250`. @param {string} at RFC 3339 */
export function clock(at) {
  const time = new Date(at)
  return `${time.toLocaleTimeString('en-GB')}.${String(time.getMilliseconds()).padStart(3, '0')}`
}

/** Full ids would fill the line. @param {string} text */
export const shortIds = (text) => text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…')
