import v8 from 'node:v8'

/**
 * From now on V8's collector judges by what buffers hold, not by how much was ever read into them (chromium:361124432,
 * which V8 does by itself from 14.8 on). Otherwise each 64 MB that pass through in buffers of Node's own mark all of the old generation.
 * To be called when the program serves: what is compiled after it does not match the compiled code that was kept.
 */
export function countHeldBuffers(engine = process.versions.v8): void {
  const [major = 0, minor = 0] = engine.split('.').map(Number)
  if ((major === 13 && minor >= 6) || (major === 14 && minor < 8))
    v8.setFlagsFromString('--external-memory-accounted-in-global-limit')
}
