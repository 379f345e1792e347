/** `[a-Z]` or `ctrl-<value>`, comma-separated (specification 4.1, after the archive rules). */
const KEY = '(?:[a-zA-Z]|ctrl-[a-z@^\\[,_\\\\])'
export const detachKeysPattern = new RegExp(`^${KEY}(?:,${KEY})*$`)
