import { expect, it } from 'vitest'
import { translate } from '../../src/tools/library/library.ts'

/** `:path` was read as a header without a name, and took the place of `:method`. */
it.each(['request', 'response'] as const)(
  'a %s for the library keeps headers that HTTP/2 names with a colon',
  (direction) => {
    const headers = { ':method': 'GET', ':path': '/containers/json', accept: '*/*' }
    const engine = { lowest: '1.24', highest: '1.40' }
    const done = translate(
      { method: 'GET', path: '/v1.30/containers/json', client: '1.30', engine, direction },
      { headers },
    )
    expect(done.headers).toEqual(headers)
  },
)
