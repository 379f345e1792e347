import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'

/**
 * A registry that serves one image from a tarball as `GET /images/{name}/get` gives it: a program of its own, because it
 * runs inside an engine's network (`engine enter SOCKET node registry.ts TARBALL PORT`). Engines trust 127.0.0.0/8 over
 * plain HTTP. Distribution API 2, as far as a pull goes: distribution/spec, "Pulling manifests" and "Pulling blobs".
 */
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'
const CONFIG = 'application/vnd.docker.container.image.v1+json'
const LAYER = 'application/vnd.docker.image.rootfs.diff.tar.gzip'

/** The files of a tarball by name (POSIX ustar). */
function untar(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const text = (at: number, length: number): string =>
    bytes
      .toString('latin1', at, at + length)
      .replace(/\0.*$/s, '')
      .trim()
  for (let at = 0; at + 512 <= bytes.length; ) {
    const name = text(at, 100)
    if (name === '') break
    const size = Number.parseInt(text(at + 124, 12), 8) || 0
    files.set(name, bytes.subarray(at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const Manifest = z.array(z.looseObject({ Config: z.string(), Layers: z.array(z.string()) }))

/** Every blob by digest, and the manifest. */
function imageOf(tarball: Buffer): { blobs: Map<string, Buffer>; manifest: Buffer } {
  const files = untar(tarball)
  const file = (name: string): Buffer => files.get(name) ?? fail(`no ${name} in the tarball`)
  const [image = fail('no image in the tarball')] = Manifest.parse(JSON.parse(file('manifest.json').toString()))
  const config = file(image.Config)
  const layers = image.Layers.map((name) => gzipSync(file(name)))
  const part = (mediaType: string, blob: Buffer) => ({ mediaType, size: blob.length, digest: digestOf(blob) })
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: part(CONFIG, config),
    layers: layers.map((l) => part(LAYER, l)),
  }
  return {
    blobs: new Map([config, ...layers].map((blob) => [digestOf(blob), blob])),
    manifest: Buffer.from(JSON.stringify(manifest)),
  }
}

function fail(message: string): never {
  throw new Error(message)
}

const [tarball = fail('usage: registry.ts TARBALL PORT'), port = fail('usage: registry.ts TARBALL PORT')] =
  process.argv.slice(2)
const { blobs, manifest } = imageOf(readFileSync(tarball))
/** The two tags that it does not have: some registries give a detail with the error, some none. */
const MISSING = /\/manifests\/nosuchtag(-bare)?$/
const server = createServer((req, res) => {
  const path = req.url ?? ''
  const missing = MISSING.exec(path)
  if (missing !== null) {
    const error = { code: 'MANIFEST_UNKNOWN', message: 'manifest unknown', ...(missing[1] ? {} : { detail: 'no tag' }) }
    res.writeHead(404, { 'Content-Type': 'application/json' }).end(JSON.stringify({ errors: [error] }))
    return
  }
  const digest = /\/(?:blobs|manifests)\/(.+)$/.exec(path)?.[1] ?? ''
  const found = path.includes('/manifests/') ? manifest : blobs.get(digest)
  if (path !== '/v2/' && found === undefined) {
    res.writeHead(404, { 'Content-Type': 'application/json' }).end('{"errors":[{"code":"BLOB_UNKNOWN"}]}')
    return
  }
  const body = found ?? Buffer.from('{}')
  const type = path.includes('/manifests/')
    ? MANIFEST
    : found === undefined
      ? 'application/json'
      : 'application/octet-stream'
  res.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length, 'Docker-Content-Digest': digestOf(body) })
  res.end(req.method === 'HEAD' ? undefined : body)
})
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
