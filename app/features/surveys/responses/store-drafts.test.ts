import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { createAttempt } from '#app/server/limits/limits.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { findDraft, hashSending, keepDraft } from './drafts.server.ts'
import { storeDraft } from './store-drafts.server.ts'
import { createSending } from '#app/features/participation/sending.server.ts'
import { submitResponse } from './submit-response.server.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import type { Answers } from '../surveys.schema.ts'

let runtime: TestRuntime
let site: Site
let ctx: Ctx
let surveyId: string

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  ctx = createCtx(runtime, site)
  surveyId = (await addSurvey(runtime, site)).id
})

const createDraft = (sending: { id: string; sendKey: string }, name: string, most = 10) => ({
  row: {
    id: sending.id,
    surveyId,
    version: 1,
    userId: null,
    language: 'en' as const,
    updatedAt: ctx.now(),
    answers: { name },
    resumeHash: hashSending(ctx, sending),
  },
  bytes: 10,
  limitBy: () => createAttempt(ctx, [{ name: 'growth', of: sending.id, most, minutes: 15 }]),
})

test('drafts that share a batch are each created, overwritten in order, or refused by themselves', async () => {
  const [first, twice, other, greedy, sent] = [1, 2, 3, 4, 5].map(() => createSending(ctx.now()))
  if (!first || !twice || !other || !greedy || !sent) throw new Error('Five are made')
  await submitResponse(ctx, (tx, reader) => requireVisibleSurvey(reader, tx, undefined), { ...sent, answers: { name: 'Sent' } })
  // While the first is stored, the others gather into one batch.
  const outcomes = await Promise.allSettled(
    [
      createDraft(first, 'First'),
      createDraft(twice, 'Elm'),
      createDraft(twice, 'Oak'),
      createDraft({ ...twice, sendKey: randomBytes(16).toString('base64url') }, 'Stranger'),
      createDraft(greedy, 'Greedy', 0),
      createDraft(sent, 'Late'),
      createDraft(other, 'Other'),
    ].map((arrival) => storeDraft(runtime.database, site.id, arrival)),
  )
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.created : (outcome.reason as { code: string }).code)),
  ).toEqual([true, true, false, 'conflict', 'too-many-requests', 'already-answered', true])
  const answers = await Promise.all([twice, greedy, sent, other].map(async (sending) => (await findDraft(ctx, sending))?.answers))
  expect(answers).toEqual([{ name: 'Oak' }, undefined, undefined, { name: 'Other' }])
})

test('a draft of no survey is refused, and does not take the others of its batch with it', async () => {
  const [first, broken, other] = [1, 2, 3].map(() => createSending(ctx.now()))
  if (!first || !broken || !other) throw new Error('Three are made')
  const stray = createDraft(broken, 'Stray')
  const outcomes = await Promise.allSettled(
    [createDraft(first, 'First'), { ...stray, row: { ...stray.row, surveyId: randomUUID() } }, createDraft(other, 'Other')].map((arrival) =>
      storeDraft(runtime.database, site.id, arrival),
    ),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect((await findDraft(ctx, other))?.answers).toEqual({ name: 'Other' })
})

test('a refused draft counts against its sender as well, and one that grows counts for what it adds', async () => {
  const sending = createSending(ctx.now())
  const sender = createCtx(runtime, site, { address: '192.0.2.9' })
  const limits = [{ name: 'saves', of: 'sender', most: 3, minutes: 15 }]
  const keep = (answers: Answers) =>
    keepDraft(sender, { ...sending, survey: surveyId, answers }, { limits }).catch((error: unknown) => error)
  expect(await keep({ unknown: 'question' })).toMatchObject({ code: 'invalid' })
  await Promise.all([keep({ name: 'Elm' }), keep({ name: 'E'.repeat(2100) })])
  expect(await keep({ name: 'Oak' })).toMatchObject({ code: 'too-many-requests' })
  expect(await keep({ unknown: 'question' })).toMatchObject({ code: 'too-many-requests' })
  const { rows } = await ctx.db.tx((tx) =>
    tx.execute<{ kilobytes: number }>(sql`select count as kilobytes from rate_limits where key like 'survey-drafts/address:%'`),
  )
  // A new draft counts as ten kilobytes; the second, which shared its batch or came after it, added two more.
  expect(rows).toEqual([{ kilobytes: 13 }])
})
