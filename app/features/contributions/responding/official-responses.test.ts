import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { listOwnNotifications } from '#app/features/notifications/notifications.server.ts'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, officialResponses } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { setContributionFollowing } from '../following/follow-contribution.server.ts'
import { tellOfAnswers } from '../following/tell-of-answers.server.ts'
import { getOwnContribution } from '../own/own-contributions.server.ts'
import { getContribution, listContributions } from '../reading/views.server.ts'
import { createOfficialResponse, updateOfficialResponse } from './official-responses.server.ts'

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA', 'cy'] })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, language: 'en', address: null })
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = ({ projectSlug, slug }: Activity) => ({ project: projectSlug, activity: slug })
const statusOf = ({ statuses }: Activity, code: string) => {
  const status = statuses.find((one) => one.code === code)
  if (!status) throw new Error(`The activity has no status ${code}`)
  return status.id
}
async function addAnswered(kind: 'ideas' | 'questions' = 'ideas') {
  const activity = await addActivity(runtime, site, { kind })
  const [author, follower] = [await addPerson(runtime, site), await addPerson(runtime, site)]
  const { id } = await addContribution(runtime, site, {
    activityId: activity.id,
    number: 1,
    title: 'A bench',
    authorId: author.id,
    statusId: statusOf(activity, 'received'),
    ...(kind === 'questions' && { dueAt: new Date('2999-01-01T00:00:00Z') }),
  })
  if (kind === 'ideas') await setContributionFollowing(as(follower), id, true)
  const answer = await createOfficialResponse(as(admin), {
    contribution: id,
    status: statusOf(activity, kind === 'questions' ? 'answered' : 'planned'),
    textTranslations: { en: 'In May.', cy: 'Ym mis Mai.' },
    waived: ['text.fr-CA'],
  })
  return { activity, author, follower, id, answer }
}
const edit = (answer: string, text: string, more: { notify?: boolean; lock?: number; viewer?: SignedInViewer } = {}) =>
  updateOfficialResponse(
    as(more.viewer ?? admin),
    { id: answer },
    { textTranslations: { en: text }, waiveTranslations: true, ...(more.notify !== undefined && { notify: more.notify }) },
    more.lock ?? 1,
  )
const withdraw = (answer: string, reason = 'It named the wrong park.', lock = 1) =>
  updateOfficialResponse(as(admin), { id: answer }, { withdrawalReasonTranslations: { en: reason }, waiveTranslations: true }, lock)
const loadPage = async (activity: Activity) => (await getContribution(as(), addressOf(activity), 1, undefined)).contribution
const loadRow = async (id: string) => (await as().db.tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id))))[0]
const loadKinds = async ({ id }: { id: string }) => {
  const mails = await as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, id)).orderBy(outboxMails.id))
  return mails.map(({ kind }) => kind)
}
const codeOf = (code: string) => expect.objectContaining({ code }) as Error
const faultOf = (code: string, pointer: string) =>
  expect.objectContaining({ code: 'invalid', faults: [expect.objectContaining({ code, pointer })] }) as Error

describe('another answer', () => {
  test('leaves the status as it is unless it gives one, and must then say something', async () => {
    const { activity, id } = await addAnswered()
    await createOfficialResponse(as(admin), { contribution: id, textTranslations: { en: 'By the river.' }, waiveTranslations: true })
    expect((await loadRow(id))?.statusId).toBe(statusOf(activity, 'planned'))
    const page = await loadPage(activity)
    expect(page?.status?.text).toBe('Planned')
    expect(page?.answers.map(({ status, text }) => [status?.text, text.text])).toEqual([
      ['Planned', 'By the river.'],
      ['Planned', 'In May.'],
    ])
    await expect(createOfficialResponse(as(admin), { contribution: id })).rejects.toEqual(faultOf('required', '/textTranslations'))
  })
})

describe('an answer that everybody reads', () => {
  test('is published in every language of the site, unless each text that is missing is waived by name', async () => {
    const { id, answer } = await addAnswered()
    const missing = (names: readonly string[]) =>
      expect.objectContaining({
        code: 'invalid',
        faults: names.map((name) =>
          expect.objectContaining({ code: 'translation-missing', values: { language: name.split('.')[1], name } }),
        ),
      }) as Error
    const send = (waived: string[]) =>
      createOfficialResponse(as(admin), {
        contribution: id,
        textTranslations: { en: 'By the river.', cy: 'Wrth yr afon.' },
        teamTranslations: { en: 'Parks' },
        waived,
      })
    await expect(send([])).rejects.toEqual(missing(['text.fr-CA', 'team.fr-CA', 'team.cy']))
    await expect(send(['text.fr-CA', 'team.cy'])).rejects.toEqual(missing(['team.fr-CA']))
    await send(['text.fr-CA', 'team.fr-CA', 'team.cy'])
    await expect(updateOfficialResponse(as(admin), { id: answer }, { textTranslations: { en: 'In June.' } }, 1)).rejects.toEqual(
      missing(['text.fr-CA', 'text.cy']),
    )
    await expect(
      updateOfficialResponse(as(admin), { id: answer }, { withdrawalReasonTranslations: { cy: 'Y parc anghywir.' } }, 1),
    ).rejects.toEqual(missing(['withdrawalReason.en', 'withdrawalReason.fr-CA']))
  })
})

describe('editing an answer', () => {
  test('keeps every earlier wording readable, and tells nobody unless asked to', async () => {
    const { activity, author, follower, id, answer } = await addAnswered()
    await tellOfAnswers(runtime)
    await edit(answer, 'In June.')
    await tellOfAnswers(runtime)
    const page = await loadPage(activity)
    expect(page?.answers).toMatchObject([{ text: { text: 'In June.' }, former: [{ text: { text: 'In May.' } }], withdrawn: null }])
    expect(page?.answers[0]?.editedAt).not.toBeNull()
    expect(await loadKinds(follower)).toEqual(['contribution-followed'])
    expect(await loadKinds(author)).toEqual(['contribution-answered'])

    await edit(answer, 'In July.', { notify: true, lock: 2 })
    await Promise.all([tellOfAnswers(runtime), tellOfAnswers(runtime)])
    await tellOfAnswers(runtime)
    expect((await loadPage(activity))?.answers[0]?.former.map(({ text }) => text.text)).toEqual(['In June.', 'In May.'])
    expect(await loadKinds(follower)).toEqual(['contribution-followed', 'answer-edited'])
    expect(await loadKinds(author)).toEqual(['contribution-answered', 'answer-edited'])
    expect((await loadRow(id))?.statusId).toBe(statusOf(activity, 'planned'))
    const trail = await as().db.tx((tx) =>
      tx
        .select({ action: auditEvents.action })
        .from(auditEvents)
        .where(and(eq(auditEvents.subjectId, id), eq(auditEvents.action, 'contributions.edit-answer'))),
    )
    expect(trail).toHaveLength(2)
  })

  test('before followers were told, has them told once, of the answer', async () => {
    const { follower, answer } = await addAnswered()
    await edit(answer, 'In June.', { notify: true })
    await tellOfAnswers(runtime)
    await tellOfAnswers(runtime)
    expect(await loadKinds(follower)).toEqual(['contribution-followed'])
  })

  test('is for those who may answer, one at a time, and never takes the words away', async () => {
    const { author, activity, answer } = await addAnswered()
    await expect(edit(answer, 'Never.', { viewer: author })).rejects.toEqual(codeOf('forbidden'))
    await expect(edit(answer, '  ')).rejects.toEqual(faultOf('required', '/textTranslations'))
    const outcomes = await Promise.allSettled(['In June.', 'In July.'].map((text) => edit(answer, text)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outcomes).toContainEqual(expect.objectContaining({ reason: codeOf('stale') }))
    expect((await loadPage(activity))?.answers[0]?.former).toHaveLength(1)
  })
})

describe('withdrawing an answer', () => {
  test('needs a reason, which stands in place of all its words for everybody', async () => {
    const { activity, author, follower, id, answer } = await addAnswered()
    await edit(answer, 'In June.')
    await tellOfAnswers(runtime)
    await expect(withdraw(answer, '  ', 2)).rejects.toEqual(faultOf('required', '/withdrawalReasonTranslations'))
    await withdraw(answer, 'It named the wrong park.', 2)
    const page = await loadPage(activity)
    expect(page?.answers).toMatchObject([{ text: { text: '' }, former: [], withdrawn: { reason: { text: 'It named the wrong park.' } } }])
    expect(JSON.stringify(page)).not.toMatch(/In May|In June/)
    expect((await listContributions(as(), addressOf(activity), {})).entries[0]?.answer).toBeNull()
    expect((await loadRow(id))?.statusId).toBe(statusOf(activity, 'planned'))
    const shown = await createApiClient(runtime, site).get(`/official-responses/${answer}`)
    expect(shown.status).toBe(200)
    expect(JSON.stringify(shown.body)).toContain('It named the wrong park.')
    expect(JSON.stringify(shown.body)).not.toMatch(/In May|In June|Ym mis Mai/)
    await tellOfAnswers(runtime)
    expect(await loadKinds(follower)).toEqual(['contribution-followed', 'answer-withdrawn'])
    expect(await loadKinds(author)).toEqual(['contribution-answered', 'answer-withdrawn'])
    await expect(edit(answer, 'Again.', { lock: 3 })).rejects.toEqual(codeOf('conflict'))
    await expect(withdraw(answer, 'Twice.', 3)).rejects.toEqual(codeOf('conflict'))
  })

  test('before followers were told, tells none of them', async () => {
    const { follower, answer } = await addAnswered()
    await withdraw(answer)
    expect(await tellOfAnswers(runtime)).toBe(0)
    expect(await loadKinds(follower)).toEqual([])
  })

  test('lets a question wait for its answer again, unless another is left', async () => {
    const { activity, id, answer } = await addAnswered('questions')
    expect((await loadRow(id))?.answered).toBe('public')
    const other = await createOfficialResponse(as(admin), {
      contribution: id,
      textTranslations: { en: 'At ten.' },
      waiveTranslations: true,
    })
    await withdraw(answer)
    expect((await loadRow(id))?.answered).toBe('public')
    await withdraw(other)
    expect((await loadRow(id))?.answered).toBeNull()
    expect((await loadPage(activity))?.dueAt).toBe('2999-01-01T00:00:00.000Z')
  })

  test('of a private answer shows the reason to the person who asked only, who keeps it in their download', async () => {
    const activity = await addActivity(runtime, site, { kind: 'questions' })
    const author = await addPerson(runtime, site)
    const { id } = await addContribution(runtime, site, {
      activityId: activity.id,
      number: 1,
      authorId: author.id,
      statusId: statusOf(activity, 'received'),
    })
    const answer = await createOfficialResponse(as(admin), {
      contribution: id,
      status: statusOf(activity, 'answered'),
      textTranslations: { en: 'Bring a letter.' },
      visibility: 'private',
    })
    await edit(answer, 'Bring two letters.')
    await withdraw(answer, 'No letter is needed.', 2)
    const own = await getOwnContribution(as(author), addressOf(activity), { number: 1 })
    expect(own.answers).toMatchObject([
      { visibility: 'private', text: { text: '' }, withdrawn: { reason: { text: 'No letter is needed.' } } },
    ])
    expect((await loadPage(activity))?.answers).toEqual([])
    const data = await readOwnData(as(author))
    expect(data['privateAnswers']).toMatchObject([
      {
        text: { en: 'Bring two letters.' },
        former: [{ text: { en: 'Bring a letter.' } }],
        withdrawalReason: { en: 'No letter is needed.' },
      },
    ])
    const stored = await as().db.tx((tx) => tx.select().from(officialResponses).where(eq(officialResponses.id, answer)))
    expect(stored).toHaveLength(1)
  })
})

describe('one answer to several contributions', () => {
  async function addSeveral() {
    const activity = await addActivity(runtime, site)
    const [author, other, follower] = [await addPerson(runtime, site), await addPerson(runtime, site), await addPerson(runtime, site)]
    const ids = []
    for (const [at, authorId] of [author.id, author.id, other.id].entries()) {
      const { id } = await addContribution(runtime, site, {
        activityId: activity.id,
        number: at + 1,
        title: `Bench ${at + 1}`,
        authorId,
        statusId: statusOf(activity, 'received'),
      })
      await setContributionFollowing(as(follower), id, true)
      ids.push(id)
    }
    const [first = '', ...alsoTo] = ids
    return { activity, author, other, follower, first, alsoTo, ids }
  }
  const give = (activity: Activity, contribution: string, alsoTo: string[]) =>
    createOfficialResponse(as(admin), {
      contribution,
      alsoTo,
      status: statusOf(activity, 'planned'),
      textTranslations: { en: 'In May.' },
      waiveTranslations: true,
    })

  test('gives each its answer and status, and tells each person once, by whichever process, also when the job runs again', async () => {
    const { activity, author, other, follower, first, alsoTo, ids } = await addSeveral()
    await give(activity, first, [...alsoTo, ...alsoTo, first])
    for (const [at, id] of ids.entries()) {
      expect((await loadRow(id))?.statusId).toBe(statusOf(activity, 'planned'))
      const { contribution } = await getContribution(as(), addressOf(activity), at + 1, undefined)
      expect(contribution?.answers.map(({ text }) => text.text)).toEqual(['In May.'])
    }
    await Promise.all([1, 2, 3].map(() => tellOfAnswers(runtime)))
    await tellOfAnswers(runtime)
    expect(await loadKinds(author)).toEqual(['contribution-answered'])
    expect(await loadKinds(other)).toEqual(['contribution-answered'])
    expect(await loadKinds(follower)).toEqual(['contribution-followed'])
  })

  test('leads each follower to one that they follow', async () => {
    const { activity, follower, first, alsoTo } = await addSeveral()
    for (const id of [first, alsoTo[0] ?? '']) await setContributionFollowing(as(follower), id, false)
    await give(activity, first, alsoTo)
    await tellOfAnswers(runtime)
    const mails = await as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, follower.id)))
    expect(mails.map(({ bodyText }) => bodyText)).toEqual([expect.stringContaining(`/${activity.slug}/3`)])
  })

  test('edits one of them, and leaves the others as they are', async () => {
    const { activity, follower, first, alsoTo } = await addSeveral()
    const answer = await give(activity, first, alsoTo)
    await tellOfAnswers(runtime)
    await edit(answer, 'In June.', { notify: true })
    await tellOfAnswers(runtime)
    const texts = await Promise.all(
      [1, 2, 3].map(
        async (number) => (await getContribution(as(), addressOf(activity), number, undefined)).contribution?.answers[0]?.text.text,
      ),
    )
    expect(texts).toEqual(['In June.', 'In May.', 'In May.'])
    expect(await loadKinds(follower)).toEqual(['contribution-followed', 'answer-edited'])
  })

  test('is refused as a whole if one of them cannot get it', async () => {
    const { activity, first, alsoTo } = await addSeveral()
    const elsewhere = await addActivity(runtime, site)
    const foreign = await addContribution(runtime, site, { activityId: elsewhere.id, number: 1 })
    await expect(give(activity, first, [...alsoTo, foreign.id])).rejects.toEqual(faultOf('not-a-choice', '/alsoTo/2'))
    expect((await loadRow(first))?.statusId).toBe(statusOf(activity, 'received'))
  })

  test('shows its author one notification', async () => {
    const { activity, author, first, alsoTo } = await addSeveral()
    await give(activity, first, alsoTo)
    const { rows } = await listOwnNotifications(as(author))
    expect(rows.filter(({ kind }) => kind === 'own-answered')).toHaveLength(1)
  })
})
