import { beforeEach, expect, test } from 'vitest'
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
  importContacts(by, { text, store: true, consent: '', invite: false, group: null, ...more })
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
