import { describe, expect, it } from 'vitest'
import { mergedHostConfig } from '../../rules/emulate/merged-host-config.ts'

/** A start whose body had binds of its own took away those of the create; real engines had mounted them by then. */
describe('a start with binds on a container that was created with binds', () => {
  it('keeps the create’s binds for other targets', () => {
    const merged = mergedHostConfig({ Binds: ['/b:/two:ro'] }, { Binds: ['/a:/one'] })
    expect(merged['Binds']).toEqual(['/a:/one', '/b:/two:ro'])
  })

  it('takes the start’s bind where both name a target', () => {
    const merged = mergedHostConfig({ Binds: ['/b:/one'] }, { Binds: ['/a:/one'] })
    expect(merged['Binds']).toEqual(['/b:/one'])
  })

  it('keeps a bind that the create has as a mount', () => {
    const mount = { Type: 'bind', Source: '/a', Target: '/one', ReadOnly: true }
    const merged = mergedHostConfig({ Binds: ['/b:/two'] }, { Binds: null, Mounts: [mount] })
    expect([merged['Binds'], merged['Mounts']]).toEqual([['/b:/two'], [mount]])
  })
  it('takes a mount whose propagation is null for a bind', () => {
    const mount = { Type: 'bind', Source: '/a', Target: '/one', BindOptions: { Propagation: null } }
    const merged = mergedHostConfig({ Binds: ['/b:/one'] }, { Mounts: [mount] })
    expect([merged['Binds'], merged['Mounts']]).toEqual([['/b:/one'], undefined])
  })
})

it('a start without Privileged on a privileged container gives back its label and its own options stay', () => {
  const current = { Privileged: true, SecurityOpt: ['label=disable', 'no-new-privileges'], MaskedPaths: null }
  const merged = mergedHostConfig({ Privileged: false }, current)
  expect(merged).toEqual({ Privileged: false, SecurityOpt: ['no-new-privileges'] })
})
