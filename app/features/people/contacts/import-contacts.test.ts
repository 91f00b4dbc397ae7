import { eq } from 'drizzle-orm'
import { writeXlsx } from 'hucre/xlsx'
import { beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { mailConsents } from '#app/server/db/schema/mail.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { loadMailsTo } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { createQuestion } from '#app/features/profile/edit-questions.server.ts'
import { saveOwnAnswer } from '#app/features/profile/answers.server.ts'
import { profileAnswerOptions, profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { createGroup, loadGroupsById } from '#app/features/accounts/groups.server.ts'
import type { ContactsInput } from './contacts.schema.ts'
import { importContacts } from './import-contacts.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Ctx

const AT_THE_FAIR = 'Form at the spring fair, 12 April 2026'
const ctxOf = async ({ token }: Person): Promise<Ctx> => {
  const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, token, runtime.now())
  return createCtx(runtime, site, { viewer })
}
const send = (text: string, more: Partial<ContactsInput> = {}, by = admin) =>
  importContacts(by, {
    file: { kind: 'text', content: text },
    store: true,
    consent: '',
    invite: false,
    group: null,
    answers: null,
    basis: '',
    skipsFaulty: false,
    ...more,
  })
const people = () => runtime.database.site(site.id).tx((tx) => tx.select().from(users).orderBy(users.email))
const outcomes = ({ lines }: Awaited<ReturnType<typeof send>>) => lines.map(({ row, outcome }) => [row, outcome])

beforeEach(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA'] })
  admin = await ctxOf(await addPerson(runtime, site, { role: 'site_admin' }))
})

test('a table becomes accounts, with the consent that each row gives and where it was given', async () => {
  const report = await send('Courriel;Nom;Langue;Consentement\nann@city.example;Ann Roy;fr;oui\nBob@City.example;;;non\n', {
    consent: AT_THE_FAIR,
    invite: true,
  })
  expect(report.isStored).toBe(true)
  const [ann, bob] = (await people()).filter(({ email }) => email.endsWith('@city.example'))
  expect(ann).toMatchObject({ email: 'ann@city.example', login: 'Ann Roy', locale: 'fr-CA', emailConfirmedAt: null, passwordHash: null })
  expect(bob).toMatchObject({ email: 'bob@city.example', login: 'Bob', locale: 'en', marketingConsentAt: null })
  const ledger = await runtime.database.site(site.id).tx((tx) => tx.select().from(mailConsents))
  expect(ledger).toMatchObject([{ email: 'ann@city.example', given: true, words: AT_THE_FAIR, source: 'import', address: null }])
  for (const to of ['ann@city.example', 'bob@city.example'])
    expect((await loadMailsTo(runtime, site.id, to)).map(({ kind }) => kind)).toEqual(['contact-invitation'])
  const trail = await runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents))
  expect(trail.filter(({ action }) => action === 'users.import')).toMatchObject([{ detail: { imported: 2, agreed: 1, invited: true } }])
})

test('one wrong row and nothing is imported; every row is told', async () => {
  const before = await people()
  const report = await send('email,name,consent\nann@city.example,Ann,no\nnot an address,Bob,no\ncho@city.example,Cho,perhaps\n')
  expect(report.isStored).toBe(false)
  expect(report.lines).toMatchObject([
    { row: 2, outcome: 'new', fault: null },
    { row: 3, outcome: 'faulty', fault: { code: 'not-an-email', column: 'email' } },
    { row: 4, outcome: 'faulty', fault: { code: 'not-a-choice', column: 'consent' } },
  ])
  expect(await people()).toEqual(before)
})

test('duplicates are told and imported once; who has an account keeps it as it is', async () => {
  const known = await addPerson(runtime, site)
  const text = `email,name\nann@city.example,Ann\n${known.email},Someone Else\nANN@city.example,Ann again\n`
  expect(outcomes(await send(text, { store: false, consent: AT_THE_FAIR }))).toEqual([
    [2, 'new'],
    [3, 'known'],
    [4, 'repeated'],
  ])
  const before = (await people()).find(({ email }) => email === known.email)
  await send(text, { consent: AT_THE_FAIR })
  expect((await people()).filter(({ email }) => email === 'ann@city.example')).toHaveLength(1)
  expect((await people()).find(({ email }) => email === known.email)).toEqual(before)
})

test('consent that does not say where it was given is refused', async () => {
  expect(outcomes(await send('email,consent\nann@city.example,yes\n'))).toEqual([[2, 'faulty']])
})

test('a formula is only text', async () => {
  await send('email,name\nann@city.example,"=HYPERLINK(""http://x"")"\n')
  expect((await people()).find(({ email }) => email === 'ann@city.example')?.login).toBe('=HYPERLINK("http://x")')
})

test('everybody in the file, known or new, joins the group', async () => {
  const known = await addPerson(runtime, site)
  const id = await createGroup(admin, { name: 'Cyclists', hubId: null })
  await send(`email\nann@city.example\n${known.email}\n`, { group: id })
  expect((await loadGroupsById(admin, [id]))[0]?.members).toBe(2)
})

test('only administrators of the whole site import, not those of one department', async () => {
  const hub = await addHub(runtime, site)
  const ofHub = await ctxOf(await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id }))
  await expect(send('email\nann@city.example\n', {}, ofHub)).rejects.toMatchObject({ code: 'forbidden' })
})

test('a file without addresses says so', async () => {
  await expect(send('name\nAnn\n')).rejects.toMatchObject({ faults: [{ code: 'required', pointer: '/email' }] })
  await expect(send('email\n')).rejects.toMatchObject({ faults: [{ code: 'unreadable-file' }] })
})

describe('columns that answer questions about people', () => {
  const ON_PAPER = 'Paper form of the citizens’ panel, signed, 3 March 2026'
  const label = (en: string, fr: string) => ({ en, 'fr-CA': fr })
  const answersOf = async (email: string) => {
    const rows = await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx
          .select({ key: profileQuestions.key, answer: profileAnswers.answer, source: profileAnswers.source })
          .from(profileAnswers)
          .innerJoin(profileQuestions, eq(profileQuestions.id, profileAnswers.questionId))
          .innerJoin(users, eq(users.id, profileAnswers.userId))
          .where(eq(users.email, email)),
      )
    return Object.fromEntries(rows.map(({ key, answer, source }) => [key, { answer, source }]))
  }
  const ask = (key: string, kind: 'year-of-birth' | 'one-choice' | 'several-choices', more: Record<string, unknown> = {}) =>
    createQuestion(admin, {
      id: createId(),
      key,
      kind,
      labelTranslations: label(`Your ${key}`, `Votre ${key}`),
      purposeTranslations: label('to see who takes part.', 'pour voir qui participe.'),
      askedAt: 'account-only',
      retentionMonths: 24,
      status: 'live',
      ...more,
    })
  const OPTIONS = [
    { id: 'bus', label: label('By bus', 'En bus') },
    { id: 'bike', label: label('By bicycle', 'À vélo') },
  ]
  beforeEach(async () => {
    await ask('born', 'year-of-birth')
    await ask('travels', 'several-choices', { options: OPTIONS })
    await ask('ill', 'one-choice', { options: OPTIONS, sensitive: true })
  })

  test('columns are found by key or label, in any language, and each cell becomes an answer that can be filtered by', async () => {
    const text = 'email,Your born,VOTRE TRAVELS,Your ill\nann@city.example,1958,en bus; bike,By bus\nbob@city.example,,,\n'
    const checked = await send(text, { store: false })
    expect(checked.columns.map(({ use, question }) => [use, question])).toEqual([
      ['email', null],
      ['answer', 'born'],
      ['answer', 'travels'],
      [null, null],
    ])
    expect(checked.questions.map(({ key, purpose, retentionMonths }) => [key, purpose, retentionMonths])).toEqual([
      ['born', 'to see who takes part.', 24],
      ['travels', 'to see who takes part.', 24],
    ])
    expect(checked.lines[0]?.answers).toEqual([
      { question: 'born', text: '1958' },
      { question: 'travels', text: 'By bus; By bicycle' },
    ])
    expect(await answersOf('ann@city.example')).toEqual({})
    await expect(send(text)).rejects.toMatchObject({ faults: [{ code: 'required', pointer: '/basis' }] })
    expect(await people()).toHaveLength(1)

    expect(await send(text, { basis: ON_PAPER })).toMatchObject({ isStored: true, answersStored: 2 })
    expect(await answersOf('ann@city.example')).toEqual({
      born: { answer: 1958, source: 'import' },
      travels: { answer: { choices: ['bus', 'bike'] }, source: 'import' },
    })
    const options = await runtime.database.site(site.id).tx((tx) => tx.select().from(profileAnswerOptions))
    expect(options.map(({ option }) => option).toSorted()).toEqual(['1958', 'bike', 'bus'])
    const [event] = (await runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents))).filter(
      ({ action }) => action === 'users.import',
    )
    expect(event?.detail).toMatchObject({ imported: 2, answers: 2, basis: ON_PAPER })
    expect(JSON.stringify(event)).not.toContain('1958')
  })

  test('a cell that is no answer is told with its row and column, and only a choice leaves such rows out', async () => {
    const text = 'email,born,travels\nann@city.example,1658,bus\nbob@city.example,1970,by rocket\ncho@city.example,1980,by horse\n'
    const refused = await send(text, { basis: ON_PAPER })
    expect(refused).toMatchObject({ isStored: false, answersStored: 0 })
    expect(refused.lines.map(({ row, outcome, fault }) => [row, outcome, fault?.code, fault?.column])).toEqual([
      [2, 'faulty', 'not-a-year', 'born'],
      [3, 'faulty', 'not-a-choice', 'travels'],
      [4, 'faulty', 'not-a-choice', 'travels'],
    ])
    expect(await people()).toHaveLength(1)
    const mended = text.replace('by horse', 'By Bicycle')
    expect(await send(mended, { basis: ON_PAPER })).toMatchObject({ isStored: false })
    expect(await send(mended, { basis: ON_PAPER, skipsFaulty: true })).toMatchObject({ isStored: true, answersStored: 2 })
    expect((await people()).map(({ email }) => email)).toContain('cho@city.example')
    expect(await people()).toHaveLength(2)
  })

  test('whoever is here already gets the answers that they have not given, and keeps those that they have', async () => {
    const known = await addPerson(runtime, site)
    await saveOwnAnswer(await ctxOf(known), 'born', { 'q.born': '1990' })
    const text = `email,born,travels\n${known.email},1958,bus\n${known.email},1959,bike\n`
    expect(await send(text, { basis: ON_PAPER })).toMatchObject({ isStored: true, answersStored: 1 })
    expect(await answersOf(known.email)).toEqual({
      born: { answer: 1990, source: 'person' },
      travels: { answer: { choices: ['bus'] }, source: 'import' },
    })
  })

  test('columns can be chosen, but never for a sensitive question, one of another site, or twice', async () => {
    const text = 'email,when,how\nann@city.example,1958,bus\n'
    expect((await send(text, { store: false })).columns.map(({ use }) => use)).toEqual(['email', null, null])
    const chosen = await send(text, { answers: [{ column: 1, question: 'born' }], basis: ON_PAPER })
    expect(chosen.isStored).toBe(true)
    expect(await answersOf('ann@city.example')).toEqual({ born: { answer: 1958, source: 'import' } })
    for (const answers of [
      [{ column: 2, question: 'ill' }],
      [{ column: 2, question: 'elsewhere' }],
      [{ column: 0, question: 'born' }],
      [
        { column: 1, question: 'born' },
        { column: 2, question: 'born' },
      ],
    ])
      await expect(send(text, { store: false, answers })).rejects.toMatchObject({ faults: [{ code: 'not-a-choice', pointer: '/answers' }] })
  })

  test('an Excel workbook is read like a table, and a file that is none is refused', async () => {
    const book = await writeXlsx({
      sheets: [
        {
          name: 'People',
          rows: [
            ['email', 'born'],
            ['ann@city.example', 1958],
          ],
        },
      ],
    })
    const file = { kind: 'workbook' as const, content: Buffer.from(book).toString('base64') }
    expect(await send('', { file, basis: ON_PAPER })).toMatchObject({ isStored: true, answersStored: 1 })
    expect(await answersOf('ann@city.example')).toEqual({ born: { answer: 1958, source: 'import' } })
    const text = { kind: 'workbook' as const, content: Buffer.from('email\nann@city.example').toString('base64') }
    await expect(send('', { file: text })).rejects.toMatchObject({ faults: [{ code: 'unreadable-file', pointer: '/file' }] })
  })

  test('two thousand people with two answers each are stored in a few seconds', async () => {
    const rows = Array.from({ length: 2000 }, (_, at) => `p${at}@city.example,${1940 + (at % 60)},bus;bike`)
    const from = performance.now()
    expect(await send(['email,born,travels', ...rows].join('\n'), { basis: ON_PAPER })).toMatchObject({
      isStored: true,
      answersStored: 4000,
    })
    expect(performance.now() - from).toBeLessThan(30_000)
  })
})
