import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { addProject, addSurvey, EVERY_TYPE, POLL } from '#tests/factories/surveys.ts'
import { type Account, addAccount, requireItem, requireItems } from '#tests/support/accounts.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'

let runtime: TestRuntime
let site: Site
let admin: Account
let other: Account
let id: string

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addAccount(runtime, site, { role: 'site_admin' })
  const { id: projectId } = await addProject(runtime, site, { slug: 'bridge' })
  ;({ id } = await addSurvey(runtime, site, { projectId, definition: POLL }))
  const { id: second } = await addProject(runtime, site)
  other = await addAccount(runtime, site, { role: 'project_admin', projectId: second })
})

const open = (who: Account) => createApiClient(runtime, site, who.token)
const readOne = async (who: Account) => requireItem(await open(who).get(`/surveys/${id}`)).attributes
const readListed = async (who: Account) => requireItems(await open(who).get('/surveys')).find((survey) => survey.id === id)?.attributes
const store = (definition: unknown) =>
  runtime.database.site(site.id).tx((tx) => tx.update(surveys).set({ definition }).where(eq(surveys.id, id)))

test('a changed definition is shown at once, in lists and by itself, whatever changed it', async () => {
  for (const definition of [POLL, EVERY_TYPE, POLL]) {
    await store(definition)
    for (let count = 0; count < 2; count++) {
      expect((await readOne(admin))['definition']).toEqual(definition)
      expect((await readListed(admin))?.['definition']).toEqual(definition)
    }
  }
})

test('whether it has changes is compared with what is published', async () => {
  await store(POLL)
  expect((await readListed(admin))?.['hasChanges']).toBe(false)
  await store(EVERY_TYPE)
  expect((await readListed(admin))?.['hasChanges']).toBe(true)
})

test('a definition is read once for each change', async () => {
  // The site itself is read again once a second.
  const countStatements = async () =>
    (await recordDatabaseUse(runtime, () => readListed(admin))).statements.filter((text) => !/from "?sites"?\b/.test(text)).length
  await store(POLL)
  await readListed(admin)
  const known = await countStatements()
  await store({ ...POLL, pages: [{ ...POLL.pages[0], id: `renamed${Math.floor(performance.now())}` }] })
  expect([await countStatements(), await countStatements()]).toEqual([known + 1, known])
})

test('who may not edit a survey is shown no definition, even if it is remembered', async () => {
  await readOne(admin)
  expect(await readOne(other)).not.toHaveProperty('definition')
  expect(await readListed(other)).not.toHaveProperty('definition')
})
