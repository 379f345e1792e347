import { olderErrors, type Row } from './words.ts'

/**
 * Errors of builds. Engines up to 1.12 check a line when they execute it: the answer has begun and the steps before it have
 * run. builder/dockerfile @v1.6.2 … v1.12.6; recorded as build-…
 */
export const builds = olderErrors({
  ImageBuild: [
    [
      /^the Dockerfile (\(.*\) )cannot be empty$/,
      '1.24 500 The Dockerfile $1cannot be empty',
      '1.18 500 Dockerfile cannot be empty',
    ],
    [
      /^error downloading remote context (\S+): (.*)$/,
      '1.24 500 Error downloading remote context $1: $2',
      '1.19 500 $2',
    ],
    [/^failed to parse Dockerfile: (.*)$/, '1.24 500 $1'],
    [
      /^(?:(\w+) failed: )?forbidden path outside the build context: (.*?) \(.*\)$/i,
      '1.24 500 Forbidden path outside the build context: $2 ($2)',
    ],
    [/^unsupported isolation: (.*)$/i, '1.24 500 Unsupported isolation: $1'],
    [/^error reading (?:ulimit settings|build args): (.*)$/, '1.24 500 $1'],
    line(
      /(?<!\w)(\w+) requires at least two arguments, but only one was provided.*/,
      '$1 requires at least two arguments',
    ),
    line(/VOLUME specified can not be an empty string/, 'Volume specified can not be an empty string'),
    line(/unknown flag: -*(\S+)/i, 'Unknown flag: $1'),
    line(/unknown instruction: (\S+)/, 'Unknown instruction: $1'),
    line(/(.*)/, '$1'),
    [/^no build stage in current context$/, '1.24 200 Please provide a source image with `from` prior to commit'],

    // Every engine reports these in the stream.
    [
      /^\w+ failed: file not found in build context or excluded by \.dockerignore: stat (.*): file does not exist$/,
      '1.24 200 lstat $1: no such file or directory',
    ],
    [/^\w+ failed: source can't be a URL for (\w+)$/, "1.24 200 Source can't be a URL for $1"],
    [/^invalid signal: (.*)$/i, '1.24 200 Invalid signal: $1'],
  ],
})

function line(says: RegExp, was: string): Row {
  return [new RegExp(`^dockerfile parse error (?:on )?line \\d+: ${says.source}$`, says.flags), `1.24 200 ${was}`]
}
