import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { checkHar } from './har-schema.ts'
import { followEvents, launch, openExec, openScene, type Scene, useOf } from './scene.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const TIMEOUT = 60_000

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

const browser = await launch().catch((cause: unknown) => {
  if (process.env['ENGINEBRIDGE_LIVE'] === 'required') throw cause
  process.stderr.write(`\n*** THE INSPECTOR'S PAGE IS NOT TESTED: no Chromium: ${String(cause)} ***\n\n`)
  return undefined
})

describe.skipIf(browser === undefined)('the page of the inspector', { timeout: 180_000, retry: 1 }, () => {
  let scene: Scene
  let page: Page
  /** Errors of the browser: of scripts, and of loads that the page's policy forbids. */
  let complaints: string[] = []

  beforeAll(async () => {
    scene = await openScene()
  })
  afterAll(async () => {
    await browser?.close()
    await scene.close()
  })
  beforeEach(() => {
    complaints = []
  })
  afterEach(async () => {
    await page.context().close()
    expect(complaints).toEqual([])
  })

  /** Opens the page in a new context and collects its complaints. */
  async function look(options: BrowserContextOptions = {}, url = scene.url): Promise<Page> {
    const context = await (browser as Browser).newContext({ viewport: { width: 1280, height: 800 }, ...options })
    page = await context.newPage()
    page.setDefaultTimeout(TIMEOUT)
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(url)
    if (url === scene.url) await page.locator('[data-state=live]').waitFor()
    return page
  }

  const rows = (): ReturnType<Page['locator']> => page.locator('#rows tr')
  const count = (text: string | RegExp): Promise<void> => page.locator('#count', { hasText: text }).waitFor()
  const choose = (name: string | RegExp): Promise<void> => page.getByRole('button', { name }).first().click()
  const title = (text: string | RegExp): Promise<void> => page.locator('#details-title', { hasText: text }).waitFor()

  async function violations(): Promise<string[]> {
    await page.evaluate(await readFile(AXE, 'utf8'))
    const found = (await page.evaluate(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )) as Violation[]
    return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
  }

  it('asks for the token, and keeps it out of the address', async () => {
    const [address = ''] = scene.url.split('#')
    await look({}, address)
    await page.getByRole('heading', { name: 'The inspector asks for its token' }).waitFor()
    expect(await violations()).toEqual([])
    await page.getByRole('textbox', { name: 'Token' }).fill('wrong')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('alert').filter({ hasText: 'the token is missing or is not that of this start' }).waitFor()
    expect(complaints.splice(0).every((text) => text.includes('401'))).toBe(true)
    await page.getByRole('textbox', { name: 'Token' }).fill(scene.bridge.inspect?.token ?? '')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('[data-state=live]').waitFor()
    await page.goto(scene.url) // the same page, another fragment
    await page.waitForURL(address)
    await page.locator('[data-state=live]').waitFor()
    expect(await page.context().cookies()).toEqual([])
  })

  it('shows calls as they come, the newest first, and finds some of them', async () => {
    await look()
    await page.getByRole('button', { name: 'Clear' }).click()
    await count('0 calls')
    await useOf(scene.socket, 'live')
    await count('10 calls')
    expect(await rows().first().textContent()).toContain('/info')
    expect(await rows().last().textContent()).toContain('/version')
    await page.getByLabel('Search').fill('nosuch')
    await count('1 of 10 calls')
    expect(await rows().first().textContent()).toContain('404')
    await page.getByLabel('Search').fill('')
    await page.getByLabel('Client').selectOption('1.22')
    await count('7 of 10 calls')
    await page.getByLabel('Status').selectOption('4')
    await count('1 of 10 calls')
    await page.getByLabel('Client').selectOption('')
    await page.getByLabel('Lane').selectOption('-')
    await count('1 of 10 calls')
    expect(await rows().first().textContent()).toContain('/info')
    await page.getByLabel('Lane').selectOption('')
    await page.getByLabel('Status').selectOption('')
    await page.getByLabel('changed').check()
    await page.locator('#count', { hasText: /^[3-9] of 10 calls/ }).waitFor()
  })

  it('finds a call by the words that its row shows, although the request has them encoded', async () => {
    await look()
    await call(scene.socket, `/v1.44/containers/json?filters=${encodeURIComponent('{"label":["web app"]}')}`)
    await page.locator('#rows tr', { hasText: '{"label":["web app"]}' }).first().waitFor()
    await page.getByLabel('Search').fill('["web app"]')
    await count(/^1 of /)
  })

  it('shows both sides of a 1.22 client’s call with the difference marked, not by colour alone', async () => {
    await look()
    await useOf(scene.socket, 'sides')
    await choose(/GET \/images\/busybox\/json/)
    await title('/images/busybox/json')
    const answer = page.locator('#part-response')
    await answer.locator('.client', { hasText: '"VirtualSize"' }).first().waitFor()
    expect(await answer.locator('.client', { hasText: '"VirtualSize"' }).first().textContent()).toContain(
      '−client only',
    )
    const first = page.locator('#part-request .changed').first()
    expect(await first.locator('.left del').textContent()).not.toBe(await first.locator('.right ins').textContent())
    expect(await first.textContent()).toContain('≠changed')
    expect(await page.locator('#part-changes code').allTextContents()).toContain('1.44/virtual-size')
    const folds = answer.getByRole('button', { name: /equal lines/ })
    if ((await folds.count()) > 0) {
      const before = await answer.locator('.same').count()
      await folds.first().click()
      expect(await answer.locator('.same').count()).toBeGreaterThan(before)
    }
  })

  it('shows a followed stream and a tunnel while they grow', async () => {
    await look()
    const events = await followEvents(scene.socket)
    await choose(/GET \/events/)
    await title('/events')
    await useOf(scene.socket, 'streamed')
    await page.locator('#part-response .left', { hasText: '"status": "start"' }).first().waitFor()
    await page.locator('#part-response .right', { hasText: '"Action": "start"' }).first().waitFor()
    const tunnel = await openExec(scene.socket, 'streamed')
    await choose(/POST \/exec\/.*\/start/)
    tunnel.send('first line\n')
    const typed = page.getByLabel('From the client')
    await typed.filter({ hasText: 'first line' }).waitFor()
    tunnel.send('second line\n')
    await typed.filter({ hasText: 'second line' }).waitFor()
    await page.locator('#part-tunnel .more', { hasText: '23 B' }).first().waitFor()
    tunnel.finish()
    tunnel.socket.destroy()
    events.socket.destroy()
  })

  it('does not lay out lines of a long stream that are out of sight, which held it up for seconds', async () => {
    await look()
    const events = await followEvents(scene.socket)
    await choose(/GET \/events/)
    for (let i = 0; i < 60; i++) {
      const body = JSON.stringify({ Image: 'busybox' })
      await call(scene.socket, `/v1.44/containers/create?name=long-${i}`, { method: 'POST', body })
    }
    const lines = page.locator('#part-response [role=row]')
    await lines.filter({ hasText: 'long-59' }).first().waitFor({ state: 'attached' })
    const shown = `[...document.querySelectorAll('#part-response .left')].filter((one) => one.checkVisibility({ contentVisibilityAuto: true })).length`
    await expect.poll(() => page.evaluate(shown), { timeout: 10_000 }).toBeLessThan((await lines.count()) / 2)
    expect(await lines.count()).toBeGreaterThan(500)
    events.socket.destroy()
  })

  it('stands still while it is paused, and then catches up', async () => {
    await look()
    await page.getByRole('button', { name: 'Clear' }).click()
    await call(scene.socket, '/v1.44/_ping')
    await page.getByRole('button', { name: /_ping/ }).first().waitFor()
    const shown = await rows().count()
    await page.getByRole('button', { name: 'Pause' }).click()
    await call(scene.socket, '/v1.44/info')
    await page.getByRole('button', { name: 'Resume (1 new)' }).waitFor()
    expect(await rows().count()).toBe(shown)
    await page.getByLabel('Search').fill('/info')
    await count(/^0 of /)
    await page.getByLabel('Search').fill('')
    await page.getByRole('button', { name: 'Resume (1 new)' }).click()
    await page.locator('#rows tr', { hasText: '/info' }).first().waitFor()
    expect(await rows().count()).toBe(shown + 1)
  })

  it('exports what the filters leave, as HTTP Archive and as a recording', async () => {
    await look()
    await useOf(scene.socket, 'exported')
    await page.getByLabel('Search').fill('exported')
    const saved = async (name: RegExp): Promise<string> => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      return readFile(await (await download).path(), 'utf8')
    }
    await page.getByRole('button', { name: /Export HAR \(3\)/ }).waitFor()
    const har = checkHar(JSON.parse(await saved(/Export HAR/)))
    expect(har.log.entries.map(({ request: { method } }) => method)).toEqual(['POST', 'POST', 'GET'])
    const lines = (await saved(/Export recording/)).trimEnd().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ recording: 1 })
    expect(lines).toHaveLength(4)
    for (const text of [JSON.stringify(har), ...lines]) expect(text).not.toMatch(/correct horse|b4ttery/)
  })

  it('is used with the keyboard alone', async () => {
    await look()
    await useOf(scene.socket, 'keys')
    await page.locator('#rows tr', { hasText: 'keys' }).first().waitFor()
    // Waits for the last of these calls: a row that came later would stand between the others.
    const newest = (): Promise<string> => page.evaluate("document.querySelector('#rows button')?.getAttribute('title')")
    await expect.poll(newest, { timeout: 10_000 }).toBe('/v1.30/info')
    await page.getByLabel('with losses').focus()
    await page.keyboard.press('Tab')
    const focused = (): Promise<string> => page.evaluate("document.activeElement?.getAttribute('title') ?? ''")
    await expect.poll(focused, { timeout: 10_000 }).toBe('/v1.30/info')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused, { timeout: 10_000 }).toBe('/v1.44/containers/json')
    await page.keyboard.press('Enter')
    await title('/containers/json')
    await page.keyboard.press('ArrowUp')
    await title('/info')
    await page.locator('#details').focus()
    await page.keyboard.press('Escape')
    await title('Choose a call')
    await expect.poll(focused, { timeout: 10_000 }).toBe('/v1.30/info')
  })

  it('takes two steps of the Tab key from the filters to the details, however many calls are listed', async () => {
    await look()
    await useOf(scene.socket, 'steps')
    await choose(/GET \/containers\/steps\/json/)
    await title('/containers/steps/json')
    await page.getByLabel('with losses').focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('tr').className")).toContain('chosen')
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('#details') !== null")).toBe(true)
  })

  it('leaves the keyboard where it is in a part that is shown anew', async () => {
    await look()
    const events = await followEvents(scene.socket)
    await choose(/GET \/events/)
    await title('/events')
    await page.locator('#part-call > summary').focus()
    const before = await page.locator('#part-call').textContent()
    await useOf(scene.socket, 'focused')
    await expect.poll(() => page.locator('#part-call').textContent(), { timeout: 10_000 }).not.toBe(before)
    expect(await page.evaluate("document.activeElement.closest('details')?.id")).toBe('part-call')
    events.socket.destroy()
  })

  it('keeps every row within a narrow window, however long its path is', async () => {
    const filters = encodeURIComponent(JSON.stringify({ container: { ['x'.repeat(300)]: true } }))
    await call(scene.socket, `/v1.24/containers/json?filters=${filters}`)
    await look({ viewport: { width: 320, height: 640 } })
    await rows().first().waitFor()
    const widest = await page.evaluate(
      "Math.max(...[...document.querySelectorAll('#rows tr, #rows td')].map((one) => one.getBoundingClientRect().right))",
    )
    expect(widest).toBeLessThanOrEqual(320)
  })

  it('shows what looks like markup as the text that it is', async () => {
    await look()
    await call(scene.socket, `/v1.44/containers/${encodeURIComponent('<img src=x onerror=alert(1)>')}/json`)
    await choose(/onerror/)
    await title('<img src=x onerror=alert(1)>')
    expect(await page.locator('main img, main script').count()).toBe(0)
  })

  it.each([
    ['turn round what is shown', 'web-\u202egpj.exe', 'web-\\u202egpj.exe'],
    ['look like another', 'we\u200bb-\u061c', 'we\\u200bb-\\u061c'],
  ])('shows a name that would %s as it is written', async (_, name, shown) => {
    await look()
    await call(scene.socket, `/v1.44/containers/${encodeURIComponent(name)}/json`)
    await page.getByRole('button', { name: shown }).first().click()
    await title(shown)
  })

  it('asks anew for the token of a bridge that was started again, and keeps nothing of the calls before', async () => {
    const first = await openScene()
    await look({}, first.url)
    await page.locator('[data-state=live]').waitFor()
    await useOf(first.socket, 'before')
    await choose(/GET \/containers\/before\/json/)
    await title('/containers/before/json')
    await first.close()
    const second = await openScene(`tcp://${new URL(first.url).host}`)
    await useOf(second.socket, 'after')
    await page.getByRole('alert').filter({ hasText: 'not that of this start' }).waitFor()
    await page.getByRole('textbox', { name: 'Token' }).fill(second.bridge.inspect?.token ?? '')
    await page.getByRole('button', { name: 'Open' }).click()
    await count('10 calls')
    await title('Choose a call')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.locator('#rows').textContent()).not.toContain('before')
    await second.close()
    complaints = [] // the browser's, of the time without a bridge
  })

  it('runs no script but its own', async () => {
    await look()
    const blocked = await page.evaluate(`new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true })
      const image = document.createElement('img')
      image.src = 'http://127.0.0.1:9/x.png'
      document.body.append(image)
    })`)
    expect(blocked).toBe('img-src')
    expect(complaints.splice(0).join()).toContain('Content Security Policy')
    await expect(page.evaluate("document.body.insertAdjacentHTML('beforeend', '<b>x</b>')")).rejects.toThrow(
      /TrustedHTML/,
    )
    complaints.splice(0)
  })

  it.each([
    ['in light', { colorScheme: 'light' }],
    ['in dark', { colorScheme: 'dark' }],
    ['in a narrow window', { viewport: { width: 320, height: 640 } }],
    ['in a narrow window in dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
  ] as const)('has no violation that axe finds, %s', async (_, options) => {
    await look(options)
    await useOf(scene.socket, 'accessible')
    await page.locator('#rows tr', { hasText: 'accessible' }).first().waitFor()
    expect(await violations()).toEqual([])
    await choose(/GET \/containers\/accessible\/json/)
    await title('/containers/accessible/json')
    await page.locator('#part-response .changed, #part-response .client').first().waitFor()
    expect(await violations()).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
  })
})
