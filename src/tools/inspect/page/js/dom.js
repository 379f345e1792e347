/**
 * An element. Texts become text, never markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{ [name: string]: string | boolean | number | undefined | ((event: Event) => void) }} [props]
 * @param {...(Node | string | undefined | false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, props = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') made.addEventListener(name, value)
    else made.setAttribute(name, value === true ? '' : String(value))
  }
  for (const child of children) if (child !== undefined && child !== false) made.append(child)
  return made
}

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
export const unseen = (text) => element('span', { class: 'unseen' }, text)

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

/** @param {string} at RFC 3339 */
export function clock(at) {
  const time = new Date(at)
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0')
  const seconds = `${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`
  return `${two(time.getHours())}:${two(time.getMinutes())}:${seconds}`
}

/** Full ids would fill the line. @param {string} text */
export const shortIds = (text) => text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1…')
