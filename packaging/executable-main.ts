import { WORKER_WORD } from '../src/proxy/workers/calls.ts'

/** The single executable: the program, and the worker that it starts for --workers. */
if (process.argv[2] === WORKER_WORD) await import('../src/proxy/workers/worker.ts')
else await import('../src/main.ts')
