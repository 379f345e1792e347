/**
 * Marks a container that was made anew, with the id that its client knows. Anybody can set it: which container stands
 * for an id is never read from it (store.ts says that). Clients do not see it: steps.ts.
 */
export const REPLACES = 'enginebridge.replaces'

export const SET_ASIDE = 'enginebridge-set-aside-'

/**
 * What a container is called while another takes its place: its own name is part of it, so that it can have it back when
 * the bridge ended half-way (recovery.ts). Its events are not for clients.
 */
export const setAside = (id: string, name: string): string => `${SET_ASIDE}${shortId(id)}.${name}`

/** The name that a container had which is set aside; undefined: it is none. */
export const nameSetAside = (id: string, name: string): string | undefined =>
  isSetAside(id, name) ? /^\/?enginebridge-set-aside-[0-9a-f]{12}\.(.+)$/.exec(name)?.[1] : undefined

/** By its own id: who names a container when it is made (a service names its tasks') cannot know that. */
export const isSetAside = (id: string, name: string): boolean =>
  id !== '' && name.replace(/^\//, '').startsWith(`${SET_ASIDE}${shortId(id)}`)

/** Twelve digits, as clients show ids and engines name hosts. */
export const shortId = (id: string): string => id.slice(0, 12)

export const isFullId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
