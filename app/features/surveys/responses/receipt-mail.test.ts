import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { mailReceipt } from './receipt-mail.server.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import { withdrawContribution } from './receipts.server.ts'
import { submitResponse } from './submit-response.server.ts'

let runtime: TestRuntime
let site: Site
let ctx: Ctx

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  ctx = createCtx(runtime, site, { language: 'fr-CA', address: '203.0.113.5' })
})

const answered = async (anonymous: boolean) => {
  const survey = await addSurvey(runtime, site, { anonymous })
  const find = (tx: Parameters<Parameters<Ctx['db']['tx']>[0]>[0]) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id))
  return submitResponse(ctx, find, { id: v7(), sendKey: 'k'.repeat(22), answers: { name: 'Oakwood' } })
}
const mailsTo = (recipient: string) => ctx.db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.recipient, recipient)))
const refused = (code: string) => expect.objectContaining({ code }) as Error
const wrong = (code: string) => expect.objectContaining({ faults: [{ code, pointer: '/email' }] }) as Error

test('emails a receipt on request, in the reader’s language, and keeps the address out of the answers', async () => {
  const { code, response } = await answered(false)
  await mailReceipt(ctx, code, ' Ana@Example.org ')
  const mails = await mailsTo('ana@example.org')
  expect(mails).toMatchObject([{ kind: 'survey-receipt', language: 'fr-CA', userId: null }])
  expect(mails[0]?.secretBodies?.text).toContain(code)
  expect(mails[0]?.bodyText).not.toContain(code)
  expect(mails[0]?.bodyText).not.toContain('Oakwood')
  const [row] = await ctx.db.tx((tx) => tx.select().from(responses).where(eq(responses.id, response.id)))
  expect(JSON.stringify(row)).not.toContain('example.org')
})

test('sends no receipt for an anonymous survey or a withdrawn response', async () => {
  const { code } = await answered(true)
  await expect(mailReceipt(ctx, code, 'bea@example.org')).rejects.toEqual(refused('forbidden'))
  const gone = await answered(false)
  await withdrawContribution(ctx, gone.code)
  await expect(mailReceipt(ctx, gone.code, 'bea@example.org')).rejects.toEqual(refused('forbidden'))
  expect(await mailsTo('bea@example.org')).toEqual([])
})

test('refuses an invalid address, and limits emails to one address', async () => {
  const { code } = await answered(false)
  await expect(mailReceipt(ctx, code, ' ')).rejects.toEqual(wrong('required'))
  await expect(mailReceipt(ctx, code, 'nobody')).rejects.toEqual(wrong('not-an-email'))
  for (let times = 0; times < 4; times++) await mailReceipt(ctx, code, 'cai@example.org')
  await mailReceipt(ctx, code, 'cai+news@example.org')
  await expect(mailReceipt(ctx, code, 'cai@example.org')).rejects.toEqual(refused('too-many-requests'))
  await expect(mailReceipt(ctx, code, 'Cai+another@example.org')).rejects.toEqual(refused('too-many-requests'))
  expect(await mailsTo('cai@example.org')).toHaveLength(4)
})
