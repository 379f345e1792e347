/**
 * Path that `enginebridge health` and `doctor` request from a listener. Engines have no such path and are not sent the
 * request: it gets no audit record, needs no policy rule, and works on a bridge at its call limit.
 */
export const READY_PATH = '/_enginebridge/ready'
/** Identifies the response as a bridge's. */
export const READY_HEADER = 'Enginebridge-Ready'
