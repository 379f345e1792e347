import { describe, expect, test } from 'vitest'
import { differences } from '../../rules/emulate/host-config-difference.ts'
import { mergedHostConfig } from '../../rules/emulate/merged-host-config.ts'
import type { JsonObject } from '../../src/api/json/json.ts'

/**
 * dockerode at 1.18 on Podman 5.4: a create with an open host port, then a start with the same settings, was refused:
 * Podman gives the port out at the create and shows it in HostConfig.PortBindings.
 */
const bound = (HostPort: string | undefined): JsonObject => ({
  PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', ...(HostPort === undefined ? {} : { HostPort }) }] },
})

describe('a start that leaves the host port open, on an engine that has given one out', () => {
  test.each(['', '0', undefined])('asks for no change with the port %j', (port) => {
    expect(differences(bound(port), bound('41123'))).toEqual([])
  })

  test('asks for a change when it names another port', () => {
    expect(differences(bound('8080'), bound('41123')).map(({ member }) => member)).toEqual(['PortBindings'])
  })

  test('asks for a change when it binds another address', () => {
    const wanted = { PortBindings: { '80/tcp': [{ HostIp: '0.0.0.0', HostPort: '' }] } }
    expect(differences(wanted, bound('41123')).map(({ member }) => member)).toEqual(['PortBindings'])
  })
})

describe('a start on Podman, which shows in HostConfig what it has added', () => {
  const given = { PortBindings: { '80/tcp': [{ HostPort: '41123' }] } }

  test.each([
    ['an open host port and no address', { PortBindings: { '80/tcp': [{ HostPort: '' }] } }, given],
    ['a binding without members', { PortBindings: { '80/tcp': [{}] } }, given],
    ['all ports', { PublishAllPorts: true }, { PublishAllPorts: true, ...given }],
    ['a privileged container', { Privileged: true }, { Privileged: true, SecurityOpt: ['unmask=all'] }],
    ['a tmpfs', { Tmpfs: { '/t': 'size=1m,noexec,notmpcopyup' } }, { Tmpfs: { '/t': 'rw,size=1m' } }],
  ])('asks for no change with %s', (_what, wanted: JsonObject, shown: JsonObject) => {
    expect(differences(wanted, shown, true)).toEqual([])
  })

  test.each([
    ['another port beside all', { PublishAllPorts: true, PortBindings: { '80/tcp': [{ HostPort: '80' }] } }, given],
    ['no port', {}, given],
  ])('asks for a change with %s', (_what, wanted: JsonObject, shown: JsonObject) => {
    expect(differences(wanted, shown, true).map(({ member }) => member)).toContain('PortBindings')
  })
})

describe('a tmpfs without options in the body of a start', () => {
  test('is a difference from a container without one, which was started so without a word', () => {
    const merged = mergedHostConfig({ Tmpfs: { '/run': '' } }, { Memory: 1 })
    expect(merged).toEqual({ Memory: 1, Tmpfs: { '/run': '' } })
    expect(differences(merged, { Memory: 1 }).map(({ member }) => member)).toEqual(['Tmpfs'])
    expect(differences(merged, merged)).toEqual([])
  })
})

describe('limits that Podman shows beside those of the create', () => {
  const [asked, own] = [
    { Name: 'nofile', Soft: 100, Hard: 200 },
    { Name: 'nproc', Soft: 1, Hard: 1 },
  ]

  test('are no difference there, but are on Docker, which shows what was asked for', () => {
    const found = (podman: boolean) => differences({ Ulimits: [asked] }, { Ulimits: [asked, own] }, podman)
    expect(found(true)).toEqual([])
    expect(found(false).map(({ member }) => member)).toEqual(['Ulimits'])
  })
})
