import { shapes } from '../../src/api/shapes/shapes.ts'

/** A small generator that a seed repeats (mulberry32). */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const WORDS: readonly string[] = [
  ...new Set(shapes.flatMap(({ members }) => members)),
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'ſ', 'K', '\\u0000', '\\ud800', '\u001e'],
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '-1',
    '1e400',
    '9223372036854775808',
    '1.5',
    '""',
    '[]',
    '{}',
    '[null]',
    '{"":0}',
  ],
  ...[
    '/v1.18/',
    '/v1.44/',
    '/../',
    '//',
    '%2f',
    '%2e%2e',
    '%00',
    '%0d%0a',
    '%ff',
    '%',
    '?',
    '#',
    '&',
    '=',
    ';',
    '*',
    'http://x',
  ],
  ...[
    '\r\n',
    '\0',
    ':',
    ',',
    'tcp',
    'host',
    'none',
    'container:',
    '0.0.0.0',
    '80/tcp',
    'a:b:ro',
    'unlimited',
    'label',
    'before',
  ],
]

/** One to four changes of the usual kinds. */
export function mutate(input: Buffer, other: Buffer, pick: (below: number) => number): Buffer {
  let text = input
  for (let n = 1 + pick(4); n > 0; n--) text = change(text, other, pick)
  return text.subarray(0, 4096)
}

function change(input: Buffer, other: Buffer, pick: (below: number) => number): Buffer {
  const at = pick(input.length + 1)
  const end = Math.min(input.length, at + 1 + pick(16))
  const cut = (middle: Buffer | string, until = at): Buffer =>
    Buffer.concat([input.subarray(0, at), Buffer.from(middle as string), input.subarray(until)])
  const word = WORDS[pick(WORDS.length)] ?? ''
  switch (pick(9)) {
    case 0:
      return cut(Buffer.of(pick(256)), Math.min(input.length, at + 1))
    case 1:
      return cut('', end)
    case 2:
      return cut(word)
    case 3:
      return cut(word, end)
    case 4:
      return cut(input.subarray(at, end), at)
    case 5:
      return cut(`"${word}":`)
    case 6:
      return cut(`,"${word}":${WORDS[pick(WORDS.length)] ?? ''}`)
    case 7: {
      const from = pick(other.length + 1)
      return cut(other.subarray(from, from + 1 + pick(64)))
    }
    default:
      return Buffer.concat([input.subarray(0, at), other.subarray(pick(other.length + 1))])
  }
}
