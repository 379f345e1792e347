import { type JsonObject, memberAt, stringOf } from '../../api/json/json.ts'

/**
 * Marks a replaced container with the id that its client knows. Clients can set labels too, so ids are never looked up
 * by it (store.ts holds them). Hidden from clients: steps.ts.
 */
export const REPLACES = 'enginebridge.replaces'

export const SET_ASIDE = 'enginebridge-set-aside-'

/**
 * Name of a container while another takes its place. Contains the original name, so that the bridge can restore it
 * after a crash (recovery.ts). Its events are hidden from clients.
 */
export const setAside = (id: string, name: string): string => `${SET_ASIDE}${shortId(id)}.${name}`

/** The original name of a container that was set aside; undefined for others. */
export const nameSetAside = (id: string, name: string): string | undefined =>
  isSetAside(id, name) ? /^\/?enginebridge-set-aside-[0-9a-f]{12}\.(.+)$/.exec(name)?.[1] : undefined

/** Compares the id too: names chosen before creation (a service names its tasks' containers) cannot contain it. */
export const isSetAside = (id: string, name: string): boolean =>
  id !== '' && name.replace(/^\//, '').startsWith(`${SET_ASIDE}${shortId(id)}`)

export const idOf = (container: JsonObject): string => stringOf(container['Id'])

/** The name of an inspected container. */
export const nameOf = (container: JsonObject): string => stringOf(container['Name']).replace(/^\//, '')

/** Twelve digits, as clients show ids and engines name hosts. */
export const shortId = (id: string): string => id.slice(0, 12)

export const isFullId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

/** Whether an inspected container is being removed: the engine may still be at it when the caller has gone. */
export const isEnding = (container: JsonObject): boolean =>
  ['removing', 'dead'].includes(stringOf(memberAt(container, 'State', 'Status')))
