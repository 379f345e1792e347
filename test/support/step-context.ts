import type { EngineFacts } from '../../src/api/engine-facts.ts'
import type { ApiVersion } from '../../src/api/version.ts'
import { Headers } from '../../src/http/headers.ts'
import type { EmulationContext } from '../../src/translate/message.ts'

export const linux = (highest: ApiVersion, lowest = highest): EngineFacts => ({
  ...{ highest, lowest, release: '', os: 'linux', arch: 'amd64', product: undefined },
})

type Own = Pick<EmulationContext, 'operation' | 'client' | 'target' | 'engine' | 'policy' | 'call'>

/** What steps get beside a message: each further call is allowed and has an empty answer, nothing is refused. */
export const contextWith = (own: Own & Partial<EmulationContext>): EmulationContext => ({
  memory: new Map(),
  endpoints: new Map(),
  permit: () => undefined,
  allows: () => true,
  lose: () => undefined,
  ignore: () => undefined,
  engineCall: async () => ({ status: 200, headers: new Headers(), body: {}, error: '' }),
  engineInfo: async () => ({}),
  engineStart: () => Promise.reject(new Error('not asked for')),
  translateResponse: (_operation, body) => body,
  ...own,
})
