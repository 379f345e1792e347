/** Marks a container that is removed when it stops, so that the bridge still removes it after a restart. */
export const AUTO_REMOVE = 'enginebridge.auto-remove'

/**
 * Engines 1.7 to 1.10 may end a stream without `until` at once, because a stopped timer has already fired (getEvents
 * @v1.9.1).
 */
export const NEVER = '4102444800'
