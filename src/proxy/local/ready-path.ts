/**
 * What `enginebridge health` and `doctor` ask a listener. No engine has the path, and nothing of the question goes to one: it is
 * no client's call, so no audit record is made of it, no policy needs to allow it, and a full bridge answers it too.
 */
export const READY_PATH = '/_enginebridge/ready'
/** Only a bridge answers with it. */
export const READY_HEADER = 'Enginebridge-Ready'
