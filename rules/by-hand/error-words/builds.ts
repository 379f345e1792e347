import type { Words } from './words.ts'

const on = 'ImageBuild'

/**
 * Errors of builds. Engines up to 1.12 check a line when they execute it: the answer has begun and the steps before it have
 * run. builder/dockerfile @v1.6.2 … v1.12.6; recorded as build-…
 */
export const builds: readonly Words[] = [
  {
    on: 'ImageBuild',
    says: /^the Dockerfile (\(.*\) )cannot be empty$/,
    was: [
      [24, 500, 'The Dockerfile $1cannot be empty'],
      [18, 500, 'Dockerfile cannot be empty'],
    ],
  },
  {
    on: 'ImageBuild',
    says: /^error downloading remote context (\S+): (.*)$/,
    was: [
      [24, 500, 'Error downloading remote context $1: $2'],
      [19, 500, '$2'],
    ],
  },
  { on, says: /^failed to parse Dockerfile: (.*)$/, was: [[24, 500, '$1']] },
  {
    on,
    says: /^(?:(\w+) failed: )?forbidden path outside the build context: (.*?) \(.*\)$/i,
    was: [[24, 500, 'Forbidden path outside the build context: $2 ($2)']],
  },
  { on, says: /^unsupported isolation: (.*)$/i, was: [[24, 500, 'Unsupported isolation: $1']] },
  { on, says: /^error reading (?:ulimit settings|build args): (.*)$/, was: [[24, 500, '$1']] },
  ...line(
    /(?<!\w)(\w+) requires at least two arguments, but only one was provided.*/,
    '$1 requires at least two arguments',
  ),
  ...line(/VOLUME specified can not be an empty string/, 'Volume specified can not be an empty string'),
  ...line(/unknown flag: -*(\S+)/i, 'Unknown flag: $1'),
  ...line(/unknown instruction: (\S+)/, 'Unknown instruction: $1'),
  ...line(/(.*)/, '$1'),
  {
    on,
    says: /^no build stage in current context$/,
    was: [[24, 200, 'Please provide a source image with `from` prior to commit']],
  },
  // Every engine reports these in the stream.
  {
    on,
    says: /^\w+ failed: file not found in build context or excluded by \.dockerignore: stat (.*): file does not exist$/,
    was: [[24, 200, 'lstat $1: no such file or directory']],
  },
  { on, says: /^\w+ failed: source can't be a URL for (\w+)$/, was: [[24, 200, "Source can't be a URL for $1"]] },
  { on, says: /^invalid signal: (.*)$/i, was: [[24, 200, 'Invalid signal: $1']] },
]

function line(says: RegExp, was: string): readonly Words[] {
  return [
    {
      on,
      says: new RegExp(`^dockerfile parse error (?:on )?line \\d+: ${says.source}$`, says.flags),
      was: [[24, 200, was]],
    },
  ]
}
