import type { Change } from '../../src/translate/change.ts'
import { queryRefused } from '../../src/translate/ops.ts'
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
  ops: queryRefused('ImageCreate', 'another platform of an import', {
    leg: 'requestDown',
    finds: (query, context) => {
      const platform = query.get('platform') ?? ''
      if (!query.get('fromSrc') || isOwnPlatform(platform, context)) return undefined
      return isOfSystem(platform, context.engine.os) ? `import for platform ${platform}` : undefined
    },
    samples: ['linux/arm64', 'arm64'].map((name) => [`fromSrc=-&platform=${name}`, `import for platform ${name}`]),
    stay: [
      'fromSrc=-&platform=macos',
      'fromSrc=-&platform=//',
      'fromSrc=-&platform=linux/x86_64',
      'platform=linux/arm64',
    ],
  }),
} satisfies Change
