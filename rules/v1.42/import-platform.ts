import type { Change } from '../../src/translate/change.ts'
import { byHand } from '../../src/translate/ops.ts'
import { isOwnPlatform } from '../by-hand/platform.ts'

const ARCHITECTURE = /^(?:amd64|x86[-_]64|386|i386|arm|armhf|armel|arm64|aarch64|mips\w*|ppc64\w*|riscv64|s390x?)$/

/** Neither an invalid platform nor another operating system, which every engine refuses with its own error. */
function isOfSystem(platform: string, system: string): boolean {
  const [first = '', ...rest] = platform.toLowerCase().split('/')
  if (![first, ...rest].every((part) => /^[\w-]+$/.test(part))) return false
  return rest.length === 0 ? ARCHITECTURE.test(first) : first === system
}

export const importPlatform = {
  summary: 'An imported image has the requested architecture; before, the engine’s.',
  see: 'daemon/images/image_import.go:ImportImage @v20.10.24, @v23.0.6; moby integration/image/import_test.go @v28.5.2',
  ops: byHand('ImageCreate', 'another platform of an import is refused', {
    onLoss: 'refuse',
    part: 'head',
    requestDown: ({ query }, context, { id, version }) => {
      const platform = query.get('platform') ?? ''
      if (!query.get('fromSrc') || isOwnPlatform(platform, context)) return
      if (!isOfSystem(platform, context.engine.os)) return
      context.lose({ what: `import for platform ${platform}`, needs: version, change: id, onLoss: 'refuse' })
    },
  }),
  examples: {
    'ImageCreate requestDown': [
      ['fromSrc=-&platform=linux/arm64', /import for platform linux\/arm64/],
      ['fromSrc=-&platform=arm64', /import for platform arm64/],
      ['fromSrc=-&platform=macos', 'fromSrc=-&platform=macos'],
      ['fromSrc=-&platform=//', 'fromSrc=-&platform=//'],
      ['fromSrc=-&platform=linux/x86_64', 'fromSrc=-&platform=linux/x86_64'],
      ['fromImage=busybox&platform=linux/arm64', 'fromImage=busybox&platform=linux/arm64'],
    ],
  },
} satisfies Change
