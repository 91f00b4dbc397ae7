import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createGroup, addToGroup, loadGroupsById } from '#app/features/accounts/groups.server.ts'
import type { SignedInViewer, Viewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { responses, surveyParticipations } from '#app/server/db/schema/responses.ts'
import { invitations, surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { updateSurvey } from '#app/features/surveys/managing/editing.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { publishSurvey } from '#app/features/surveys/managing/publishing.server.ts'
import { withdrawContribution } from '../receipts.server.ts'
import { type ResponseInput, submitResponse } from '../submit-response.server.ts'
import { getSurveyForAnswering } from '#app/features/surveys/surveys.server.ts'
import { withGuessLimits } from '#app/features/invitations/accept-invitation.server.ts'
import { parseAddresses } from '#app/features/invitations/invitations.schema.ts'
import { acceptInvitation, inviteToSurvey, listBatches, withdrawBatch } from './survey-invitations.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer?: Viewer, address?: string): Ctx => createCtx(runtime, site, { ...(viewer && { viewer }), ...(address && { address }) })
const send = (ctx: Ctx, surveyId: string, input: Partial<ResponseInput> = {}) =>
  submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), {
    id: v7({ msecs: NOON.getTime() }),
    sendKey: 'k'.repeat(22),
    answers: { name: 'Fern Street' },
    ...input,
  })
const makeCodes = async (surveyId: string, count: number) => {
  const batch = await inviteToSurvey(as(admin), surveyId, { kind: 'codes', count })
  return { batch, codes: batch.told?.codes ?? [] }
}
const batchesOf = async (surveyId: string) => {
  const page = { number: 1, size: 25, offset: 0, limit: 25 }
  return (await listBatches(as(admin), { filter: { survey: surveyId }, sort: [], page })).rows
}
const rowsOf = (surveyId: string) =>
  as().db.tx((tx) =>
    tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
const refused = (code: string) => expect.objectContaining({ code }) as Error
const fault = (code: string) => expect.objectContaining({ faults: [{ code, pointer: '/invitation' }] }) as Error

describe('a one-time code', () => {
  test('admits one answer, however it is typed, and no more', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited' })
    const [code = ''] = (await makeCodes(survey.id, 2)).codes
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    await expect(send(as(), survey.id)).rejects.toEqual(refused('invitation-needed'))
    await expect(send(as(), survey.id, { invitation: 'AAAA-AAAA-AAAA-AAAA' })).rejects.toEqual(refused('invitation-needed'))
    await send(as(), survey.id, { invitation: ` ${code.toLowerCase().replaceAll('-', ' ')}` })
    await expect(send(as(), survey.id, { invitation: code })).rejects.toEqual(refused('already-answered'))
    expect(await batchesOf(survey.id)).toMatchObject([{ kind: 'codes', total: 2, used: 1 }])
  })

  test('used ten times at once stores one answer', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited' })
    const [code = ''] = (await makeCodes(survey.id, 1)).codes
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => send(as(), survey.id, { invitation: code })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await rowsOf(survey.id)).toHaveLength(1)
  })

  test('resent with the same sending returns the same receipt', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited' })
    const [code = ''] = (await makeCodes(survey.id, 1)).codes
    const id = v7({ msecs: NOON.getTime() })
    const first = await send(as(), survey.id, { id, invitation: code })
    expect(await send(as(), survey.id, { id, invitation: code })).toEqual({ ...first, stored: false })
    expect(await send(as(), survey.id, { id })).toEqual({ ...first, stored: false })
  })

  test('works for its survey only, and is stored only as a hash', async () => {
    const [survey, other] = await Promise.all([1, 2].map(() => addSurvey(runtime, site, { access: 'invited' })))
    const [code = ''] = (await makeCodes(survey?.id ?? '', 1)).codes
    await expect(send(as(), other?.id ?? '', { invitation: code })).rejects.toEqual(refused('invitation-needed'))
    const rows = await as().db.tx((tx) => tx.select().from(invitations))
    expect(rows.map((row) => row.secretHash.toString('utf8')).join(' ')).not.toContain(code)
  })

  test('can be used again after its holder withdraws the answer', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited' })
    const [code = ''] = (await makeCodes(survey.id, 1)).codes
    const receipt = await send(as(), survey.id, { invitation: code })
    await withdrawContribution(as(), receipt.code, () => ({ invitation: code }))
    await send(as(), survey.id, { invitation: code })
    expect(await batchesOf(survey.id)).toMatchObject([{ used: 1 }])
  })

  test('stops working once withdrawn, and answers given with other codes stay', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited' })
    const { batch, codes } = await makeCodes(survey.id, 2)
    await send(as(), survey.id, { invitation: codes[0] })
    await withdrawBatch(as(admin), batch.id)
    await expect(send(as(), survey.id, { invitation: codes[1] })).rejects.toEqual(refused('invitation-needed'))
    expect(await rowsOf(survey.id)).toHaveLength(1)
  })

  test('for an anonymous survey leaves no trace to the answer', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited', anonymous: true })
    const { batch, codes } = await makeCodes(survey.id, 1)
    const person = await addPerson(runtime, site)
    await send(as(person, '203.0.113.9'), survey.id, { invitation: codes[0] })
    const [row] = await rowsOf(survey.id)
    const whole = JSON.stringify(row)
    for (const trace of [person.id, '203.0.113.9', codes[0] ?? '', batch.id]) expect(whole).not.toContain(trace)
    const marks = await as().db.tx((tx) => tx.select().from(surveyParticipations).where(eq(surveyParticipations.surveyId, survey.id)))
    expect(Object.keys(marks[0] ?? {}).toSorted()).toEqual(['personHash', 'siteId', 'surveyId'])
    expect(Object.keys((await as().db.tx((tx) => tx.select().from(invitations)))[0] ?? {})).not.toContain('usedAt')
    // So few that the count would identify someone.
    expect(await batchesOf(survey.id)).toMatchObject([{ total: 1, used: null }])
  })

  test('is asked for on the page and accepted there', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited' })
    const [code = ''] = (await makeCodes(survey.id, 1)).codes
    const address = { project: survey.projectSlug, survey: survey.slug }
    const page = (invitation?: string) =>
      getSurveyForAnswering(as(), address, { invitation: () => invitation }).then((found) => found.survey.refusal)
    expect(await page()).toBe('invitation')
    const { secret } = await acceptInvitation(as(), address, ` ${code.toLowerCase()}`)
    expect(await page(secret)).toBeNull()
    await send(as(), survey.id, { invitation: secret })
    expect(await page(secret)).toBe('answered')
    // Used but valid: the page says so and offers the receipt.
    await expect(acceptInvitation(as(), address, code)).resolves.toMatchObject({ subjectId: survey.id })
  })

  test('cannot be guessed: each wrong attempt counts, a valid one does not', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited' })
    const { codes } = await makeCodes(survey.id, 40)
    const address = { project: survey.projectSlug, survey: survey.slug }
    const guesser = as(undefined, '203.0.113.77')
    for (const code of codes) await acceptInvitation(guesser, address, code)
    await expect(acceptInvitation(guesser, address, '')).rejects.toEqual(fault('required'))
    await expect(acceptInvitation(guesser, address, 'ABC')).rejects.toEqual(fault('wrong-format'))
    for (let tries = 0; tries < 200; tries++) {
      await expect(acceptInvitation(guesser, address, 'AAAA-AAAA-AAAA-AAAA')).rejects.toEqual(fault('not-found'))
    }
    const overApi = (invitation: string) => withGuessLimits(guesser, invitation, () => send(guesser, survey.id, { invitation }))
    await expect(overApi('BBBB-BBBB-BBBB-BBBB')).rejects.toEqual(refused('invitation-needed'))
    await expect(overApi(codes[0] ?? '')).rejects.toEqual(refused('too-many-requests'))
    await expect(acceptInvitation(as(undefined, '203.0.113.78'), address, codes[0] ?? '')).resolves.toBeDefined()
  })
})

describe('a personal link', () => {
  const linksIn = async (kind = 'survey-invitation') => {
    const mails = await as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.kind, kind)))
    return mails.map(({ recipient, language, bodyText, secretBodies }) => ({
      recipient,
      language,
      secret: /invitation=([\w-]{43})\b/.exec(secretBodies?.text ?? '')?.[1],
      text: bodyText,
    }))
  }

  test('goes to each address and each group member once, in their language, and admits each person once', async () => {
    const survey = await addSurvey(runtime, site, { access: 'invited', anonymous: true })
    const [ana, bea] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const groupId = await createGroup(as(admin), { name: 'Panel', hubId: null })
    const [group] = await loadGroupsById(as(admin), [groupId])
    if (!group) throw new Error('no group')
    await addToGroup(as(admin), group, [ana.id, bea.id])
    const first = await inviteToSurvey(as(admin), survey.id, { kind: 'links', emails: ['x@example.org', ana.email], groupId })
    expect(first).toMatchObject({ total: 3, told: { skipped: 0, more: false } })
    const sent = await linksIn()
    expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual(['x@example.org', ana.email, bea.email].toSorted())
    expect(sent[0]?.text).toContain('anonymous')
    const again = await inviteToSurvey(as(admin), survey.id, { kind: 'links', emails: ['x@example.org', 'y@example.org'], groupId })
    expect(again).toMatchObject({ total: 1, told: { skipped: 3 } })
    const nobodyNew = { kind: 'links' as const, emails: ['y@example.org'] }
    await expect(inviteToSurvey(as(admin), survey.id, nobodyNew)).rejects.toMatchObject({
      faults: [{ code: 'already-invited', pointer: '/emails' }],
    })
    expect(await batchesOf(survey.id)).toHaveLength(2)
    for (const { secret } of sent) await send(as(), survey.id, { invitation: secret })
    await expect(send(as(), survey.id, { invitation: sent[0]?.secret })).rejects.toEqual(refused('already-answered'))
    expect(await rowsOf(survey.id)).toHaveLength(3)
  })

  test('can be sent only by people who may send campaigns, and only for an invitation-only survey', async () => {
    const project = await addProject(runtime, site)
    const survey = await addSurvey(runtime, site, { access: 'invited', projectId: project.id })
    const editor = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: project.id }] })
    await inviteToSurvey(as(editor), survey.id, { kind: 'codes', count: 1 })
    const mail = { kind: 'links' as const, emails: ['z@example.org'] }
    await expect(inviteToSurvey(as(editor), survey.id, mail)).rejects.toEqual(refused('forbidden'))
    await expect(inviteToSurvey(as(await addPerson(runtime, site)), survey.id, mail)).rejects.toEqual(refused('forbidden'))
    await expect(inviteToSurvey(as(admin), (await addSurvey(runtime, site)).id, mail)).rejects.toEqual(refused('conflict'))
    const draft = await addSurvey(runtime, site, { access: 'invited', status: 'draft' })
    await expect(inviteToSurvey(as(admin), draft.id, mail)).rejects.toEqual(refused('not-published'))
  })

  test('goes to every address in a pasted list', () => {
    expect(parseAddresses('Ana Li <ANA@example.org>; bo@example.org\n\nnobody here, "C" <ana@example.org>')).toEqual({
      addresses: ['ana@example.org', 'bo@example.org'],
      unreadable: ['nobody here'],
    })
  })
})

describe('a survey for the people of a group', () => {
  test('accepts one answer each from members added by hand or by rule', async () => {
    const [inside, outside] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const byHand = await createGroup(as(admin), { name: 'By hand', hubId: null })
    const [group] = await loadGroupsById(as(admin), [byHand])
    if (!group) throw new Error('no group')
    await addToGroup(as(admin), group, [inside.id])
    const survey = await addSurvey(runtime, site, { access: 'group', groupId: byHand })
    await expect(send(as(), survey.id)).rejects.toEqual(refused('sign-in-to-answer'))
    await expect(send(as(outside), survey.id)).rejects.toEqual(refused('forbidden'))
    await send(as(inside), survey.id)
    await expect(send(as(inside), survey.id)).rejects.toEqual(refused('already-answered'))
    const byRule = await createGroup(as(admin), { name: 'English', hubId: null, rule: { locale: 'en' } })
    const open = await addSurvey(runtime, site, { access: 'group', groupId: byRule })
    await send(as(outside), open.id)
    const nobodys = await addSurvey(runtime, site, { access: 'group' })
    await expect(send(as(inside), nobodys.id)).rejects.toEqual(refused('forbidden'))
  })

  test('cannot be published without its group, which the editor must manage', async () => {
    const project = await addProject(runtime, site, { publishedAt: null, status: 'draft' })
    const survey = await addSurvey(runtime, site, { access: 'group', status: 'draft', projectId: project.id })
    await expect(publishSurvey(as(admin), survey.id)).rejects.toMatchObject({ faults: [{ code: 'required', pointer: '/groupId' }] })
    const group = await createGroup(as(admin), { name: 'Jury', hubId: null })
    const editor = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: project.id }] })
    await expect(updateSurvey(as(editor), survey.id, { groupId: group }, 1)).rejects.toMatchObject({
      faults: [{ code: 'not-found', pointer: '/groupId' }],
    })
    await updateSurvey(as(admin), survey.id, { groupId: group }, 1)
    expect(await publishSurvey(as(admin), survey.id)).toBe(1)
    await expect(updateSurvey(as(admin), survey.id, { groupId: null }, 2)).rejects.toMatchObject({ faults: [{ pointer: '/groupId' }] })
  })
})

test('a promise of anonymity stays once people could read it, even if the opening is postponed', async () => {
  const survey = await addSurvey(runtime, site, { anonymous: true })
  await updateSurvey(as(admin), survey.id, { opensAt: '2026-06-01T00:00:00Z' }, 1)
  await expect(updateSurvey(as(admin), survey.id, { anonymous: false }, 2)).rejects.toMatchObject({
    faults: [{ code: 'fixed-once-open', pointer: '/anonymous' }],
  })
  const waiting = await addSurvey(runtime, site, { anonymous: true, opensAt: new Date('2026-06-01T00:00:00Z') })
  await updateSurvey(as(admin), waiting.id, { anonymous: false }, 1)
})
