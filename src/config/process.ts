import v8 from 'node:v8'
import manifest from '../../package.json' with { type: 'json' }

export type Environment = Readonly<Record<string, string | undefined>>

/** The version in package.json. */
export const ownVersion = (): string => manifest.version

/**
 * Makes V8's collector count the bytes that buffers hold rather than all bytes ever read into them (chromium:361124432,
 * the default from 14.8 on). Otherwise every 64 MB that pass through Node's buffers trigger a full mark of the old
 * generation. Call it when serving starts: code compiled afterwards does not match the compile cache.
 */
export function countHeldBuffers(engine = process.versions.v8): void {
  const [major = 0, minor = 0] = engine.split('.').map(Number)
  if ((major === 13 && minor >= 6) || (major === 14 && minor < 8))
    v8.setFlagsFromString('--external-memory-accounted-in-global-limit')
}
