import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import { type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite, openSession, queryOnce } from '#tests/support/running-product.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'

const dir = temporaryFolder('mails')
const DATA_DIR = join(dir, 'data')
const HOST = 'mill.localhost'
let product: Product
let smtp: TestSmtp

beforeAll(async () => {
  smtp = await startSmtp()
  const settings = { DATA_DIR, NO_DEMO: '1', SMTP_URL: smtp.url }
  product = await startProduct(settings)
  await createSite({ ...settings, PORT: String(product.port) }, HOST, 'Mill Town')
})
afterAll(async () => {
  await product.stop()
  rmSync(dir, { recursive: true, force: true })
})

const followers = async () => (await queryOnce(DATA_DIR, 'select count(*)::int as n from project_follows')).rows[0] as { n: number }

test('followers of a project get its news by email, and one click in the mail program unsubscribes', async () => {
  await openSession(DATA_DIR, HOST, 'Ana')
  await queryOnce(
    DATA_DIR,
    `with site as (select site_id from site_domains where host = $1),
       project as (
         insert into projects (site_id, id, slug, title, summary, status, published_at)
         select site_id, $2, 'bus', '{"en": "A faster bus"}', '{"en": ""}', 'published', now() from site returning site_id, id),
       follow as (
         insert into project_follows (site_id, project_id, user_id)
         select project.site_id, project.id, users.id from project join users using (site_id))
     insert into project_updates (site_id, id, project_id, slug, title, body, published_at)
     select site_id, $3, id, 'news', '{"en": "It is decided"}', '{"en": "The stop moves."}', now() from project`,
    [HOST, createId(), createId()],
  )
  await expect.poll(() => smtp.received.length, { timeout: 60_000 }).toBe(1)
  const mail = smtp.received[0]?.data.replaceAll(/\n[ \t]+/g, ' ') ?? ''
  expect(mail).toMatch(/^Subject: A faster bus: It is decided$/m)
  expect(mail).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  const leave = new URL(/^List-Unsubscribe: ?<([^>]+)>$/m.exec(mail)?.[1] ?? '')
  const headers = { host: `${HOST}:${product.port}`, 'content-type': 'application/x-www-form-urlencoded' }
  const at = leave.pathname + leave.search
  expect(await followers()).toEqual({ n: 1 })
  // Merely opening the URL changes nothing, since mail programs prefetch links.
  expect((await sendRequest(product.port, at, headers)).status).toBe(200)
  expect(await followers()).toEqual({ n: 1 })
  const pressed = await sendRequest(product.port, at, headers, 'POST', 'List-Unsubscribe=One-Click')
  expect([pressed.status, pressed.text]).toEqual([200, ''])
  expect(await followers()).toEqual({ n: 0 })
})
