/** Marks a container that is removed when it stops, for the bridge that comes after this one. */
export const AUTO_REMOVE = 'enginebridge.auto-remove'

/** Engines 1.7 to 1.10 may end a stream without `until` at once: a timer that was not to run has run out (getEvents @v1.9.1). */
export const NEVER = '4102444800'
