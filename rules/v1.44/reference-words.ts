import { byHand, type Change } from '../../src/translate/ops.ts'

const NAMED = /\binvalid reference format: repository name \(\S*?\) must be lowercase/

export default {
  summary: 'The error for a repository with capitals names it.',
  see: 'distribution/reference/normalize.go:ParseNormalizedNamed as used by @v24.0.9, @v25.0.0; seen on 20.10, 28.5',
  ops: byHand('every', 'the error no longer names the repository', {
    part: 'error',
    profile: 'engine',
    responseDown: (message) => {
      if (message.text !== undefined)
        message.text = message.text.replace(NAMED, 'invalid reference format: repository name must be lowercase')
    },
  }),
  examples: {
    'ImageHistory responseDown error': [
      [
        '400 invalid reference format: repository name (library/Bad) must be lowercase',
        '400 invalid reference format: repository name must be lowercase',
      ],
      ['400 invalid reference format'],
    ],
  },
} satisfies Change
