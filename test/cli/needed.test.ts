import { describe, expect, it } from 'vitest'
import { apiVersion } from '../../src/api/version.ts'
import { checkNeed, lostMembers } from '../../src/tools/doctor/needed.ts'

const engine = (lowest: number, highest: number) => ({
  ...{ lowest: apiVersion(lowest), highest: apiVersion(highest), release: '', os: 'linux', arch: 'amd64' },
  product: undefined,
})

describe('whether a bridge is needed', () => {
  it('is said of an engine that can serve older clients itself, with the setting and what is missing then', () => {
    const [found] = checkNeed(engine(44, 52))
    expect(found?.says).toMatch(
      /clients from 1\.24 on could use this engine directly unless .*: .*NetworkSettings \(Bridge, .*IPAddress.*\), Info \(KernelMemoryTCP/,
    )
    expect(found?.advice).toContain('DOCKER_MIN_API_VERSION=1.24 (or "min-api-version": "1.24" in daemon.json)')
    expect(checkNeed(engine(44, 51))[0]?.advice).not.toContain('daemon.json')
  })

  it('has no advice where the engine serves them already, and nothing is said of engines without that setting', () => {
    expect(checkNeed(engine(24, 51))).toEqual([expect.not.objectContaining({ advice: expect.anything() })])
    expect(checkNeed(engine(24, 51))[0]?.says).toMatch(/clients from 1\.24 on can use this engine directly/)
    expect(checkNeed(engine(12, 41))).toEqual([])
    expect(checkNeed({ ...engine(24, 44), product: 'Podman Engine' })).toEqual([])
  })

  it('names the members that are gone since the client’s version and no others', () => {
    const since43 = lostMembers(apiVersion(43), apiVersion(51))
    expect(since43).toContain('ImageInspect.Container')
    expect(since43).not.toContain('NetworkSettings.IPAddress')
    expect(lostMembers(apiVersion(51), apiVersion(52))).toContain('NetworkSettings.IPAddress')
    expect(lostMembers(apiVersion(51), apiVersion(52))).not.toContain('ImageInspect.Container')
  })
})
