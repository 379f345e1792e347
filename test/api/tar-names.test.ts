import { describe, expect, it } from 'vitest'
import { tarEntries } from '../../src/api/tar.ts'
import { TarRenamer } from '../../src/api/tar-names.ts'

function entry(name: string, type: string, { data = '', link = '', prefix = '' } = {}): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(data.length.toString(8).padStart(11, '0'), 124)
  block.write(type, 156)
  block.write(link, 157)
  block.write('ustar\u000000', 257)
  block.write(prefix, 345)
  return Buffer.concat([block, Buffer.alloc(Math.ceil(data.length / 512) * 512).fill(data, 0, data.length, 'latin1')])
}

const END = Buffer.alloc(1024)

/** In pieces of that size, each of which is overwritten after the call. */
function renamed(tar: Buffer, top: string, size = tar.length): Buffer {
  const renamer = new TarRenamer(top)
  const parts: Buffer[] = []
  for (let at = 0; at < tar.length; at += size) {
    const piece = Buffer.from(tar.subarray(at, at + size))
    parts.push(...renamer.push(piece).map((part) => Buffer.from(part)))
    piece.fill(0xff)
  }
  return Buffer.concat([...parts, renamer.rest()])
}

const shown = (tar: Buffer) =>
  [...tarEntries(tar)].map(({ header, type, size, content }) => {
    const field = (at: number) => header.toString('latin1', at, at + 100).replace(/\0.*/s, '')
    const summed = Buffer.from(header).fill(' ', 148, 156)
    expect(Number.parseInt(field(148), 8)).toBe(summed.reduce((sum, byte) => sum + byte, 0))
    return [type, field(0), field(157), content.toString('latin1', 0, size)]
  })

describe('the names of a tar', () => {
  const tar = Buffer.concat([
    entry('/', '5'),
    entry('/f', '0', { data: 'x'.repeat(513) }),
    entry('/link', '1', { link: '/f' }),
    entry('/soft', '2', { link: '/f' }),
    entry('g', '0', { prefix: '/d' }),
    END,
  ])

  it.each([tar.length, 512, 7])('begin with another, in hard links, too, in pieces of %d bytes', (size) => {
    expect(shown(renamed(tar, 'data', size))).toEqual([
      ['5', 'data/', '', ''],
      ['0', 'data/f', '', 'x'.repeat(513)],
      ['1', 'data/link', 'data/f', ''],
      ['2', 'data/soft', '/f', ''],
      ['0', 'data/d/g', '', ''],
    ])
    expect(renamed(tar, '.', size).subarray(-1024)).toEqual(END)
  })

  it('stand in a record where they are too long or were in one, beside others as they are', () => {
    const before = entry('PaxHeaders.0/f', 'x', { data: '9 path=a\n18 xattr.b=\xff\n=1\n\n\n' })
    const name = 'n'.repeat(100)
    expect(shown(renamed(Buffer.concat([entry('a', '5'), before, entry('a', '0'), entry('a/b', '0')]), name))).toEqual([
      ['5', name, '', ''],
      ['x', 'PaxHeaders.0/entry', '', `110 path=${name}\n18 xattr.b=\xff\n=1\n\n\n`],
      ['0', 'a', '', ''],
      ['x', 'PaxHeaders.0/entry', '', `112 path=${name}/b\n`],
      ['0', 'a/b', '', ''],
    ])
  })

  it.each([
    ['what is no tar', Buffer.from('{"message":"no tar"}'), 'a'],
    ['what ends early', tar.subarray(0, 100), 'a'],
    ['a tar that has the name', Buffer.concat([entry('a', '5'), entry('a/b', '0'), END]), 'a'],
    ['a file that would be called a dot', Buffer.concat([entry('a', '0'), END]), '.'],
    ['entries of other kinds', Buffer.concat([entry('long', 'L', { data: 'a' }), entry('a', '5')]), 'b'],
    ['records that are none', Buffer.concat([entry('p', 'x', { data: '99 path=a\n' }), entry('a', '5')]), 'b'],
    [
      'records that are too large',
      Buffer.concat([entry('p', 'x', { data: 'a'.repeat(2 ** 20) }), entry('a', '5')]),
      'b',
    ],
  ])('stay in %s', (_what, bytes, top) => {
    expect(renamed(bytes, top, 300)).toEqual(bytes)
  })
})
