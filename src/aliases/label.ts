/**
 * A container that was made anew carries the id that its client knows, so that it is found again after a restart of
 * the bridge. Clients never see the label: src/aliases/steps.ts.
 */
export const REPLACES = 'enginebridge.replaces'

export const SET_ASIDE = 'enginebridge-set-aside-'

/**
 * What a container is called while another takes its place: its own name is part of it, so that it can have it back when
 * the bridge ended half-way (recovery.ts). Its events are not for clients.
 */
export const setAside = (id: string, name: string): string => `${SET_ASIDE}${shortId(id)}.${name}`

/** The name that a container had which is set aside; undefined: it is none. */
export const nameSetAside = (name: string): string | undefined =>
  /^\/?enginebridge-set-aside-[0-9a-f]{12}\.(.+)$/.exec(name)?.[1]

export const isSetAside = (name: string): boolean => name.replace(/^\//, '').startsWith(SET_ASIDE)

/** Twelve digits, as clients show ids and engines name hosts. */
export const shortId = (id: string): string => id.slice(0, 12)

export const isFullId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
