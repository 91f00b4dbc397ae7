import { and, desc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { smsMessages, textConversations, userPhones } from '#app/server/db/schema/messages.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses, surveyParticipations } from '#app/server/db/schema/responses.ts'
import { siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import { sealSecret } from '#app/server/crypto/seal.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { serveTwilio, TWILIO } from '#tests/support/sms/twilio.ts'
import { sendDueMessages } from '../deliver-messages.server.ts'
import { receiveText } from '../receive-messages.server.ts'
import { buildPhoneSealPlace } from './conversations.server.ts'
import { cleanUpConversations } from './finish-conversation.server.ts'

const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
const twilio = await serveTwilio()
const PHONE = '+16135550123'
const DAY_MS = 24 * 3_600_000
const title = (en: string, fr: string, cy: string) => ({ en, 'fr-CA': fr, cy })

const DEFINITION: Definition = {
  schema: 1,
  pages: [
    {
      id: 'page1',
      questions: [
        {
          id: 'mode',
          type: 'one_choice',
          required: true,
          title: title('How do you travel?', 'Comment vous déplacez-vous?', 'Sut ydych chi’n teithio?'),
          options: [
            { id: 'bus', label: title('By bus', 'En autobus', 'Ar y bws') },
            { id: 'foot', label: title('On foot', 'À pied', 'Ar droed') },
            { id: 'other', label: title('Another way', 'Autrement', 'Ffordd arall'), other: true },
          ],
        },
        {
          id: 'often',
          type: 'number',
          title: inAllLanguages('How often a week?'),
          min: 0,
          max: 50,
          showIf: { question: 'mode', is: 'any_of', options: ['bus'] },
        },
      ],
    },
    {
      id: 'page2',
      questions: [
        {
          id: 'safe',
          type: 'rating',
          required: true,
          title: inAllLanguages('How safe?'),
          scale: { max: 5, low: inAllLanguages('Not at all'), high: inAllLanguages('Very') },
        },
        { id: 'again', type: 'yes_no', required: true, title: inAllLanguages('Would you go again?') },
        { id: 'why', type: 'short_text', title: inAllLanguages('Why?'), maxLength: 40 },
      ],
    },
  ],
}

let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
let surveyId: string

const dataOf = ({ body }: ApiAnswer) => (body?.data ?? {}) as { attributes: object; meta: { lockVersion: number } }

async function open(
  values: Parameters<typeof addSurvey>[2] = {},
  keywords: Record<string, string> = { en: 'BUS', 'fr-CA': 'autobus', cy: 'Bẁs1' },
) {
  const survey = await addSurvey(runtime, site, { definition: DEFINITION, ...values })
  const document = await api.get(`/surveys/${survey.id}`)
  const { lockVersion } = dataOf(document).meta
  const patched = await api.patch(
    `/surveys/${survey.id}`,
    buildResourceDocument('surveys', { smsKeywords: keywords }, { id: survey.id, lockVersion }),
  )
  return { id: survey.id, projectId: survey.projectId, patched }
}

beforeEach(async () => {
  runtime.setNow(new Date('2026-11-20T16:30:00Z'))
  await runtime.database.global.update(sites).set({ status: 'suspended' })
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  await ctx.db.tx(async (tx) => {
    await tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true })
  })
  const settings = { ...TWILIO, address: twilio.origin, perSecond: 400 }
  await api.post('/installations', buildResourceDocument('installations', { integration: 'sms-twilio', settings }))
  await ctx.db.tx((tx) => tx.update(installations).set({ enabledAt: new Date() }))
  surveyId = (await open()).id
})

let clock = 0
/** Sends a text as this number and returns the reply, if there is one. */
async function says(body: string, { phone = PHONE, id = createId() } = {}): Promise<string | undefined> {
  runtime.setNow(new Date(ctx.now().getTime() + (clock += 1)))
  const before = await latest()
  await receiveText(ctx, 'sms-twilio', { kind: 'text', providerId: id, phone, body })
  const after = await latest()
  return after?.id === before?.id ? undefined : after?.body
}
const latest = async () =>
  (
    await ctx.db.tx((tx) =>
      tx
        .select()
        .from(smsMessages)
        .where(and(eq(smsMessages.siteId, site.id), eq(smsMessages.direction, 'out')))
        .orderBy(desc(smsMessages.createdAt), desc(smsMessages.id))
        .limit(1),
    )
  )[0]
const stored = () => ctx.db.tx((tx) => tx.select().from(responses).where(eq(responses.siteId, site.id)))
const conversations = () => ctx.db.tx((tx) => tx.select().from(textConversations))
const inTurn = async (...texts: string[]) => {
  let last: string | undefined
  for (const text of texts) last = await says(text)
  return last
}
async function addOwner(locale: Language) {
  const person = await addPerson(runtime, site)
  await ctx.db.tx(async (tx) => {
    await tx.update(users).set({ locale, emailConfirmedAt: new Date() }).where(eq(users.id, person.id))
    await tx.insert(userPhones).values({ siteId: site.id, userId: person.id, phone: PHONE, confirmedAt: new Date() })
  })
  return person
}

describe('a survey answered by text', () => {
  test('starts with its keyword, asks one question per text by its rules, and stores a response like any other', async () => {
    const person = await addOwner('en')
    expect(await says('bus')).toBe(
      'Fern Street. Answer each text. BACK goes one question back, STOP ends it.\n' +
        'How do you travel?\n1 By bus\n2 On foot\n3 Another way\nAnswer with a number from 1 to 3. With 3, add your own words.',
    )
    expect(await says('1')).toBe('How often a week?\nAnswer with a number from 0 to 50.\nOr answer SKIP.')
    expect(await says('about 4 times')).toBe('How safe?\n1 = Not at all, 5 = Very.\nAnswer with a number from 1 to 5.')
    expect(await says('5')).toBe('Would you go again?\nAnswer YES or NO.')
    expect(await says('Yes')).toBe('Why?\nAnswer in your own words, at most 40 characters.\nOr answer SKIP.')
    expect(await says('It is close')).toMatch(/^.+ has your answers\. Thank you\. Your receipt: [\dA-Z-]{19} https?:/)
    expect(await stored()).toMatchObject([
      {
        surveyId,
        source: 'sms',
        language: 'en',
        userId: person.id,
        answers: { mode: { choice: 'bus' }, often: 4, safe: 5, again: { choice: 'yes' }, why: 'It is close' },
      },
    ])
    expect(await conversations()).toEqual([])
    const seen = await api.get(`/responses?filter[survey]=${surveyId}&filter[source]=sms`)
    expect(seen.body?.data).toHaveLength(1)
  })

  test('uses the language of the account, otherwise that of the keyword', async () => {
    expect(await says('AUTOBUS')).toMatch(/Comment vous déplacez-vous\?\n1 En autobus\n/)
    expect(await says('à PIED')).toMatch(/^How safe\? \(fr\)\n1 = Not at all \(fr\)/)
    expect(await inTurn('3', 'oui', 'passer')).toContain('a enregistré vos réponses')
    await addOwner('cy')
    expect(await says('BUS')).toMatch(/Atebwch bob neges/)
    expect(await inTurn('ar droed', '4', 'Ydw', 'neidio')).toContain('Diolch')
    expect((await stored()).map(({ language }) => language)).toEqual(['fr-CA', 'cy'])
  })

  test('helps with mistakes, goes back, and asks only what its rules ask', async () => {
    await says('BUS')
    expect(await says('by car')).toBe(
      'Sorry, we could not read that.\n1 By bus\n2 On foot\n3 Another way\nAnswer with a number from 1 to 3. With 3, add your own words.',
    )
    expect(await says('3')).toContain('add your own words')
    expect(await says('3 by ferry')).toMatch(/^How safe/)
    expect(await says('retour')).toMatch(/^How do you travel/)
    expect(await says('back')).toMatch(/^This is the first question\.\nHow do you travel/)
    expect(await says('1) by bus')).toMatch(/^How often/)
    expect(await says('2 or 3')).toMatch(/^Sorry/)
    expect(await says('51')).toBe('Sorry, we could not read that.\nAnswer with a number from 0 to 50.\nOr answer SKIP.')
    expect(await says('skip')).toMatch(/^How safe/)
    expect(await says('yn ôl')).toMatch(/^How often/)
    expect(await says('yn ôl')).toMatch(/^How do you travel/)
    expect(await inTurn('2', '6')).toMatch(/^Sorry/)
    expect(await says('skip')).toMatch(/^Sorry/)
    expect(await says('help')).toMatch(/^Answer the question below.+\nHow safe/)
    await inTurn('4', 'no', 'x'.repeat(41), 'fine')
    expect((await stored())[0]?.answers).toEqual({ mode: { choice: 'foot' }, safe: 4, again: { choice: 'no' }, why: 'fine' })
  })

  test('handles a text delivered twice as one step', async () => {
    const [word, first] = [createId(), createId()]
    await says('BUS', { id: word })
    expect(await says('BUS', { id: word })).toBeUndefined()
    expect(await says('2', { id: first })).toMatch(/^How safe/)
    expect(await says('2', { id: first })).toBeUndefined()
    expect(await says('BUS', { id: word })).toBeUndefined()
    const last = createId()
    await inTurn('4', 'yes')
    await Promise.all([says('skip', { id: last }), says('skip', { id: last })])
    expect(await says('skip', { id: last })).toBeUndefined()
    expect(await stored()).toHaveLength(1)
  })

  test('does not reply forever to a phone that answers automatically', async () => {
    await says('BUS')
    const replies = []
    for (let time = 0; time < 8; time++) replies.push(await says('I am out of office'))
    expect(replies.filter(Boolean)).toHaveLength(5)
    expect(await says('2')).toMatch(/^How safe/)
  })

  test('resumes within a week and starts over after that', async () => {
    await inTurn('BUS', '1')
    runtime.setNow(new Date(ctx.now().getTime() + 6 * DAY_MS))
    expect(await says('bus')).toMatch(/^Welcome back\.\nHow often/)
    runtime.setNow(new Date(ctx.now().getTime() + 8 * DAY_MS))
    expect(await says('4')).toBeUndefined()
    await cleanUpConversations(runtime)
    expect(await conversations()).toEqual([])
    expect(await says('bus')).toMatch(/How do you travel/)
  })

  test('ends at STOP and cannot be started until START', async () => {
    await inTurn('BUS', '1')
    expect(await says('Arrêt')).toContain('ne recevrez plus de textos')
    expect(await conversations()).toEqual([])
    expect(await says('2')).toBeUndefined()
    expect(await says('BUS')).toContain('answer START')
    expect(await says('start')).toContain('again')
    expect(await says('BUS')).toMatch(/How do you travel/)
  })

  test('is stored even if the process dies between the last answer and the response', async () => {
    await inTurn('BUS', '2', '4', 'no')
    const [conversation] = await conversations()
    // The state left by a process that dies after the step and before the response.
    const id = conversation?.id ?? ''
    await ctx.db.tx((tx) => tx.update(textConversations).set({ sealedPhone: sealSecret(runtime.secret, buildPhoneSealPlace(id), PHONE) }))
    runtime.setNow(new Date(ctx.now().getTime() + 2 * 60_000))
    await cleanUpConversations(runtime)
    await cleanUpConversations(runtime)
    expect(await stored()).toMatchObject([{ id, answers: { mode: { choice: 'foot' }, safe: 4 } }])
    expect((await latest())?.body).toContain('Your receipt')
    expect(await conversations()).toEqual([])
  })
})

describe('who may answer by text', () => {
  test('each number once if the survey allows one response per browser; each account once, by any channel', async () => {
    await open({ access: 'anyone_once', title: inAllLanguages('Once') }, { en: 'ONCE' })
    await inTurn('ONCE', '2', '3', 'yes', 'skip')
    expect(await says('ONCE')).toBe('You have already answered this survey. Thank you.')
    expect(await says('ONCE', { phone: '+16135550124' })).toMatch(/How do you travel/)
    await open({ access: 'signed_in' }, { en: 'ACCOUNT' })
    expect(await says('ACCOUNT')).toMatch(/not open to everyone. Sign in .+\/surveys\//)
    await addOwner('en')
    await inTurn('ACCOUNT', '2', '3', 'yes', 'skip')
    expect(await says('ACCOUNT')).toContain('already')
    expect(await stored()).toHaveLength(2)
  })

  test('nobody if the survey is closed, which also ends open conversations', async () => {
    const { id } = await open({ closesAt: new Date(ctx.now().getTime() + DAY_MS) }, { en: 'SOON' })
    await inTurn('SOON', '2')
    runtime.setNow(new Date(ctx.now().getTime() + 2 * DAY_MS))
    expect(await says('4')).toContain('is not accepting answers')
    expect(await says('SOON')).toContain('is not accepting answers')
    expect((await stored()).filter((one) => one.surveyId === id)).toEqual([])
  })

  test("nobody if the survey's project has closed, even if the survey has no dates of its own", async () => {
    const { id, projectId } = await open({}, { en: 'ENDS' })
    await ctx.db.tx((tx) =>
      tx
        .update(projects)
        .set({ closesAt: new Date(ctx.now().getTime() + DAY_MS) })
        .where(eq(projects.id, projectId)),
    )
    await inTurn('ENDS', '2')
    runtime.setNow(new Date(ctx.now().getTime() + 2 * DAY_MS))
    expect(await says('4')).toContain('is not accepting answers')
    expect(await says('ENDS')).toContain('is not accepting answers')
    expect((await stored()).filter((one) => one.surveyId === id)).toEqual([])
  })
})

describe('an anonymous survey answered by text', () => {
  test('leaves no number, account or text anywhere once it is over', async () => {
    await addOwner('en')
    await open({ anonymous: true, access: 'anyone_once' }, { en: 'SECRET' })
    expect(await says('SECRET')).toContain('Your number is not kept with your answers.')
    await inTurn('2', '3', 'yes')
    const thanks = await says('because of the noise')
    expect(thanks).not.toContain('receipt')
    // Nothing of them is kept once they are accepted by the service or given up.
    const out = await ctx.db.tx((tx) => tx.select().from(smsMessages).where(eq(smsMessages.direction, 'out')))
    expect(out.every(({ unnamed, userId }) => unnamed && userId === null)).toBe(true)
    expect(await sendDueMessages(runtime)).toBe(5)
    const everything = JSON.stringify(
      await ctx.db.tx(async (tx) => [
        await tx.select().from(smsMessages),
        await tx.select().from(textConversations),
        await tx.select().from(responses),
      ]),
    )
    expect(everything).toContain('because of the noise')
    const messages = await ctx.db.tx((tx) => tx.select().from(smsMessages))
    expect(messages.map(({ phone, body, userId }) => [phone, body, userId])).toEqual(messages.map(() => ['', '', null]))
    expect(everything).not.toContain(PHONE)
    expect((await stored())[0]).toMatchObject({ userId: null })
    // Participation counts for the number and for the account that confirmed it.
    expect(await ctx.db.tx((tx) => tx.select().from(surveyParticipations))).toHaveLength(2)
    expect(await says('SECRET')).toContain('already')
  })
})

describe('opening a survey to texts', () => {
  test('refuses reserved keywords, keywords of other surveys, and questions that cannot be asked by text', async () => {
    const pointers = ({ body }: ApiAnswer) =>
      (body?.errors ?? []).map(({ code, source }) => [code, source?.pointer?.split('/').slice(3).join('/')])
    expect(pointers((await open({}, { en: 'Stop', cy: 'yes' })).patched)).toEqual([
      ['taken', 'smsKeywords/en'],
      ['taken', 'smsKeywords/cy'],
    ])
    expect(pointers((await open({}, { en: 'Büs' })).patched)).toEqual([['taken', 'smsKeywords/en']])
    expect(pointers((await open({ access: 'invited' }, { en: 'INVITED' })).patched)).toEqual([['not-by-text', 'smsKeywords']])
    const long: Definition = {
      schema: 1,
      pages: [{ id: 'p', questions: [{ id: 'q', type: 'long_text', title: inAllLanguages('Tell us') }] }],
    }
    expect(pointers((await open({ definition: long }, { en: 'LONG' })).patched)).toEqual([['not-by-text', 'smsKeywords']])
    const { id, patched } = await open({ definition: long, status: 'draft' }, { en: 'DRAFT' })
    expect(patched.status).toBe(200)
    const published = await api.post(
      '/survey-versions',
      buildResourceDocument('survey-versions', {}, { to: { survey: { type: 'surveys', id } } }),
    )
    expect(pointers(published)).toContainEqual(['not-by-text', 'definition/pages/0/questions/0/type'])
  })

  test('shows its keywords only to those who edit it', async () => {
    const document = await api.get(`/surveys/${surveyId}`)
    expect(dataOf(document).attributes).toMatchObject({
      smsKeywords: { en: 'BUS', 'fr-CA': 'AUTOBUS', cy: 'BWS1' },
    })
    const visitor = await createApiClient(runtime, site).get(`/surveys/${surveyId}`)
    expect(dataOf(visitor).attributes).not.toHaveProperty('smsKeywords')
  })
})
