import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import { peopleGroupMembers, peopleGroups } from '#app/server/db/schema/accounts.ts'
import { profileQuestions } from '#app/server/db/schema/profile.ts'
import { projectMembers } from '#app/server/db/schema/projects.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { chooseRecord } from '#tests/support/choose-record.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { expectAccessible } from '#tests/support/browser.ts'
import { addSite } from '#tests/support/database.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

const { db, product } = useSharedProduct()
const SWIMMING: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        {
          id: 'stroke',
          type: 'one_choice',
          title: { en: 'How do you swim?' },
          options: [
            { id: 'crawl', label: { en: 'Crawl' } },
            { id: 'breast', label: { en: 'Breaststroke' } },
          ],
        },
      ],
    },
  ],
}
let site: Site
let admin: Person

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'crowded', languages: ['en'] })
  admin = await addPerson(db.runtime, site, { role: 'site_admin' })
})

const openAdmin = async (path: string) => {
  const { page, complaints } = await product.visit(site, { token: admin.token })
  await page.goto(path)
  return { page, complaints }
}

async function createGroup(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New group or tag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page
    .getByRole('cell', { name, exact: true })
    .or(page.getByRole('rowheader', { name, exact: true }))
    .first()
    .waitFor()
}

test('contacts come from a CSV file with their consent, after a report that names each row, and join a group', async () => {
  const { page, complaints } = await openAdmin('/admin/people')
  await page.getByRole('link', { name: 'Groups and tags' }).click()
  await createGroup(page, 'Spring fair')
  await page.goto('/admin/people')
  await page.getByRole('link', { name: 'Import contacts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Import contacts' }).waitFor()

  // Nothing chosen, then a file whose second row is wrong.
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByRole('alert').getByText('Choose a file.').waitFor()
  const choose = (text: string) =>
    page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('name,telephone\nFlo,555\n')
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByRole('alert').getByText('The first row has no column named “email”.').waitFor()
  await choose('email,name,consent\nflo@example.org,Flo Roy,yes\nnot an address,Gil,no\n')
  await page.getByLabel('How and when they agreed').fill('Form at the spring fair, 12 April 2026')
  await chooseRecord(page, 'Add everyone in the file to a group', 'Spring fair')
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByText('1 row to correct · 1 new person').waitFor()
  await page.getByText('Nothing has been imported.').first().waitFor()
  expect(
    await page
      .getByRole('button', { name: 'Import', exact: true })
      .isEnabled()
      .catch(() => false),
  ).toBe(false)
  expect(await page.getByLabel('How and when they agreed').inputValue()).toBe('Form at the spring fair, 12 April 2026')
  await expectAccessible(page)

  await choose('email,name,consent\nflo@example.org,Flo Roy,yes\ngil@example.org,Gil Ames,no\nflo@example.org,Flo,yes\n')
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByText('2 new people · 1 repeated row').waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('2 people imported').waitFor()
  const flo = page.getByRole('row').filter({ hasText: 'flo@example.org' }).first()
  await flo.getByText('Agreed').waitFor()
  await page.getByRole('link', { name: 'See everyone' }).click()
  await page.getByRole('link', { name: 'Gil Ames' }).click()
  await page.getByText('Spring fair').first().waitFor()
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([])
})

test('a column of the file answers a question about people once somebody says so, and wrong rows are left out on request', async () => {
  await db.runtime.database.site(site.id).tx((tx) =>
    tx.insert(profileQuestions).values({
      siteId: site.id,
      id: createId(),
      key: 'sport',
      type: 'one-choice',
      label: { en: 'Your sport' },
      purpose: { en: 'to plan halls.' },
      options: ['rowing', 'judo'].map((id) => ({ id, label: { en: id } })),
      askedAt: 'account-only',
      retentionMonths: 12,
      status: 'live',
    }),
  )
  const { page, complaints } = await openAdmin('/admin/people/import')
  const text = 'email,name,what they do\njude@example.org,Jude Orr,Judo\nkit@example.org,Kit Lee,chess\n'
  await page.locator('input[type=file]').setInputFiles({ name: 'sport.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Check the file' }).click()
  await page.getByText('2 new people').waitFor()
  await page.getByLabel('Holds: what they do').selectOption({ label: 'Your sport' })
  await page.getByText('1 row to correct · 1 new person').waitFor()
  await page.getByText('to plan halls. · Kept for 12 months').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Leave out 1 row that needs correcting').check()
  const store = page.getByRole('button', { name: 'Import', exact: true })
  await store.click()
  await page.getByRole('alert').getByText('Say how these people agreed').waitFor()
  expect(await page.getByLabel('Holds: what they do').inputValue()).toBe('sport')
  await page.getByLabel('How they agreed that these answers are kept').fill('Form of the sports club, 3 March 2026')
  await store.click()
  await page.getByText('1 person imported').waitFor()
  await page.getByText('1 answer imported.').waitFor()
  await page.getByRole('link', { name: 'See everyone' }).click()
  await page.getByRole('link', { name: 'Jude Orr' }).click()
  await page.getByText('Imported ·').waitFor()
  expect(await page.getByText('judo', { exact: true }).count()).toBe(1)
  expect(complaints.filter((one) => !one.includes('status of 422'))).toEqual([])
})

test('the team notes something about a person by keys, and reads in one list what the person did', async () => {
  const person = await addPerson(db.runtime, site, { login: 'Eve Ford' })
  const projects = await Promise.all(['Old mill', 'New quay'].map((en) => addProject(db.runtime, site, { title: { en } })))
  await db.runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(projectFollows).values(projects.map(({ id }) => ({ siteId: site.id, projectId: id, userId: person.id }))))
  const { page, complaints } = await openAdmin(`/admin/people/${person.id}`)
  await page.getByLabel('New note').focus()
  await page.keyboard.type('Prefers to be rung in the evening.')
  await page.getByLabel('Who reads it').selectOption('Site administrators and its author')
  await page.getByRole('button', { name: 'Add the note' }).press('Enter')
  const note = page.getByRole('listitem').filter({ hasText: 'Prefers to be rung' })
  await note.getByText('Site administrators and its author').waitFor()
  await expect.poll(() => page.getByLabel('New note').inputValue()).toBe('')
  await note.getByRole('button', { name: /^Edit/ }).press('Enter')
  await page.getByLabel('Note', { exact: true }).fill('Prefers letters.')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByText('Prefers letters.').waitFor()
  await expectAccessible(page)

  const table = page.getByRole('table', { name: 'What they did and were sent' })
  await table.getByRole('link', { name: 'Old mill' }).waitFor()
  await table.getByText('Joined').waitFor()
  await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('Follows the project')
  await expect.poll(() => table.getByText('Joined').count()).toBe(0)
  expect(new URL(page.url()).searchParams.get('kind')).toBe('follows')
  await table.getByRole('link', { name: 'New quay' }).click()
  await page.waitForURL(`**/admin/projects/${projects[1]?.id}**`)
  await page.goBack()
  await page.getByText('Prefers letters.').waitFor()
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => page.getByText('Prefers letters.').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('many people are added to a group at once; a rule on a project and an answer can be read and changed', async () => {
  const project = await addProject(db.runtime, site, { title: { en: 'The new pool' } })
  await addSurvey(db.runtime, site, { projectId: project.id, title: { en: 'How do you swim' }, definition: SWIMMING })
  for (const login of ['Ada Bell', 'Ben Cole', 'Cay Dunn']) await addPerson(db.runtime, site, { login })
  const { page, complaints } = await openAdmin('/admin/people/groups')
  await createGroup(page, 'Swimmers')
  await page.goto('/admin/people')
  for (const name of ['Ada Bell', 'Cay Dunn']) await page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true })
  await page.getByRole('button', { name: 'Actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Add to a group or tag…' }).click()
  const asking = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await chooseRecord(asking, 'Group', 'Swimmers')
  await asking.getByRole('button', { name: 'Add', exact: true }).click()
  await page
    .getByText(/^Added: /)
    .first()
    .waitFor()
  for (const [name, count] of [
    ['Ada Bell', 1],
    ['Ben Cole', 0],
  ] as const) {
    await page.goto('/admin/people')
    await page.getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Swimmers' }).count()).toBe(count)
  }

  await page.goto('/admin/people/groups')
  await page.getByRole('button', { name: 'New group or tag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Those who crawl')
  await dialog.getByLabel('How people are added').selectOption({ label: 'By a rule' })
  await chooseRecord(dialog, 'Took part in this project', 'The new pool')
  await chooseRecord(dialog, 'Answered this survey', 'How do you swim')
  await dialog.getByLabel('And gave this answer').selectOption({ label: 'How do you swim?: Crawl' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Those who crawl' })
  await row.getByRole('cell', { name: 'By a rule' }).waitFor()
  await row.getByRole('button', { name: /See and change the rule/ }).click()
  const readChosen = (label: string) =>
    dialog.getByLabel(label).evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text)
  await expect.poll(() => readChosen('And gave this answer')).toBe('How do you swim?: Crawl')
  await dialog.getByRole('button', { name: 'Took part in this project The new pool' }).waitFor()
  await dialog.getByLabel('And gave this answer').selectOption({ label: 'How do you swim?: Breaststroke' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.getByRole('button', { name: /See and change the rule/ }).click()
  await expect.poll(() => readChosen('And gave this answer')).toBe('How do you swim?: Breaststroke')
  expect(complaints).toEqual([])
})

test('people chosen in the list are invited to a project, each told once, and downloaded', async () => {
  const project = await addProject(db.runtime, site, { title: { en: 'The closed circle' } })
  const [first, second] = [
    await addPerson(db.runtime, site, { login: 'Eve Fox', email: 'eve.fox@example.org' }),
    await addPerson(db.runtime, site, { login: 'Fay Gray', email: 'fay.gray@example.org' }),
  ]
  const { page, complaints } = await openAdmin('/admin/people')
  const choose = async (action: string) => {
    for (const name of ['Eve Fox', 'Fay Gray']) await page.getByRole('checkbox', { name: `Select ${name}` }).check({ force: true })
    await page.getByRole('button', { name: 'Actions' }).first().click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Invite to a project…')
  const asking = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await chooseRecord(asking, 'Project', 'The closed circle')
  await expectAccessible(page)
  await asking.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByText('Invited: 2 people').first().waitFor()
  const members = () =>
    db.runtime.database.site(site.id).tx((tx) => tx.select().from(projectMembers).where(eq(projectMembers.projectId, project.id)))
  expect((await members()).map(({ userId }) => userId).toSorted()).toEqual([first.id, second.id].toSorted())

  await page.goto('/admin/people')
  await choose('Download the chosen people…')
  await page.getByLabel('Reason').fill('To write to them')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
  const [, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
  expect(lines.map((line) => line.split(',')[0]).toSorted()).toEqual([first.id, second.id].toSorted())
  expect(complaints).toEqual([])
})

test('which columns the list of people has is chosen and kept with a view, and the file has the same', async () => {
  const place = await addSite(db.runtime, { slug: 'columns', languages: ['en'] })
  const officer = await addPerson(db.runtime, place, { role: 'site_admin' })
  const ada = await addPerson(db.runtime, place, { login: 'Ada Bell' })
  await db.runtime.database.site(place.id).tx(async (tx) => {
    const groupId = createId()
    await tx.insert(peopleGroups).values({ siteId: place.id, id: groupId, hubId: null, name: 'Rowers', createdAt: new Date() })
    await tx.insert(peopleGroupMembers).values({ siteId: place.id, groupId, userId: ada.id })
    await tx.insert(profileQuestions).values({
      siteId: place.id,
      id: createId(),
      key: 'age-band_2',
      type: 'one-choice',
      label: { en: 'Your age' },
      purpose: { en: 'to plan.' },
      options: ['young', 'old'].map((id) => ({ id, label: { en: id } })),
      askedAt: 'account-only',
      retentionMonths: 12,
      status: 'live',
    })
  })
  const { page, complaints } = await product.visit(place, { token: officer.token })
  await page.goto('/admin/people')
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await head('Your age').waitFor()
  expect(await head('Groups and tags').count()).toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Groups and tags' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Projects taken part in' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Your age' }).click()
  await page.keyboard.press('Escape')
  await head('Your age').waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: 'Ada Bell' }).getByText('Rowers', { exact: true }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Ada Bell' }).getByRole('cell', { name: '0', exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save this view…' }).click()
  await page.getByLabel('Name of the view').fill('By group')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.goto('/admin/people')
  await head('Your age').waitFor()
  await page.getByRole('link', { name: 'By group' }).click()
  await head('Groups and tags').waitFor()
  expect(await head('Your age').count()).toBe(0)
  const href = (await page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href')) ?? ''
  // By the browser: not every system resolves names below localhost.
  const text = await page.evaluate(async (path) => (await fetch(path)).text(), `${href}&reason=A+test`)
  const [heads = '', ...lines] = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  expect(heads).toBe('id,login,email,role,status,joined,last_seen,groups,projects')
  expect(lines.find((line) => line.includes('Ada Bell'))).toMatch(/,Rowers,0$/)
  expect(complaints).toEqual([])
})

test('everything the site holds about somebody is downloaded from their page', async () => {
  const person = await addPerson(db.runtime, site, { login: 'Dee Eden', email: 'dee.eden@example.org' })
  const { page, complaints } = await openAdmin(`/admin/people/${person.id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Download their data' }).press('Enter')
  await page.getByLabel('Reason').fill('Dee Eden asked for it')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
  expect(await readFile(await download.path(), 'utf8')).toContain('"dee.eden@example.org"')
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Dee Eden' }).waitFor()
  expect(complaints).toEqual([])
})

test('a token for a program is shown once, opens what its scopes name, and nothing once it is revoked', async () => {
  const { page, complaints } = await openAdmin('/admin/api-tokens')
  const make = page.getByRole('button', { name: 'Make the token' })
  await page.getByLabel('Name').fill('Open data export')
  await expect.poll(() => make.isDisabled()).toBe(true)
  await page.getByLabel('Projects and pages').selectOption({ label: 'Read' })
  await make.click()
  await page.getByText('Copy it now. You cannot see it again.').waitFor()
  const token = (await page.locator('code.hook-address').first().textContent()) ?? ''
  await expectAccessible(page)
  const ask = (path: string) => product.read(site, `/api/v2${path}`, { 'x-api-token': `Bearer ${token}` }).then(({ status }) => status)
  expect(await ask('/projects')).toBe(200)
  expect(await ask('/users')).toBe(403)
  await page.reload()
  await page
    .getByRole('cell', { name: 'Open data export' })
    .or(page.getByRole('rowheader', { name: 'Open data export' }))
    .first()
    .waitFor()
  expect(await page.locator('#main').innerText()).not.toContain(token)
  await page.getByRole('button', { name: /Revoke/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Revoked').filter({ visible: true }).first().waitFor()
  expect(await ask('/projects')).toBe(401)
  expect(complaints).toEqual([])
})
