const BLOCK = 512

/** A tar archive of regular files, as clients send for build, import and cp (POSIX.1-1988 ustar). */
export function tar(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const body = Buffer.from(content)
    return [header(name, body.length), body, Buffer.alloc(padding(body.length))]
  })
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

/** The regular files of an archive. */
export function untar(archive: Buffer): Record<string, string> {
  const files: Record<string, string> = {}
  let at = 0
  while (at + BLOCK <= archive.length && archive[at] !== 0) {
    const name = text(archive, at, 100)
    const size = Number.parseInt(text(archive, at + 124, 12), 8)
    const type = String.fromCharCode(archive[at + 156] ?? 0)
    const body = archive.subarray(at + BLOCK, at + BLOCK + size)
    if (type === '0' || type === '\0') files[name] = body.toString()
    at += BLOCK + size + padding(size)
  }
  return files
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

const text = (from: Buffer, at: number, length: number): string =>
  from
    .subarray(at, at + length)
    .toString()
    .replace(/\0.*$/s, '')

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  block.write(octal(0o644, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(0, 11), 136)
  block.write('        ', 148) // the checksum counts itself as spaces
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
