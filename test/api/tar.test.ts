import { describe, expect, it } from 'vitest'
import { pathStatOf } from '../../src/api/tar.ts'

interface Entry {
  readonly name: string
  readonly type: string
  readonly mode?: string
  readonly data?: string
  readonly link?: string
  readonly prefix?: string
}

function entry({ name, type, mode = '0000644', data = '', link = '', prefix = '' }: Entry): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(mode, 100)
  block.write(data.length.toString(8).padStart(11, '0'), 124)
  block.write('00000000012', 136)
  block.write(type, 156)
  block.write(link, 157)
  block.write('ustar\0', 257)
  block.write(prefix, 345)
  const body = Buffer.alloc(Math.ceil(data.length / 512) * 512)
  body.write(data)
  return Buffer.concat([block, body])
}

describe('the stat of the first entry of a tar', () => {
  it('names a directory without its slash and has the bit of one', () => {
    const stat = pathStatOf(entry({ name: 'etc/', type: '5', mode: '0000755' }))
    expect(stat).toEqual({ name: 'etc', size: 0, mode: 2147484141, mtime: '1970-01-01T00:00:10Z', linkTarget: '' })
  })

  it('has the mode that engine 1.8 tells of a link (recording 1.8.3 at 1.20, archive-head-link)', () => {
    const stat = pathStatOf(entry({ name: 'sh', type: '2', mode: '0000777', link: '/bin/busybox' }))
    expect(stat).toMatchObject({ name: 'sh', mode: 134218239, linkTarget: '/bin/busybox' })
  })

  it('takes a long name from the records before the entry', () => {
    const long = `${'d/'.repeat(80)}file`
    const record = ` path=${long}\n`
    const data = `${record.length + 3}${record}`
    const stat = pathStatOf(
      Buffer.concat([entry({ name: 'PaxHeaders', type: 'x', data }), entry({ name: 'cut', type: '0', data: 'abc' })]),
    )
    expect(stat).toMatchObject({ name: 'file', size: 3 })
    const gnu = Buffer.concat([
      entry({ name: '././@LongLink', type: 'L', data: `${long}\0` }),
      entry({ name: 'cut', type: '0' }),
    ])
    expect(pathStatOf(gnu)?.name).toBe('file')
  })

  it('joins the prefix of a ustar name', () => {
    expect(pathStatOf(entry({ name: 'b', type: '0', prefix: 'a' }))?.name).toBe('b')
  })

  it('is undefined for something that is no tar, and for one that ends before its entry', () => {
    expect(pathStatOf(Buffer.from('no tar'))).toBeUndefined()
    expect(pathStatOf(Buffer.alloc(1024))).toBeUndefined()
    expect(pathStatOf(entry({ name: 'PaxHeaders', type: 'x', data: '9 path=a\n' }))).toBeUndefined()
  })
})
