import type { MakeInspector } from '../../proxy/inspector.ts'

/** The inspector, loaded only where `--inspect` is set. */
export const makeInspector: MakeInspector = async (config, address, needs) =>
  (await import('./inspector.ts')).makeInspector(config, address, needs)
