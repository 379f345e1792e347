import { readFile } from 'node:fs/promises'
import { getRawAsset, isSea } from 'node:sea'

/** The page's files, from src/tools/inspect/page; requests can read no other file. */
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/style.css': ['style.css', 'text/css; charset=utf-8'],
  '/app.js': ['js/app.js', 'text/javascript; charset=utf-8'],
  '/feed.js': ['js/feed.js', 'text/javascript; charset=utf-8'],
  '/list.js': ['js/list.js', 'text/javascript; charset=utf-8'],
  '/details.js': ['js/details.js', 'text/javascript; charset=utf-8'],
  '/diff.js': ['js/diff.js', 'text/javascript; charset=utf-8'],
  '/pretty.js': ['js/pretty.js', 'text/javascript; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
  '/dom.js': ['js/dom.js', 'text/javascript; charset=utf-8'],
} as const satisfies Record<string, readonly [file: string, type: string]>

export interface Asset {
  readonly type: string
  readonly content: Buffer
}

/** The single executable embeds them (packaging/executable.ts). */
const read = async (file: string): Promise<Buffer> =>
  isSea() ? Buffer.from(getRawAsset(file)) : readFile(new URL(`./page/${file}`, import.meta.url))

export async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const assets = Object.entries(FILES).map(
    async ([path, [file, type]]) => [path, { type, content: await read(file) }] as const,
  )
  return new Map(await Promise.all(assets))
}

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
