/**
 * A container that was made anew carries the id that its client knows, so that it is found again after a restart of
 * the bridge. Clients never see the label: src/aliases/steps.ts.
 */
export const REPLACES = 'enginebridge.replaces'

const SET_ASIDE = 'enginebridge-set-aside-'

/** What a container is called while another takes its place. Its events are not for clients. */
export const setAside = (id: string): string => `${SET_ASIDE}${shortId(id)}`

export const isSetAside = (name: string): boolean => name.replace(/^\//, '').startsWith(SET_ASIDE)

/** Twelve digits, as clients show ids and engines name hosts. */
export const shortId = (id: string): string => id.slice(0, 12)

export const isFullId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
