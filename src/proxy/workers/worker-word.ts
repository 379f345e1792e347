/** First argument of a worker in the single executable, where a worker has no file to run. */
export const WORKER_WORD = '--worker-process'
