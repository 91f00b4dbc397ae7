import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createEligibilityList, deleteEligibilityList, loadEligibilityLists } from '#app/features/verifications/eligibility-lists.server.ts'
import { confirmInPerson, endOwnVerification, verifyByList } from '#app/features/verifications/verifications.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { VerificationLevel, VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import type { SignedInViewer, Viewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { responses, surveyParticipations } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { updateSurvey } from '../../managing/editing.server.ts'
import { requireVisibleSurvey } from '../../surveys.policy.server.ts'
import { findVerifiedSurvey, getSurveyForAnswering } from '../../surveys.server.ts'
import { withdrawContribution } from '../receipts.server.ts'
import { type ResponseInput, submitResponse } from '../submit-response.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const NEXT_YEAR = new Date('2027-05-04T12:00:00Z')
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer?: Viewer): Ctx => createCtx(runtime, site, { ...(viewer && { viewer }) })
const send = (ctx: Ctx, surveyId: string, invitation?: string, input: Partial<ResponseInput> = {}) =>
  submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), {
    id: v7({ msecs: NOON.getTime() }),
    sendKey: 'k'.repeat(22),
    answers: { name: 'Fern Street' },
    invitation,
    ...input,
  })
const addList = (numbers: readonly string[], level: VerificationLevel = 'resident') =>
  createEligibilityList(as(admin), {
    nameTranslations: inAllLanguages('Library card'),
    level,
    fields: ['card-number'],
    validUntil: NEXT_YEAR,
    csv: ['card-number', ...numbers].join('\n'),
  })
const verify = async (list: string, number: string, { ctx = as(), secret }: { ctx?: Ctx; secret?: string } = {}) =>
  (
    await verifyByList(ctx, {
      listId: list,
      fields: { 'card-number': number },
      browserToken: issueToken(runtime, site),
      ...(secret && { secret }),
    })
  ).secret
const addVerified = (verification: VerificationRule | null = null) => addSurvey(runtime, site, { access: 'verified', verification })
const countStored = async (surveyId: string) =>
  (
    await as().db.tx((tx) =>
      tx
        .select({ id: responses.id })
        .from(responses)
        .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
    )
  ).length
const refused = (code: string) => expect.objectContaining({ code }) as Error

describe('a survey for verified people', () => {
  test('takes one answer for each entry of a list, in however many browsers and accounts it is used', async () => {
    const list = await addList(['1', '2'])
    const { id } = await addVerified()
    await expect(send(as(), id)).rejects.toEqual(refused('verification-needed'))
    await expect(send(as(), id, createId())).rejects.toEqual(refused('verification-needed'))
    const [first, second] = [await verify(list, '1'), await verify(list, '1')]
    await send(as(), id, first)
    await expect(send(as(), id, first)).rejects.toEqual(refused('already-answered'))
    await expect(send(as(), id, second)).rejects.toEqual(refused('already-answered'))
    const person = await addPerson(runtime, site)
    await verify(list, '1', { ctx: as(person) })
    await expect(send(as(person), id)).rejects.toEqual(refused('already-answered'))
    await send(as(), id, await verify(list, '2'))
    expect(await countStored(id)).toBe(2)
  })

  test('used ten times at once stores one answer, and the same sending always gives the same receipt', async () => {
    const list = await addList(['1'])
    const { id } = await addVerified()
    const secret = await verify(list, '1')
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => send(as(), id, secret)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countStored(id)).toBe(1)

    const { id: other } = await addVerified()
    const sending = { id: v7({ msecs: NOON.getTime() }) }
    const receipt = await send(as(), other, secret, sending)
    await as().db.tx((tx) => tx.delete(verifications))
    expect(await send(as(), other, undefined, sending)).toEqual({ ...receipt, stored: false })
  })

  test('asks for a level, and for a list if it names one; who was confirmed in person needs none', async () => {
    const [list, other] = [await addList(['1']), await addList(['1'], 'contact')]
    const { id } = await addVerified({ level: 'resident', list })
    await expect(send(as(), id, await verify(other, '1'))).rejects.toEqual(refused('verification-needed'))
    await send(as(), id, await verify(list, '1'))
    const person = await addPerson(runtime, site)
    await expect(send(as(person), id)).rejects.toEqual(refused('verification-needed'))
    await confirmInPerson(as(admin), { userId: person.id, level: 'identity', validUntil: NEXT_YEAR })
    await send(as(person), id)
    await expect(send(as(person), id)).rejects.toEqual(refused('already-answered'))
    runtime.setNow(new Date(NEXT_YEAR.getTime() + 1))
    await expect(send(as(await addPerson(runtime, site)), id)).rejects.toEqual(refused('verification-needed'))
  })

  test('knows one of two people who share a browser from the other', async () => {
    const list = await addList(['1', '2'])
    const { id } = await addVerified()
    const secret = await verify(list, '1')
    await verify(list, '2', { secret })
    await send(as(), id, secret)
    await expect(send(as(), id, secret)).rejects.toEqual(refused('already-answered'))
    // The first removes what the browser holds of them; the second has not answered yet.
    const held = await as().db.tx((tx) => tx.select().from(verifications).where(eq(verifications.listId, list)))
    const [oldest] = held.toSorted((one, another) => (one.id < another.id ? -1 : 1))
    await endOwnVerification(as(), oldest?.id ?? '', secret)
    await send(as(), id, secret)
    expect(await countStored(id)).toBe(2)
    await expect(send(as(), id, secret)).rejects.toEqual(refused('already-answered'))
  })

  test('lets somebody who withdrew answer again', async () => {
    const list = await addList(['1'])
    const { id } = await addVerified()
    const secret = await verify(list, '1')
    const { code } = await send(as(), id, secret)
    // What a verification left in the browser is kept by the site's id.
    await withdrawContribution(as(), code, (ownerId) => (ownerId === site.id ? { invitation: secret } : {}))
    await send(as(), id, secret)
    await expect(send(as(), id, secret)).rejects.toEqual(refused('already-answered'))
  })

  test('keeps of who answered a hash that differs from survey to survey, and nothing beside the answers', async () => {
    const list = await addList(['1'])
    const secret = await verify(list, '1')
    const ids = [(await addVerified()).id, (await addVerified()).id]
    for (const id of ids) await send(as(), id, secret)
    const [held] = await as().db.tx((tx) => tx.select().from(verifications).where(eq(verifications.listId, list)))
    const kept = await as().db.tx((tx) => tx.select().from(surveyParticipations))
    const hashes = kept.filter(({ surveyId }) => ids.includes(surveyId)).map(({ personHash }) => personHash.toString('hex'))
    expect(new Set(hashes).size).toBe(2)
    expect(hashes).not.toContain(held?.subjectHash.toString('hex'))
    const [stored] = await as().db.tx((tx) =>
      tx
        .select()
        .from(responses)
        .where(eq(responses.surveyId, ids[0] ?? '')),
    )
    expect(stored?.userId).toBeNull()
    expect(JSON.stringify(stored)).not.toContain(held?.id)
  })

  test('says on its page what is missing, and is found by the page of verification', async () => {
    const list = await addList(['1'])
    const survey = await addVerified({ level: 'resident', list })
    const [placed] = await as().db.tx((tx) => tx.select().from(surveys).where(eq(surveys.id, survey.id)))
    const { project } = (await as().db.read((tx) => requireVisibleSurvey(as(), tx, eq(surveys.id, survey.id)))) ?? {}
    const address = { project: project.slug, survey: placed?.slug ?? '' }
    const readRefusal = async (secret?: string) =>
      (await getSurveyForAnswering(as(), address, { invitation: (ownerId) => (ownerId === site.id ? secret : undefined) })).survey.refusal
    expect(await readRefusal()).toBe('verification')
    const secret = await verify(list, '1')
    expect(await readRefusal(secret)).toBeNull()
    await send(as(), survey.id, secret)
    expect(await readRefusal(secret)).toBe('answered')
    expect(await as().db.read((tx) => findVerifiedSurvey(as(), tx, address))).toMatchObject({ rule: { level: 'resident', list } })
    await expect(as().db.read((tx) => findVerifiedSurvey(as(), tx, { ...address, survey: 'none' }))).rejects.toEqual(refused('not-found'))
  })

  test('names a list that exists; the list stays as long as the survey asks for it', async () => {
    const list = await addList(['1'])
    const survey = await addSurvey(runtime, site, { access: 'anyone' })
    const save = (verification: VerificationRule, lockVersion: number) =>
      updateSurvey(as(admin), survey.id, { access: 'verified', verification }, lockVersion)
    await expect(save({ level: 'resident', list: createId() }, 1)).rejects.toMatchObject({
      faults: [{ code: 'not-a-choice', pointer: '/verification/list' }],
    })
    await save({ level: 'resident', list }, 1)
    const [row] = await loadEligibilityLists(as(admin), [list])
    if (!row) throw new Error('The list is gone')
    await expect(deleteEligibilityList(as(admin), row)).rejects.toEqual(refused('in-use'))
    await updateSurvey(as(admin), survey.id, { access: 'anyone' }, 2)
    await deleteEligibilityList(as(admin), row)
  })

  test('takes no text messages', async () => {
    const survey = await addVerified()
    await expect(updateSurvey(as(admin), survey.id, { smsKeywords: { en: `PARK${Date.now()}` } }, 1)).rejects.toMatchObject({
      faults: [{ code: 'not-by-text', pointer: '/smsKeywords' }],
    })
  })
})
