import { readFile } from 'node:fs/promises'
import { getRawAsset, isSea } from 'node:sea'

const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }

/** The page's files, from src/tools/inspect/page; requests can read no other file. */
const FILES = ['index.html', 'style.css', 'icon.svg'] as const
const SCRIPTS = ['app.js', 'feed.js', 'list.js', 'details.js', 'sides.js', 'diff.js', 'pretty.js', 'dom.js'] as const

export interface Asset {
  readonly type: string
  readonly content: Buffer
}

/** By path. */
export async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const files = [...FILES, ...SCRIPTS.map((name) => `js/${name}` as const)]
  const assets = files.map(async (file) => {
    const name = file.slice(file.indexOf('/') + 1)
    const kind = file.slice(file.lastIndexOf('.') + 1) as keyof typeof TYPES
    const asset = { type: `${TYPES[kind]}; charset=utf-8`, content: await read(file) }
    return [name === 'index.html' ? '/' : `/${name}`, asset] as const
  })
  return new Map(await Promise.all(assets))
}

/** The single executable embeds them (packaging/executable.ts). */
const read = async (file: string): Promise<Buffer> =>
  isSea() ? Buffer.from(getRawAsset(file)) : readFile(new URL(`./page/${file}`, import.meta.url))

/** Only the page's own scripts, styles and addresses; no framing; no text becomes markup. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const
