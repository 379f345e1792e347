import { operationNames } from '../../src/api/operations.ts'
import { type Change, errorTexts } from '../../src/translate/ops.ts'

export default {
  summary: 'The error for a repository with capitals names it.',
  see: 'distribution/reference/normalize.go:ParseNormalizedNamed as used by @v24.0.9, @v25.0.0; seen on 20.10, 28.5',
  ops: errorTexts(`
    ${operationNames.join(' ')}
      {lead}invalid reference format: repository name ({word}) must be lowercase{rest}
        down {lead}invalid reference format: repository name must be lowercase{rest}
  `),
} satisfies Change
