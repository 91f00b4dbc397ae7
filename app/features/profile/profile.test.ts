import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportPeople } from '#app/features/people/people.export.server.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { sweepAccounts } from '#app/features/accounts/sweep-accounts.server.ts'
import { storeAnswers } from '#app/features/profile-answers/store-answers.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { readAsOwner } from '#tests/support/traces.ts'
import { rebuildTallies } from '#app/features/surveys/responses/response-counts.server.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { readOwnAnswers, readReceiptQuestions, saveReceiptAnswers } from './answers.server.ts'
import { checkSentAnswers } from './check-answers.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Person

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'about', languages: ['en', 'fr-CA'] })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const as = (person?: Person, on = site) => createApiClient(runtime, on, person?.token)
const ctxOf = (person: Person): Promise<Ctx> => withViewer(createCtx(runtime, site), person.token)
const inSite = <T>(read: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(read) as Promise<T>
const both = (text: string) => ({ en: text, 'fr-CA': text })
const options = ['en', 'fr', 'other'].map((id) => ({ id, label: both(id) }))

const basis = () => ({
  key: `q${createId().slice(-12)}`,
  kind: 'one-choice',
  labelTranslations: both('Language at home'),
  purposeTranslations: both('To decide what to translate.'),
  options,
  askedAt: 'sign-up',
  retentionMonths: 24,
  status: 'live',
})
const create = (attributes: Record<string, unknown> = {}, person = admin) =>
  as(person).post('/profile-questions', buildResourceDocument('profile-questions', { ...basis(), ...attributes }))
/** The resources of an answer with a list. */
const rowsOf = ({ body }: ApiAnswer) => (body?.data ?? []) as { id: string; attributes: Record<string, unknown> }[]
/** The resource of an answer with one. */
const itemOf = ({ body }: ApiAnswer) => (body?.data ?? {}) as QuestionData
const pointers = ({ body }: ApiAnswer) => body?.errors?.map(({ code, source }) => `${code} ${source?.pointer}`) ?? []

interface QuestionData {
  id: string
  attributes: Record<string, unknown> & {
    key: string
    options: { id: string; label: object }[]
    counts: { option: string; people: number | null }[]
  }
  meta: { lockVersion: number }
}
const read = async (id: string): Promise<QuestionData> => itemOf(await as(admin).get(`/profile-questions/${id}`))
async function add(attributes: Record<string, unknown> = {}): Promise<QuestionData> {
  const answer = await create(attributes)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return read(itemOf(answer).id)
}
async function update({ id }: QuestionData, attributes: Record<string, unknown>): Promise<ApiAnswer> {
  const { lockVersion } = (await read(id)).meta
  return as(admin).patch(`/profile-questions/${id}`, buildResourceDocument('profile-questions', attributes, { id, lockVersion }))
}
const say = (person: Person, question: string, answer: unknown) =>
  as(person).post('/profile-answers', buildResourceDocument('profile-answers', { question, answer }))
async function answers(person: Person, question: string, answer: unknown): Promise<void> {
  const said = await say(person, question, answer)
  expect(said.status, JSON.stringify(said.body)).toBe(201)
}
const listed = async (person: Person, filter: string) => {
  const answer = await as(person).get(`/users?filter[profile]=${encodeURIComponent(filter)}`)
  expect(answer.status).toBe(200)
  return rowsOf(answer)
    .map(({ id }) => id)
    .toSorted()
}
const retire = (question: QuestionData) => update(question, { status: 'retired' })
/** Sites count required questions, so each test that adds one retires it. */

describe('a question', () => {
  test('is live only with its texts in every language and two options', async () => {
    const refused = await create({ labelTranslations: { en: 'Only English' }, options: options.slice(0, 1) })
    expect(refused.status).toBe(422)
    expect(pointers(refused).map((one) => one.split(' ')[0])).toEqual(['too-few', 'translation-missing'])
    expect((await create({ labelTranslations: { en: 'Only English' }, options: [], status: 'draft' })).status).toBe(201)
  })

  test('names why it is asked and for how long answers are kept', async () => {
    const { purposeTranslations: _purpose, ...without } = basis()
    expect((await as(admin).post('/profile-questions', buildResourceDocument('profile-questions', without))).status).toBe(422)
    expect((await create({ retentionMonths: 0 })).status).toBe(422)
    expect((await create({ retentionMonths: 121 })).status).toBe(422)
  })

  test('that is sensitive is never required and always offers not to say', async () => {
    expect((await create({ sensitive: true, required: true })).codes).toContain('sensitive-is-optional')
    expect((await create({ sensitive: true, kind: 'short-text', options: [] })).status).toBe(422)
    const { attributes } = await add({ sensitive: true })
    expect(attributes.options.at(-1)).toMatchObject({
      id: 'no-answer',
      label: { en: 'Prefer not to say', 'fr-CA': 'Je préfère ne pas répondre' },
    })
  })

  test('is one of at most three that are required', async () => {
    const three = [await add({ required: true }), await add({ required: true }), await add({ required: true })]
    expect((await create({ required: true })).codes).toContain('too-many')
    const drafted = await add({ required: true, status: 'draft' })
    expect((await update(drafted, { status: 'live' })).codes).toContain('too-many')
    for (const one of three) expect((await retire(one)).status).toBe(200)
    expect((await update(drafted, { status: 'live' })).status).toBe(200)
    await retire(drafted)
  })

  test('keeps an option that somebody chose: it can be renamed and retired, and no longer chosen then', async () => {
    const question = await add()
    const { key } = question.attributes
    await answers(await addPerson(runtime, site), key, { choice: 'en' })
    expect((await update(question, { options: options.slice(1) })).codes).toContain('in-use')
    expect((await update(question, { options: [options[0], options[2]] })).status).toBe(200)
    const renamed = [{ id: 'en', label: both('English!'), retired: true }, options[2], { id: 'cy', label: both('Welsh') }]
    expect((await update(question, { options: renamed })).status).toBe(200)
    expect((await say(await addPerson(runtime, site), key, { choice: 'en' })).codes).toContain('not-a-choice')
    expect((await read(question.id)).attributes.counts).toEqual([{ option: 'en', people: 1 }])
    expect((await as(admin).delete(`/profile-questions/${question.id}`)).codes).toContain('in-use')
  })

  test('keeps the meaning of an option that somebody chose, and stays sensitive once somebody answered', async () => {
    const question = await add()
    const [english, french, other] = question.attributes.options
    const relabel = (en: string, fr: string) => [{ ...english, label: both(en) }, { ...french, label: both(fr) }, other]
    // There are no answers yet.
    expect((await update(question, { options: relabel('fr', 'en') })).status).toBe(200)
    expect((await update(question, { options: relabel('en', 'fr') })).status).toBe(200)
    await answers(await addPerson(runtime, site), question.attributes.key, { choice: 'en' })
    const swapped = await update(question, { options: relabel('fr', 'en') })
    expect([swapped.status, pointers(swapped)]).toEqual([409, ['told-to-people /data/attributes/options']])
    expect((await update(question, { options: relabel('English', 'fr') })).status).toBe(200)
    const secret = await add({ sensitive: true })
    expect((await update(secret, { sensitive: false })).status).toBe(200)
    expect((await update(secret, { sensitive: true })).status).toBe(200)
    await answers(await addPerson(runtime, site), secret.attributes.key, { choice: 'en' })
    const opened = await update(secret, { sensitive: false })
    expect([opened.status, pointers(opened)]).toEqual([409, ['told-to-people /data/attributes/sensitive']])
    expect((await read(secret.id)).attributes['sensitive']).toBe(true)
  })

  test('keeps answers no longer than people were told', async () => {
    const question = await add({ retentionMonths: 12 })
    expect((await update(question, { retentionMonths: 24 })).status).toBe(200)
    await answers(await addPerson(runtime, site), question.attributes.key, { choice: 'en' })
    expect(pointers(await update(question, { retentionMonths: 36 }))).toEqual(['told-to-people /data/attributes/retentionMonths'])
    expect((await update(question, { retentionMonths: 6 })).status).toBe(200)
    expect((await read(question.id)).attributes['retentionMonths']).toBe(6)
  })

  test('cannot be saved over what somebody else saved meanwhile', async () => {
    const { id } = await add()
    const stale = buildResourceDocument('profile-questions', { position: 3 }, { id, lockVersion: 99 })
    expect((await as(admin).patch(`/profile-questions/${id}`, stale)).codes).toEqual(['stale'])
  })

  test('has a key of its own', async () => {
    const { attributes } = await add()
    expect(pointers(await create({ key: attributes.key }))).toEqual(['taken /data/attributes/key'])
  })

  test('is seen by everybody while it is asked, and by those who manage people besides', async () => {
    const drafted = await add({ status: 'draft' })
    const person = await addPerson(runtime, site)
    expect((await as(person).get(`/profile-questions/${drafted.id}`)).status).toBe(404)
    const asked = await add()
    const seen = itemOf(await as().get(`/profile-questions/${asked.id}`))
    expect(seen.attributes).toMatchObject({ label: 'Language at home', purpose: 'To decide what to translate.', counts: null })
    expect(
      (
        await as(person).patch(
          `/profile-questions/${asked.id}`,
          buildResourceDocument('profile-questions', { position: 1 }, { id: asked.id, lockVersion: 1 }),
        )
      ).status,
    ).toBe(403)
  })
})

describe('an answer', () => {
  const year = new Date().getFullYear()

  test('is checked as the questionnaire checks it', async () => {
    const born = await add({ kind: 'year-of-birth', options: [] })
    const person = await addPerson(runtime, site)
    const { key } = born.attributes
    for (const wrong of ['old', 1700, year + 1, 1958.5]) expect((await say(person, key, wrong)).status, String(wrong)).toBe(422)
    expect(pointers(await say(person, key, 1700))).toEqual(['out-of-range /data/attributes/answer'])
    await answers(person, key, 1958)
    const several = await add({ kind: 'several-choices' })
    expect(pointers(await say(person, several.attributes.key, { choices: ['en', 'klingon'] }))).toEqual([
      'not-a-choice /data/attributes/answer',
    ])
    await answers(person, several.attributes.key, { choices: ['fr', 'en'] })
    expect((await say(person, 'nosuch', 'text')).status).toBe(422)
    expect(rowsOf(await as(person).get('/profile-answers')).map(({ attributes }) => attributes)).toMatchObject([
      { answer: 1958, text: '1958', source: 'person' },
      { answer: { choices: ['en', 'fr'] }, text: 'en; fr' },
    ])
  })

  test('to a retired question is refused, and the earlier one stays and can be deleted', async () => {
    const question = await add()
    const person = await addPerson(runtime, site)
    await answers(person, question.attributes.key, { choice: 'en' })
    await retire(question)
    const refused = await say(person, question.attributes.key, { choice: 'fr' })
    expect(refused.status).toBe(409)
    expect(refused.codes).toEqual(['question-retired'])
    expect((await readOwnAnswers(await ctxOf(person))).at(-1)).toMatchObject({ key: question.attributes.key, retired: true, lines: ['en'] })
    const [own] = rowsOf(await as(person).get('/profile-answers'))
    expect((await as(await addPerson(runtime, site)).delete(`/profile-answers/${own?.id}`)).status).toBe(404)
    expect((await as(admin).delete(`/profile-answers/${own?.id}`)).status).toBe(403)
    expect((await as(person).delete(`/profile-answers/${own?.id}`)).status).toBe(204)
    expect(await inSite((tx) => tx.select().from(profileAnswerOptions).where(eq(profileAnswerOptions.userId, person.id)))).toEqual([])
  })

  test('in the form at sign-up: required, unknown and retired ones are named at their fields', async () => {
    const must = await add({ required: true })
    const gone = await add()
    const fault = async (values: Record<string, string>) => {
      const ctx = createCtx(runtime, site)
      return ctx.db.tx((tx) => checkSentAnswers(ctx, tx, values, 'sign-up')).catch((error: unknown) => error)
    }
    const field = `q.${must.attributes.key}`
    expect(await fault({})).toMatchObject({ code: 'invalid', faults: [{ code: 'required', pointer: `/${field}` }] })
    expect(await fault({ [field]: 'klingon' })).toMatchObject({ faults: [{ code: 'not-a-choice', pointer: `/${field}` }] })
    const sent = { [field]: 'en', [`q.${gone.attributes.key}`]: 'fr' }
    expect(isAppError(await fault(sent))).toBe(false)
    await retire(gone)
    expect(await fault(sent)).toMatchObject({ code: 'question-retired', status: 409, faults: [{ pointer: `/q.${gone.attributes.key}` }] })
    // An empty field of a retired question keeps nobody from going on.
    expect(isAppError(await fault({ ...sent, [`q.${gone.attributes.key}`]: '' }))).toBe(false)
    await retire(must)
  })

  test('is the newer one after two accounts are merged', async () => {
    const [first, second] = [await add(), await add()]
    const [from, into] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    await answers(into, first.attributes.key, { choice: 'en' })
    await answers(from, first.attributes.key, { choice: 'fr' })
    await answers(from, second.attributes.key, { choice: 'en' })
    await answers(into, second.attributes.key, { choice: 'other' })
    await mergePeople(await ctxOf(admin), { from: from.id, into: into.id })
    expect(await listed(admin, `${first.attributes.key}:fr,${second.attributes.key}:other`)).toEqual([into.id])
    expect(await inSite((tx) => tx.select().from(profileAnswerOptions).where(eq(profileAnswerOptions.userId, into.id)))).toHaveLength(2)
  })

  test('is deleted once its question says so', async () => {
    const question = await add({ retentionMonths: 6 })
    const [old, recent] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    for (const person of [old, recent]) await answers(person, question.attributes.key, { choice: 'en' })
    const past = new Date(runtime.now())
    past.setMonth(past.getMonth() - 7)
    await inSite((tx) => tx.update(profileAnswers).set({ answeredAt: past }).where(eq(profileAnswers.userId, old.id)))
    const work = await readAsOwner<{ site: string }>(runtime.ownerUrl, `select sites_with_work('sweep', now()) as site`)
    expect(work.map((one) => one.site)).toContain(site.id)
    await sweepAccounts(runtime.database, runtime.now(), [site.id])
    expect(await listed(admin, `${question.attributes.key}:en`)).toEqual([recent.id])
  })
})

describe('lists of people', () => {
  test('are filtered by options, areas of age and several questions at once', async () => {
    const [born, home] = [await add({ kind: 'year-of-birth', options: [] }), await add()]
    const now = new Date().getFullYear()
    const people: Person[] = []
    for (const [age, language] of [
      [70, 'en'],
      [65, 'fr'],
      [64, 'en'],
    ] as const) {
      const person = await addPerson(runtime, site)
      people.push(person)
      await answers(person, born.attributes.key, now - age)
      await answers(person, home.attributes.key, { choice: language })
    }
    const ids = (...at: number[]) => at.map((index) => people[index]?.id ?? '').toSorted()
    const [age, tongue] = [born.attributes.key, home.attributes.key]
    expect(await listed(admin, `${age}:65-74`)).toEqual(ids(0, 1))
    expect(await listed(admin, `${age}:65-74,${age}:55-64`)).toEqual(ids(0, 1, 2))
    expect(await listed(admin, `${age}:65-74,${tongue}:en`)).toEqual(ids(0))
    expect(await listed(admin, `nosuch:en`)).toEqual([])
    expect((await as(admin).get('/users?filter[profile]=broken')).codes).toEqual(['invalid-parameter'])
    // The year itself is no option: nobody's birthday can be asked after.
    expect(await listed(admin, `${age}:${now - 70}`)).toEqual([])
    const csv = await (
      await exportPeople({
        context: requestContext({ ...(await ctxOf(admin)), reason: 'To write to them' }),
        request: new Request(`http://x/admin/people.csv?profile=${age}:65-74,${tongue}:fr`),
      })
    ).text()
    const lines = csv.trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain(tongue)
    expect(lines[1]).toContain(String(now - 65))
  })

  test('a question of another site is as if it did not exist', async () => {
    const other = await addSite(runtime, { slug: 'elsewhere', languages: ['en'] })
    const stranger = await addPerson(runtime, other, { role: 'site_admin' })
    const question = await add()
    const person = await addPerson(runtime, site)
    await answers(person, question.attributes.key, { choice: 'en' })
    const { body } = await as(stranger, other).get(`/users?filter[profile]=${question.attributes.key}:en`)
    expect(body?.data).toEqual([])
    expect((await as(stranger, other).get(`/profile-questions/${question.id}`)).status).toBe(404)
    expect((await as(stranger, other).get(`/profile-answers?filter[user]=${person.id}`)).body?.data).toEqual([])
  })

  test('administrators of a department see answers only of people who took part in it, and nobody lists people by a sensitive answer', async () => {
    const [hub, project] = [createId(), createId()]
    const title = { en: 'T', 'fr-CA': 'T' }
    await inSite(async (tx) => {
      await tx.insert(hubs).values({ siteId: site.id, id: hub, slug: hub, title })
      await tx
        .insert(projects)
        .values({ siteId: site.id, id: project, slug: project, title, summary: title, hubId: hub, status: 'published' })
    })
    const manager = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub })
    const [own, other] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    await inSite((tx) => tx.insert(projectFollows).values({ siteId: site.id, projectId: project, userId: own.id }))
    const [open, secret] = [await add(), await add({ sensitive: true })]
    for (const person of [own, other]) {
      await answers(person, open.attributes.key, { choice: 'en' })
      await answers(person, secret.attributes.key, { choice: 'fr' })
    }
    expect(await listed(manager, `${open.attributes.key}:en`)).toEqual([own.id])
    expect(await listed(admin, `${open.attributes.key}:en`)).toEqual([own.id, other.id].toSorted())
    expect(await listed(admin, `${secret.attributes.key}:fr`)).toEqual([])
    const seen = async (person: Person) =>
      rowsOf(await as(person).get(`/profile-answers?filter[user]=${own.id},${other.id}`)).map(({ attributes }) => attributes.question)
    expect(await seen(manager)).toEqual([open.attributes.key])
    expect(await seen(admin)).toEqual([open.attributes.key, open.attributes.key])
    expect(await seen(await addPerson(runtime, site))).toEqual([])
    const counts = itemOf(await as(admin).get(`/profile-questions/${secret.id}`))
    expect(counts.attributes.counts).toEqual([{ option: 'fr', people: null }])
    const look = (person: Person) =>
      as(person).post(
        '/profile-answer-looks',
        buildResourceDocument('profile-answer-looks', {}, { to: { user: { type: 'users', id: own.id } } }),
      )
    expect((await look(manager)).status).toBe(403)
    const looked = itemOf(await look(admin))
    expect(looked.attributes['answers']).toMatchObject([{ question: secret.attributes.key, text: 'fr' }])
    const trail = await inSite<object[]>((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'profile-answers.look')))
    expect(trail).toMatchObject([{ actorId: admin.id, subjectId: own.id }])
  })
})

/** A survey that so many people with each option have answered, and some without any. */
async function addAnswered(key: string, counts: Record<string, number>, silent: number, hubId?: string) {
  const project = await addProject(runtime, site, hubId ? { hubId } : {})
  const survey = await addSurvey(runtime, site, { projectId: project.id })
  const ctx = createCtx(runtime, site)
  const people: Person[] = []
  for (const option of [...Object.entries(counts).flatMap(([id, count]) => Array<string>(count).fill(id)), ...Array<undefined>(silent)]) {
    const person = await addPerson(runtime, site)
    people.push(person)
    if (option) await answers(person, key, { choice: option })
    await ctx.db.tx((tx) =>
      tx.insert(responses).values({
        siteId: site.id,
        id: createId(),
        surveyId: survey.id,
        version: 1,
        userId: person.id,
        language: 'en',
        answers: { mode: { choice: option === 'en' ? 'bus' : 'foot' } },
        submittedAt: runtime.now(),
        receiptHash: randomBytes(32),
      }),
    )
  }
  await ctx.db.tx((tx) => rebuildTallies(tx, site.id, survey.id))
  return { survey: survey.id, project: project.id, people }
}

describe('results of a survey', () => {
  const people = async (survey: string, filter: string) => {
    const answer = await as(admin).get(`/survey-results?filter[survey]=${survey}&${filter}`)
    expect(answer.status).toBe(200)
    return rowsOf(answer)[0]?.attributes['responses']
  }

  test('by what people said show no small number, and none that others give away', async () => {
    const { key } = (await add({ sensitive: true })).attributes
    const { survey } = await addAnswered(key, { en: 8, fr: 6, other: 2 }, 6)
    expect(await people(survey, `filter[profile]=${key}:en`)).toBe(8)
    expect(await people(survey, `filter[profile]=${key}:other`)).toBe(0)
    expect(await people(survey, `filter[profile]=nosuch:en`)).toBe(0)
    // Without the silent, two options together would say how many gave the third.
    const { survey: tight } = await addAnswered(key, { en: 8, fr: 6, other: 2 }, 0)
    const shown = [await people(tight, `filter[profile]=${key}:en`), await people(tight, `filter[profile]=${key}:fr`)]
    expect(shown).toEqual([8, 0])
  })

  test('are read by one option alone', async () => {
    const { key } = (await add()).attributes
    const { survey } = await addAnswered(key, { en: 1 }, 0)
    for (const filter of [`filter[profile]=${key}:en,${key}:fr`, `filter[profile]=${key}:en&filter[language]=en`, 'filter[profile]=en'])
      expect((await as(admin).get(`/survey-results?filter[survey]=${survey}&${filter}`)).codes, filter).toEqual(['invalid-parameter'])
  })
})

describe('responses to a survey', () => {
  const count = async (person: Person | undefined, survey: string, profile: string, more = '') => {
    const answer = await as(person).get(`/responses?filter[survey]=${survey}&filter[profile]=${profile}${more}`)
    expect(answer.status).toBe(200)
    const { total } = (answer.body?.meta ?? {}) as { total?: number }
    expect(rowsOf(answer)).toHaveLength(total ?? -1)
    return total
  }

  test('are listed by one thing that their senders said, if nobody can be recognised by it', async () => {
    const { key } = (await add()).attributes
    const { survey } = await addAnswered(key, { en: 8, fr: 6, other: 4 }, 5)
    expect(await count(admin, survey, `${key}:en`)).toBe(8)
    expect(await count(admin, survey, `${key}:en`, '&filter[language]=fr-CA')).toBe(0)
    expect(await count(admin, survey, `${key}:other`)).toBe(0)
    // Nor where the others and those who said nothing would give it away.
    const { survey: tight } = await addAnswered(key, { en: 8, fr: 6, other: 4 }, 0)
    expect([await count(admin, tight, `${key}:en`), await count(admin, tight, `${key}:fr`)]).toEqual([8, 0])
    // Few are few in each survey, although more said so on the whole site.
    const { survey: small } = await addAnswered(key, { en: 4 }, 20)
    expect(await count(admin, small, `${key}:en`)).toBe(0)
    for (const other of [`${key}:en,${key}:fr`, 'nosuch:en', key]) expect(await count(admin, survey, other)).toBe(0)
    const whole = await as(admin).get(`/responses?filter[profile]=${key}:en`)
    expect([whole.codes, whole.body?.errors?.[0]?.source?.parameter]).toEqual([['invalid-parameter'], 'filter[survey]'])
  })

  test('are not listed by sensitive answers, nor for those who do not manage the people', async () => {
    const [open, secret] = [(await add()).attributes.key, (await add({ sensitive: true })).attributes.key]
    const hub = createId()
    await inSite((tx) => tx.insert(hubs).values({ siteId: site.id, id: hub, slug: hub, title: both('Hub') }))
    const { survey, project, people } = await addAnswered(open, { en: 6 }, 6, hub)
    const { survey: elsewhere } = await addAnswered(open, { en: 6 }, 6)
    const { survey: hidden } = await addAnswered(secret, { en: 6 }, 6)
    expect(await count(admin, hidden, `${secret}:en`)).toBe(0)
    const manager = await addPerson(runtime, site, { role: 'hub_admin', hubId: hub })
    expect([await count(manager, survey, `${open}:en`), await count(manager, elsewhere, `${open}:en`)]).toEqual([6, 0])
    const team = await addPerson(runtime, site, { role: 'project_admin', projectId: project })
    expect(rowsOf(await as(team).get(`/responses?filter[survey]=${survey}`))).toHaveLength(12)
    expect(await count(team, survey, `${open}:en`)).toBe(0)
    // Not even of one's own response.
    expect(rowsOf(await as(people[0]).get(`/responses?filter[survey]=${survey}`))).toHaveLength(1)
    expect(await count(people[0], survey, `${open}:en`)).toBe(0)
  })
})

describe('the card on a receipt', () => {
  test('asks two unanswered questions, and not again for 90 days', async () => {
    const asked = [
      await add({ askedAt: 'after-first-answer' }),
      await add({ askedAt: 'after-first-answer' }),
      await add({ askedAt: 'after-first-answer' }),
    ]
    const keys = asked.map(({ attributes }) => attributes.key)
    const person = await addPerson(runtime, site)
    await answers(person, keys[0] ?? '', { choice: 'en' })
    const shown = async (days = 0) => {
      const ctx = await ctxOf(person)
      const later = new Date(runtime.now().getTime() + days * 86_400_000)
      return (await readReceiptQuestions(days ? { ...ctx, now: () => later } : ctx)).map(({ key }) => key)
    }
    expect(await shown()).toEqual(keys.slice(1))
    expect(await readReceiptQuestions(createCtx(runtime, site))).toEqual([])
    await saveReceiptAnswers(await ctxOf(person), { later: 'yes', [`q.${keys[1]}`]: 'en' })
    expect(await shown()).toEqual([])
    expect(await shown(89)).toEqual([])
    expect(await shown(91)).toEqual(keys.slice(1))
    await saveReceiptAnswers(await ctxOf(person), { [`q.${keys[1]}`]: 'fr', [`q.${keys[2]}`]: '' })
    expect(await shown(91)).toEqual(keys.slice(2))
    for (const one of asked) await retire(one)
  })
})

test('a question that must be answered at sign-up is asked on the receipt of whoever came another way, who may leave it out', async () => {
  const must = await add({ required: true })
  const key = must.attributes.key
  try {
    const person = await addPerson(runtime, site)
    const shown = async () =>
      (await readReceiptQuestions(await ctxOf(person))).map(({ key: one, question }) => [one, question.required ?? false])
    expect(await shown()).toEqual([[key, false]])
    await saveReceiptAnswers(await ctxOf(person), { [`q.${key}`]: '' })
    expect(await shown()).toEqual([])
    const other = await addPerson(runtime, site)
    await answers(other, key, { choice: 'fr' })
    expect(await readReceiptQuestions(await ctxOf(other))).toEqual([])
  } finally {
    await retire(must)
  }
})

test('a group by rule has the people who said so', async () => {
  const question = await add()
  const person = await addPerson(runtime, site)
  await answers(person, question.attributes.key, { choice: 'fr' })
  const rule = { profile: `${question.attributes.key}:fr` }
  const group = await as(admin).post(
    '/groups',
    buildResourceDocument('groups', { name: `G ${question.attributes.key}`, kind: 'group', rule }),
  )
  expect(group.status, JSON.stringify(group.body)).toBe(201)
  const { id } = itemOf(group)
  expect(rowsOf(await as(admin).get(`/users?filter[group]=${id}`)).map((one) => one.id)).toEqual([person.id])
  const broken = buildResourceDocument('groups', { name: 'Broken', kind: 'group', rule: { profile: 'broken' } })
  expect((await as(admin).post('/groups', broken)).status).toBe(422)
})

test('two answers sent at once leave one', async () => {
  const question = await add()
  const person = await addPerson(runtime, site)
  const ctx = await ctxOf(person)
  const field = `q.${question.attributes.key}`
  await Promise.all(
    ['en', 'fr', 'other'].map((choice) =>
      ctx.db.tx(async (tx) => storeAnswers(ctx, tx, person.id, await checkSentAnswers(ctx, tx, { [field]: choice }), 'person')),
    ),
  )
  expect(await inSite((tx) => tx.select().from(profileAnswers).where(eq(profileAnswers.userId, person.id)))).toHaveLength(1)
  expect(await inSite((tx) => tx.select().from(profileAnswerOptions).where(eq(profileAnswerOptions.userId, person.id)))).toHaveLength(1)
  expect(await inSite((tx) => tx.select().from(profileQuestions).where(eq(profileQuestions.id, question.id)))).toHaveLength(1)
})
