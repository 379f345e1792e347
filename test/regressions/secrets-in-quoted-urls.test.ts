import { expect, it } from 'vitest'
import { cleanerOf } from '../../src/audit/redact/known.ts'

const SECRET = 'p@ss "w/rd" ü!'

it.each([
  ['as it is', SECRET],
  ['within JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['in a path (Go’s url.PathEscape)', 'p%40ss%20%22w%2Frd%22%20%C3%BC!'],
  ['in a query (Go’s url.QueryEscape)', 'p%40ss+%22w%2Frd%22+%C3%BC%21'],
])('a secret that an error quotes is removed: %s', (_how, quoted) => {
  expect(cleanerOf([SECRET])(`Get "https://registry/?of=${quoted}": no`)).toBe(
    'Get "https://registry/?of=[redacted]": no',
  )
})

it('a secret that is no well-formed text does not stop the search', () => {
  expect(cleanerOf(['\udfff secret'])('says \udfff secret')).toBe('says [redacted]')
})
