/** The first word of a worker's command line in the single executable, which is no file that could be named. */
export const WORKER_WORD = '--worker-process'
