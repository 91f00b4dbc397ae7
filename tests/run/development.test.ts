import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendRequest } from '#tests/support/send-request.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { startProduct, temporaryFolder } from '#tests/support/product.ts'
import { queryOnce } from '#tests/support/running-product.ts'
import { cloneTo } from '#tests/support/clone-repository.ts'

test('npm run dev serves from the sources, and shows a change without a restart or more database connections', async ({
  onTestFinished,
}) => {
  const dir = temporaryFolder('development')
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const clone = join(dir, 'clone')
  cloneTo(clone)
  const DATA_DIR = join(dir, 'data')
  const product = await startProduct({ DATA_DIR, LOG_LEVEL: 'warn' }, { root: clone }, ['dev'])
  onTestFinished(async () => void (await product.stop()))
  const page = async () => (await sendRequest(product.port, '/', { host: 'nowhere.example', 'accept-language': 'en' })).text
  const connections = async () =>
    Number((await queryOnce(DATA_DIR, `select count(*) from pg_stat_activity where application_name = 'parley content'`)).rows[0]?.count)
  await expect.poll(page, { timeout: 120_000, interval: 500 }).toContain('There is no consultation site at this address')
  const texts = join(clone, 'locales/en/errors.json')
  writeFileSync(texts, readFileSync(texts, 'utf8').replaceAll('There is no consultation site at this address', 'Nobody lives here'))
  await expect.poll(page, { timeout: 60_000, interval: 200 }).toContain('Nobody lives here')
  await expect.poll(connections, { timeout: 10_000 }).toBe(1)

  // In a browser, a changed component is replaced in place and keeps what was typed.
  const visitor = await (await openBrowser()).newPage()
  await visitor.goto(`${product.origin}/search`, { waitUntil: 'networkidle' })
  // React marks elements that it has taken over. A component that changes earlier would be hydrated over the server's older markup.
  await visitor.waitForFunction(() => Object.keys(document.querySelector('footer') ?? {}).some((name) => name.startsWith('__reactFiber')))
  const field = visitor.locator('main input[name="q"]').first()
  await field.fill('bridge')
  const footer = join(clone, 'app/ui/site-footer.tsx')
  writeFileSync(footer, readFileSync(footer, 'utf8').replace('<footer ', '<footer data-changed="yes" '))
  await visitor.locator('footer[data-changed="yes"]').waitFor({ timeout: 60_000 })
  expect(await field.inputValue()).toBe('bridge')
  await expect.poll(connections, { timeout: 10_000 }).toBe(1)
  expect(await product.stop()).toBe(0)
  expect(readFileSync(join(DATA_DIR, 'postgres.log'), 'utf8')).toContain('database system is shut down')
})
