import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { budgetBallots } from '#app/server/db/schema/budgets.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { findReceiptPage } from './find-by-code.server.ts'
import { listLastReceipts } from './last-receipts.server.ts'
import { hashReceiptCode } from './receipt-code.server.ts'

const [IDEA, BALLOT, UNKNOWN] = ['K7QF-1M8Z-XW3R-90BT', 'AAAA-BBBB-CCCC-DDDD', '0000-1111-2222-3333'] as const

let runtime: TestRuntime
let site: Site
let ideaPage: string
let ballotPage: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  const activity = await addActivity(runtime, site)
  await addContribution(runtime, site, { activityId: activity.id, number: 1, receiptHash: hashReceiptCode(site.id, IDEA) })
  const round = await addRound(runtime, site, [{ amount: 10_000, costs: [6000] }])
  await runtime.database.site(site.id).tx((tx) =>
    tx.insert(budgetBallots).values({
      siteId: site.id,
      id: createId(),
      roundId: round.id,
      options: [1],
      castAt: new Date('2026-03-02T12:00:00Z'),
      receiptHash: hashReceiptCode(site.id, BALLOT),
    }),
  )
  ideaPage = `/projects/${activity.projectSlug}/${activity.slug}/receipt`
  ballotPage = `/projects/${round.projectSlug}/budgets/${round.slug}/receipt`
})

test('receipts are listed in the order of their codes, without those that stand for nothing', async () => {
  const ctx = createCtx(runtime, site)
  expect(await listLastReceipts(ctx, [BALLOT, UNKNOWN, IDEA])).toMatchObject([
    { code: BALLOT, title: { text: 'Neighbourhood fund' }, at: '2026-03-02T12:00:00.000Z' },
    { code: IDEA, title: { text: 'Ideas for the park' } },
  ])
  expect(await listLastReceipts(ctx, [])).toEqual([])
})

test('codes of contributions and of ballots lead to their pages, as people type them, and on their own site only', async () => {
  const ctx = createCtx(runtime, site)
  expect(await findReceiptPage(ctx, IDEA.toLowerCase().replaceAll('-', ' '))).toEqual({ page: ideaPage, code: IDEA })
  expect(await findReceiptPage(ctx, BALLOT)).toEqual({ page: ballotPage, code: BALLOT })
  expect(await findReceiptPage(ctx, UNKNOWN)).toBeUndefined()
  const other = createCtx(runtime, await addSite(runtime, { slug: 'harbour' }))
  expect(await findReceiptPage(other, BALLOT)).toBeUndefined()
  expect(await listLastReceipts(other, [BALLOT, IDEA])).toEqual([])
})
