import { and, eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { inviteToSurvey } from '#app/features/surveys/responses/access/survey-invitations.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { peopleGroupMembers, peopleGroups } from '#app/server/db/schema/accounts.ts'
import { projectMembers } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson as addAdmin, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { expectAccessible, takePartBefore } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
let site: Site
let project: { id: string; slug: string }

beforeAll(async () => {
  site = await addSite(db.runtime)
  project = await addProject(db.runtime, site, { slug: 'fern' })
})

const open = (slug: string, values: Parameters<typeof addSurvey>[2] = {}) =>
  addSurvey(db.runtime, site, { projectId: project.id, slug, ...values })
const address = (slug: string) => `/projects/fern/surveys/${slug}`
const send = (page: Page) => page.locator('form:has([name="sendKey"]) button[type="submit"]:not([name])').click()
const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const stored = (surveyId: string) =>
  db.database.site(site.id).tx((tx) =>
    tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
const codesFor = async (surveyId: string, count: number) => {
  const viewer = await addAdmin(db.runtime, site, { roles: [{ role: 'site_admin' }] })
  const { told } = await inviteToSurvey(createCtx(db.runtime, site, { viewer }), surveyId, { kind: 'codes', count })
  return told?.codes ?? []
}

test('without JavaScript a code is typed, answers once, and makes room for the next on a shared device', async () => {
  const survey = await open('invited', { access: 'invited', anonymous: true })
  const [first = '', second = ''] = await codesFor(survey.id, 2)
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  await page.goto(address('invited'))
  expect(await title(page)).toBe('This survey is by invitation only')
  const code = page.getByLabel('Code from your invitation')
  await code.fill('AAAA-AAAA-AAAA-AAAA')
  await page.getByRole('button', { name: 'Use this code' }).click()
  await expect.poll(() => page.locator('.error-summary a').textContent()).toContain('No invitation to this survey has this code')
  expect(await code.inputValue()).toBe('AAAA-AAAA-AAAA-AAAA')
  await code.fill(first.toLowerCase())
  await page.getByRole('button', { name: 'Use this code' }).click()
  await expect.poll(() => page.locator('.form-promise').textContent()).toContain('Nothing links this record to your answers')
  await page.getByLabel('Which street?').fill('Elm')
  await send(page)
  await page.waitForURL('**/receipt')
  await page.goto(address('invited'))
  expect(await title(page)).toBe('You have already answered this survey')
  await page.getByLabel('Another code').fill(second)
  await page.getByRole('button', { name: 'Use this code' }).click()
  await page.getByLabel('Which street?').fill('Oak')
  await send(page)
  await page.waitForURL('**/receipt')
  expect((await stored(survey.id)).map(({ userId, answers }) => [userId, answers])).toEqual([
    [null, { name: 'Elm' }],
    [null, { name: 'Oak' }],
  ])
})

test('a personal link lets in and leaves the address; an invitation lost meanwhile loses nothing typed', async () => {
  const survey = await open('linked', { access: 'invited' })
  const [code = ''] = await codesFor(survey.id, 1)
  const { page, context, complaints } = await product.visit(site)
  await page.goto(address('linked'))
  await page.getByLabel('Code from your invitation').waitFor()
  await expectAccessible(page)
  await page.goto(`${address('linked')}?invitation=${code}`)
  await page.getByLabel('Which street?').fill('Elm')
  expect(new URL(page.url()).search).toBe('')
  const kept = (await context.cookies()).filter(({ name }) => name.startsWith('invitation_'))
  expect(kept).toMatchObject([{ httpOnly: true, sameSite: 'Lax' }])
  await context.clearCookies({ name: kept[0]?.name ?? '' })
  await send(page)
  await page.getByText('Your invitation is no longer valid').waitFor()
  expect(await page.getByLabel('Which street?').inputValue()).toBe('Elm')
  await context.addCookies(kept)
  await send(page)
  await page.waitForURL('**/receipt')
  await page.getByText('Send me the code by email').click()
  await expectAccessible(page)
  expect(await stored(survey.id)).toHaveLength(1)
  expect(complaints.filter((complaint) => !/status of 403/.test(complaint))).toEqual([])
})

test.each([
  ['group', 'This survey is for a group of people'],
  ['members', 'This survey is for members of the project'],
  ['confirmed', 'Confirm your email address to answer'],
] as const)('of a survey for %s it is said who may answer, and what to do', async (access, heading) => {
  await open(access, { access })
  const person = await addPerson(db.runtime, site, { confirmed: false })
  const { page } = await product.visit(site, { token: person.token })
  await page.goto(address(access))
  expect(await title(page)).toBe(heading)
  expect(await page.getByRole('main').getByRole('link').count()).toBeGreaterThan(0)
})

test.each([
  ['confirmed', false],
  ['members', true],
  ['group', false],
] as const)('a survey for %s is answered once by whom it is for, without JavaScript', async (access, ofProject) => {
  const person = await addPerson(db.runtime, site)
  const groupId = createId()
  await db.database.site(site.id).tx(async (tx) => {
    if (ofProject) await tx.insert(projectMembers).values({ siteId: site.id, projectId: project.id, userId: person.id })
    if (access !== 'group') return
    await tx.insert(peopleGroups).values({ siteId: site.id, id: groupId, name: 'Panel' })
    await tx.insert(peopleGroupMembers).values({ siteId: site.id, groupId, userId: person.id })
  })
  const survey = await open(`for-${access}`, { access, ...(access === 'group' ? { groupId } : {}) })
  const { page: visitor } = await product.visit(site, { javaScriptEnabled: false })
  await visitor.goto(address(`for-${access}`))
  await visitor.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor()
  const { page } = await product.visit(site, { token: person.token, javaScriptEnabled: false })
  await page.goto(address(`for-${access}`))
  await page.getByLabel('Which street?').fill('Elm')
  await send(page)
  await page.waitForURL('**/receipt')
  await page.goto(address(`for-${access}`))
  expect(await title(page)).toBe('You have already answered this survey')
  expect(await stored(survey.id)).toMatchObject([{ userId: person.id, answers: { name: 'Elm' } }])
})

test('where unusually many answer from one address, further ones are stored, and their receipts say that we will check them', async () => {
  const survey = await open('busy')
  const origin = product.at(site)
  const headers = { origin, host: new URL(origin).host, 'content-type': 'application/x-www-form-urlencoded' }
  const post = async (): Promise<number> => {
    const { status } = await sendRequest(product.port, address('busy'), headers, 'POST', 'q.name=Elm')
    // A busy machine asks to come again.
    return status === 503 ? post() : status
  }
  const sent = await Promise.all(Array.from({ length: 60 }, post))
  expect(new Set(sent)).toEqual(new Set([303]))
  const { page } = await product.visit(site)
  await page.goto(address('busy'))
  await page.getByLabel('Which street?').fill('Oak')
  await send(page)
  await page.waitForURL('**/receipt')
  await page.getByText('we will check yours before it counts').waitFor()
  const rows = await stored(survey.id)
  expect(rows).toHaveLength(61)
  expect(rows.filter(({ counted }) => !counted).map(({ answers }) => answers)).toEqual([{ name: 'Oak' }])
})

test('without JavaScript a receipt is mailed where that is wished, and answers are changed under the same code', async () => {
  const survey = await open('changed', { access: 'anyone_once' })
  const { page } = await product.visit(site, { javaScriptEnabled: false })
  await page.goto(address('changed'))
  await takePartBefore(page)
  await page.getByLabel('Which street?').fill('Elm')
  await send(page)
  await page.waitForURL('**/receipt')
  const code = await page.locator('.receipt-code code').textContent()
  await page.getByText('Send me the code by email').click()
  await page.getByLabel('Email address').fill('nobody')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await expect.poll(() => page.getByLabel('Email address').inputValue()).toBe('nobody')
  await page.getByText('Enter an email address, such as').waitFor()
  await page.getByLabel('Email address').fill('ana@example.org')
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByText('We have sent the code').waitFor()
  await page.getByRole('button', { name: 'Change my answers' }).click()
  await page.getByText('You are changing answers you have already sent').waitFor()
  expect(await page.getByLabel('Which street?').inputValue()).toBe('Elm')
  await page.getByLabel('Which street?').fill('Oak')
  expect((await stored(survey.id)).map(({ answers }) => answers)).toEqual([{ name: 'Elm' }])
  await send(page)
  await page.waitForURL('**/receipt')
  expect(await page.locator('.receipt-code code').textContent()).toBe(code)
  expect((await stored(survey.id)).map(({ answers }) => answers)).toEqual([{ name: 'Oak' }])
})

test('without JavaScript an account finds its answers again, changes them and takes them back', async () => {
  const survey = await open('mine', { changeable: true, access: 'signed_in' })
  const person = await addPerson(db.runtime, site)
  const { page } = await product.visit(site, { javaScriptEnabled: false, token: person.token })
  await page.goto(address('mine'))
  await page.getByLabel('Which street?').fill('Elm')
  await send(page)
  await page.waitForURL('**/receipt')
  await page.goto('/account')
  await page.getByRole('link', { name: 'See your answers' }).click()
  await page.getByRole('link', { name: 'Fern Street' }).click()
  await page.getByRole('heading', { level: 1, name: 'Fern Street' }).waitFor()
  expect(await page.locator('.answers').textContent()).toContain('Elm')
  await page.getByRole('button', { name: 'Change my answers' }).click()
  await page.getByLabel('Which street?').fill('Oak')
  await send(page)
  await page.waitForURL('**/account/answers/*')
  expect(await page.locator('.answers').textContent()).toContain('Oak')
  expect(await stored(survey.id)).toMatchObject([{ answers: { name: 'Oak' } }])
  await page.getByText('Withdraw my answers').click()
  await page.getByRole('button', { name: 'Delete my answers' }).click()
  await page.getByText('Your answers are withdrawn.').waitFor()
  await page.getByText('No answers yet').waitFor()
  expect(await stored(survey.id)).toMatchObject([{ answers: {} }])
})

test('the pages of own answers are accessible, and show an account nothing of another', async () => {
  await open('others', { access: 'signed_in' })
  const [person, other] = [await addPerson(db.runtime, site), await addPerson(db.runtime, site)]
  const { page } = await product.visit(site, { token: person.token, viewport: { width: 360, height: 900 } })
  await page.goto(address('others'))
  await page.getByLabel('Which street?').fill('Elm')
  await send(page)
  await page.waitForURL('**/receipt')
  for (const language of ['en', 'fr-CA', 'cy']) {
    await page.goto(`/${language}/account/answers`)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  }
  await page.goto('/account/answers')
  await page.getByRole('link', { name: 'Fern Street' }).click()
  await page.getByRole('heading', { level: 1, name: 'Fern Street' }).waitFor()
  await expectAccessible(page)
  const { page: elsewhere } = await product.visit(site, { token: other.token })
  expect((await elsewhere.goto(new URL(page.url()).pathname))?.status()).toBe(404)
})
