import { expect, it } from 'vitest'
import { redactJson, usual } from '../../src/audit/redact/json.ts'

// Engines read these as Password, IdentityToken and Labels (encoding/json folds ſ and the Kelvin sign).
it.each([
  ['SystemAuth', { paſſword: 'geheim' }],
  ['SystemAuth', { identityto\u212aen: 'geheim' }],
  ['ContainerCreate', { Labelſ: ['my.password=geheim'] }],
])('%s: a member that engines read as a secret is redacted however it is spelled: %j', (operation, body) => {
  const shown = redactJson(body, { operation, secrets: new Set(), redaction: usual })
  expect(JSON.stringify(shown)).not.toContain('geheim')
})
