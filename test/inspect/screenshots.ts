import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { followEvents, launch, openExec, openScene, useOf } from './scene.ts'

/** `npm run screenshots`: the pictures of docs/inspector.md, from a real page. */
const docs = join(import.meta.dirname, '../../docs')

const scene = await openScene()
const browser = await launch()
const WIDE = { width: 1190, height: 620 }

async function picture(
  name: string,
  options: { colorScheme: 'light' | 'dark'; width?: number; height?: number },
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const { width = WIDE.width, height = WIDE.height, colorScheme } = options
  const context = await browser.newContext({ viewport: { width, height }, colorScheme })
  const page = await context.newPage()
  await page.goto(scene.url)
  await page.locator('[data-state=live]').waitFor()
  await act(page)
  await page.screenshot({ path: join(docs, `inspector-${name}.png`) })
  await context.close()
}

const choose = async (page: Page, name: RegExp, title: string): Promise<void> => {
  await page.getByRole('button', { name }).first().click()
  await page.locator('#details-title', { hasText: title }).waitFor()
}

const events = await followEvents(scene.socket)
await useOf(scene.socket, 'web')
const tunnel = await openExec(scene.socket, 'web')
tunnel.send('select count(*) from orders;\n')

await picture('light', { colorScheme: 'light' }, async (page) => {
  await choose(page, /GET \/images\/busybox/, '/images/busybox')
  await page.locator('#part-call > summary').click()
})
await picture('dark', { colorScheme: 'dark' }, async (page) => {
  await choose(page, /POST \/containers\/create/, 'create')
})
await picture('stream', { colorScheme: 'light' }, async (page) => {
  await choose(page, /GET \/events/, '/events')
  await page.locator('#part-call > summary').click()
})
await picture('narrow', { colorScheme: 'dark', width: 320, height: 640 }, async () => undefined)
await picture('narrow-call', { colorScheme: 'light', width: 320, height: 640 }, async (page) => {
  await choose(page, /GET \/images\/busybox/, '/images/busybox')
  await page.locator('#part-call > summary').click()
  await page.locator('#part-request > summary').click()
})
tunnel.socket.destroy()
events.socket.destroy()
await browser.close()
await scene.close()
