import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import { surveyQuotas, surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey, EVERY_TYPE } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { discardChange, startChange, submitChange } from './edit-response.server.ts'
import { loadSurveyTallies, findWrongCounts } from './response-counts.server.ts'
import { keepDraft } from './drafts.server.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import { requireContribution, withdrawContribution } from './receipts.server.ts'
import { type ResponseInput, submitResponse } from './submit-response.server.ts'
import { getSurveyForAnswering } from '../surveys.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const LATER = new Date('2026-05-04T13:00:00Z')
let runtime: TestRuntime
let site: Site
let ctx: Ctx

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  ctx = createCtx(runtime, site)
})
beforeEach(() => runtime.setNow(NOON))

const find = (surveyId: string) => (tx: Tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId))
const send = (surveyId: string, input: Partial<ResponseInput> = {}) =>
  submitResponse(ctx, find(surveyId), {
    id: v7({ msecs: NOON.getTime() }),
    sendKey: 'k'.repeat(22),
    answers: { name: 'Fern Street' },
    ...input,
  })
const stored = (surveyId: string) =>
  ctx.db.tx((tx) =>
    tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
const mistakes = (surveyId: string) => ctx.db.tx((tx) => findWrongCounts(tx, site.id, surveyId))
const refused = (code: string) => expect.objectContaining({ code }) as Error

describe('changing an answer', () => {
  test('replaces the previous answer once sent, with the same receipt, and updates the counts', async () => {
    const survey = await addSurvey(runtime, site, { access: 'anyone_once', anonymous: true })
    await send(survey.id, { browserToken: issueToken(runtime, site), answers: { name: 'Oak', safe: 2 } })
    const first = await send(survey.id, { browserToken: issueToken(runtime, site, 'the first'), answers: { name: 'Fern Street', safe: 1 } })
    await ctx.db.tx((tx) => loadSurveyTallies(tx, site.id, survey.id))
    runtime.setNow(LATER)
    const { sending, address } = await startChange(ctx, first.code)
    const page = await getSurveyForAnswering(ctx, address, { browserToken: issueToken(runtime, site, 'the first'), sending })
    expect(page).toMatchObject({ survey: { refusal: null, changing: true }, draft: { name: 'Fern Street', safe: 1 } })
    await keepDraft(ctx, { ...sending, survey: survey.id, answers: { name: 'Half' } })
    expect((await requireContribution(ctx, first.code)).answers).toEqual({ name: 'Fern Street', safe: 1 })
    const input = { ...sending, answers: { name: 'Elm', safe: 5 } }
    expect(await submitChange(ctx, find(survey.id), input)).toMatchObject({ code: first.code, stored: true })
    expect(await submitChange(ctx, find(survey.id), { ...input, answers: { name: 'Other' } })).toMatchObject({
      code: first.code,
      stored: false,
      response: { answers: { name: 'Elm', safe: 5 } },
    })
    expect(await requireContribution(ctx, first.code)).toMatchObject({
      answers: { name: 'Elm', safe: 5 },
      editedAt: LATER,
      submittedAt: NOON,
    })
    expect(await stored(survey.id)).toHaveLength(2)
    expect(await mistakes(survey.id)).toEqual([])
    const counts = await ctx.db.tx((tx) => loadSurveyTallies(tx, site.id, survey.id))
    expect(counts.find(({ question, value }) => question === 'safe' && value === '5')?.count).toBe(1)
    expect(counts.find(({ question, value }) => question === 'safe' && value === '1')?.count ?? 0).toBe(0)
    const drafts = await ctx.db.tx((tx) => tx.select().from(responseDrafts).where(eq(responseDrafts.surveyId, survey.id)))
    expect(drafts).toEqual([])
    await expect(keepDraft(ctx, { ...sending, survey: survey.id, answers: {} })).rejects.toEqual(refused('already-answered'))
  })

  test('keeps the previous answer and its quota place if the change is invalid or finds no place', async () => {
    const is = (option: string) => ({ question: 'mode', is: 'any_of' as const, options: [option] })
    const quotas = ['bus', 'foot'].map((option) => ({ id: option, limit: 1, when: is(option) }))
    const survey = await addSurvey(runtime, site, { definition: { ...EVERY_TYPE, quotas } })
    const first = await send(survey.id, { answers: { name: 'A', mode: { choice: 'bus' } } })
    await send(survey.id, { answers: { name: 'B', mode: { choice: 'foot' } } })
    const { sending } = await startChange(ctx, first.code)
    const change = (answers: ResponseInput['answers']) => submitChange(ctx, find(survey.id), { ...sending, answers })
    await expect(change({})).rejects.toEqual(refused('invalid'))
    await expect(change({ name: 'A', mode: { choice: 'foot' } })).rejects.toEqual(refused('quota-full'))
    expect((await requireContribution(ctx, first.code)).answers).toEqual({ name: 'A', mode: { choice: 'bus' } })
    await change({ name: 'A' })
    const taken = await ctx.db.tx((tx) => tx.select().from(surveyQuotas).where(eq(surveyQuotas.surveyId, survey.id)))
    expect(Object.fromEntries(taken.map((row) => [row.quotaId, row.taken]))).toEqual({ bus: 0, foot: 1 })
    expect(await mistakes(survey.id)).toEqual([])
  })

  test('needs the receipt, and an open survey that allows changes', async () => {
    const fixed = await addSurvey(runtime, site, { changeable: false })
    await expect(startChange(ctx, (await send(fixed.id)).code)).rejects.toEqual(refused('forbidden'))
    const survey = await addSurvey(runtime, site, { closesAt: LATER })
    const first = await send(survey.id)
    await expect(startChange(ctx, 'AAAA-AAAA-AAAA-AAAA')).rejects.toEqual(refused('not-found'))
    const { sending } = await startChange(ctx, first.code)
    const stolen = { ...sending, sendKey: 'x'.repeat(22), answers: { name: 'Mine' } }
    expect(await submitChange(ctx, find(survey.id), stolen)).toBeUndefined()
    runtime.setNow(new Date(LATER.getTime() + 600_000))
    await expect(startChange(ctx, first.code)).rejects.toEqual(refused('survey-closed'))
    await expect(submitChange(ctx, find(survey.id), { ...sending, answers: { name: 'Late' } })).rejects.toEqual(refused('survey-closed'))
    expect((await requireContribution(ctx, first.code)).answers).toEqual({ name: 'Fern Street' })
  })

  test('is refused once the answer is withdrawn', async () => {
    const survey = await addSurvey(runtime, site)
    const first = await send(survey.id)
    const { sending } = await startChange(ctx, first.code)
    await withdrawContribution(ctx, first.code)
    expect(await submitChange(ctx, find(survey.id), { ...sending, answers: { name: 'Again' } })).toBeUndefined()
    await expect(startChange(ctx, first.code)).rejects.toEqual(refused('not-found'))
  })
})

describe('one answer that two devices change', () => {
  const begin = async (surveyId: string, code: string) => {
    const { sending, address } = await startChange(ctx, code)
    const change = (answers: ResponseInput['answers'], over?: string) => submitChange(ctx, find(surveyId), { ...sending, answers, over })
    const look = () => getSurveyForAnswering(ctx, address, { sending })
    return { sending, change, look }
  }

  test('the second is told what the first sent, keeps what it has, and nothing is replaced', async () => {
    const survey = await addSurvey(runtime, site)
    const { code } = await send(survey.id)
    const [phone, laptop] = [await begin(survey.id, code), await begin(survey.id, code)]
    expect((await laptop.look()).meanwhile).toBeNull()
    runtime.setNow(LATER)
    await phone.change({ name: 'By phone', safe: 4 })
    await keepDraft(ctx, { ...laptop.sending, survey: survey.id, answers: { name: 'By laptop' } })
    await expect(laptop.change({ name: 'By laptop' })).rejects.toMatchObject({
      code: 'stale',
      status: 409,
      meta: { saved: { name: 'By phone', safe: 4 }, sent: { name: 'By laptop' }, edit: phone.sending.id },
    })
    expect((await requireContribution(ctx, code)).answers).toEqual({ name: 'By phone', safe: 4 })
    expect(await laptop.look()).toMatchObject({
      draft: { name: 'By laptop' },
      meanwhile: { edit: phone.sending.id, answers: { name: 'By phone', safe: 4 }, editedAt: LATER },
    })
    expect(await mistakes(survey.id)).toEqual([])
  })

  test('the second can replace what it has seen, and nothing newer', async () => {
    const survey = await addSurvey(runtime, site)
    const { code } = await send(survey.id)
    const [phone, tablet, laptop] = [await begin(survey.id, code), await begin(survey.id, code), await begin(survey.id, code)]
    await phone.change({ name: 'By phone' })
    const seen = (await laptop.look()).meanwhile?.edit
    await tablet.change({ name: 'By tablet' }, phone.sending.id)
    await expect(laptop.change({ name: 'By laptop' }, seen)).rejects.toMatchObject({ code: 'stale', meta: { edit: tablet.sending.id } })
    expect((await laptop.change({ name: 'By laptop' }, tablet.sending.id))?.stored).toBe(true)
    expect((await requireContribution(ctx, code)).answers).toEqual({ name: 'By laptop' })
  })

  test('or keeps it, and the change is gone', async () => {
    const survey = await addSurvey(runtime, site)
    const { code, response } = await send(survey.id)
    const [phone, laptop] = [await begin(survey.id, code), await begin(survey.id, code)]
    await phone.change({ name: 'By phone' })
    expect(await discardChange(ctx, { ...laptop.sending, sendKey: 'x'.repeat(22) })).toBeUndefined()
    expect(await discardChange(ctx, laptop.sending)).toEqual({ responseId: response.id, code })
    expect(await laptop.change({ name: 'By laptop' })).toBeUndefined()
    expect((await requireContribution(ctx, code)).answers).toEqual({ name: 'By phone' })
  })

  test('both at the same moment: one is stored, the other is told', async () => {
    const survey = await addSurvey(runtime, site)
    const { code } = await send(survey.id)
    const both = [await begin(survey.id, code), await begin(survey.id, code)]
    const done = await Promise.allSettled(both.map(({ change }, at) => change({ name: `Device ${at}` })))
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(done.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'stale' } })
  })
})
