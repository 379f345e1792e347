import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiVersion, byVersion, nearestVersion } from '../src/api/version.ts'

const ROOT = join(import.meta.dirname, '..')
/** src/http compares the versions of HTTP. */
const MAY_COMPARE = /^src\/(?:api\/version\.ts$|translate\/|http\/)/

/** The names of API versions in the sources. */
const VERSION = String.raw`(?:\w+\.)*(?:version|client|target|highest|lowest|LOWEST|NEWEST|announced?|[A-Z_]+_(?:FROM|BELOW|UNTIL|SPECIFIED))\b`
const OPERATOR = '(?:<=?|>=?)'
const COMPARES = new RegExp(String.raw`(?<![<\w.])${VERSION} ${OPERATOR} (?!=)|(?<!=) ${OPERATOR} ${VERSION}(?![(.])`)

const comparisonsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line) && COMPARES.test(line.replaceAll(/`[^`]*`|'[^']*'/g, "''")))

describe('comparisons of versions', () => {
  it('are found where they stand', () => {
    const written = [
      'if (version >= 20) a()',
      'return highest < LOWEST',
      'a = 5 > engine.target',
      '(client <= ADDED_FROM)',
    ]
    expect(written.filter((line) => comparisonsIn(line).length === 0)).toEqual([])
    const others = ['Promise<Version>', '.map((client) => client)', 'Map<string, target>', 'isOlder(version, 20)']
    expect(others.flatMap(comparisonsIn)).toEqual([])
  })

  it('stand in src/api/version.ts, src/translate and rules/ alone', () => {
    const found = globSync('src/**/*.ts', { cwd: ROOT })
      .filter((file) => !MAY_COMPARE.test(file))
      .flatMap((file) => comparisonsIn(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}: ${line.trim()}`))
    expect(found).toEqual([])
  })
})

describe('a value by version', () => {
  const value = byVersion({ '1.18': 'a', '1.22': 'b' })

  it.each([
    [17, 'a'],
    [18, 'a'],
    [21, 'a'],
    [22, 'b'],
    [60, 'b'],
  ])('at 1.%i is that of the last row whose version has come: %s', (version, expected) => {
    expect(value(version)).toBe(expected)
  })

  it('needs rows that name a version', () => {
    expect(() => byVersion({})).toThrow(RangeError)
    expect(() => byVersion({ 'engine 28': 'a' })).toThrow(RangeError)
  })
})

it('the nearest version of a range that suits is found, of two that are as near the older one', () => {
  const [low, high] = [apiVersion(24), apiVersion(28)]
  const nearest = (version: number, ...unfit: number[]) =>
    nearestVersion(apiVersion(version), low, high, (candidate) => !unfit.includes(candidate))
  expect([nearest(26), nearest(26, 26), nearest(26, 26, 25), nearest(26, 24, 25, 26, 27)]).toEqual([26, 25, 27, 28])
  expect([nearest(18), nearest(18, 24), nearest(50, 24, 25, 26, 27, 28)]).toEqual([24, 25, undefined])
})
