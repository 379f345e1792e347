import type { MakeInspector } from '../../proxy/inspector.ts'

/** Loads the inspector only if `--inspect` is set. */
export const makeInspector: MakeInspector = async (config, address, discovery) =>
  (await import('./inspector.ts')).makeInspector(config, address, discovery)
