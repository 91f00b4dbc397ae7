import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_JARGON } from '#app/lib/plain-words/default-jargon.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let other: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'dyffryn', languages: ['cy', 'en'] })
  other = await addSite(runtime, { slug: 'harbour', languages: ['cy'] })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person?: Person, of = site) => createApiClient(runtime, of, person?.token)
interface Found {
  id: string
  attributes: { language: string; entries: string[] }
  meta: { lockVersion: number; can: { update: boolean } }
}
const readLists = async (person?: Person, of = site) => ((await api(person, of).get('/jargon-lists')).body?.data ?? []) as Found[]
const findList = async (language: string): Promise<Found> => {
  const found = (await readLists(admin)).find(({ attributes }) => attributes.language === language)
  if (!found) throw new Error(`There is no list in ${language}`)
  return found
}
async function change(language: string, entries: string[], person = admin, lockVersion?: number) {
  const list = await findList(language)
  const document = buildResourceDocument('jargon-lists', { entries }, { id: list.id, lockVersion: lockVersion ?? list.meta.lockVersion })
  return api(person).patch(`/jargon-lists/${list.id}`, document)
}

describe('lists of jargon', () => {
  test('start with default words in each language of the site', async () => {
    const lists = await readLists(admin)
    expect(lists.map(({ attributes }) => attributes)).toEqual([
      { language: 'cy', entries: DEFAULT_JARGON.cy },
      { language: 'en', entries: DEFAULT_JARGON.en },
    ])
  })

  test('are read by everyone with a role and by nobody else, and changed by site administrators only', async () => {
    const { id: projectId } = await addProject(runtime, site)
    const editor = await addPerson(runtime, site, { role: 'project_admin', projectId })
    const resident = await addPerson(runtime, site)
    expect((await readLists(editor)).map(({ meta }) => meta.can.update)).toEqual([false, false])
    expect([await readLists(), await readLists(resident)]).toEqual([[], []])
    expect((await change('cy', ['gair'], editor)).status).toBe(403)
  })

  test('keep each entry once, for this site only, with a trace in the audit log', async () => {
    const saved = await change('cy', ['  Gair   mawr ', 'gair mawr', 'ymadrodd'])
    expect([saved.status, (await findList('cy')).attributes.entries]).toEqual([200, ['Gair mawr', 'ymadrodd']])
    const elsewhere = await addPerson(runtime, other, { role: 'site_admin' })
    expect((await readLists(elsewhere, other)).map(({ attributes }) => attributes.entries)).toEqual([DEFAULT_JARGON.cy])
    const { id } = await findList('cy')
    const ctx = createCtx(runtime, site, { viewer: VISITOR, language: 'en' })
    const events = await ctx.db.read((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, id)))
    expect(events.map(({ action, detail }) => [action, detail])).toEqual([
      ['jargon-lists.update', expect.objectContaining({ language: 'cy', entries: 2 })],
    ])
  })

  test('are changed by one person at a time', async () => {
    const { meta } = await findList('en')
    const first = await change('en', ['synergy'], admin, meta.lockVersion)
    const second = await change('en', ['paradigm'], admin, meta.lockVersion)
    expect([first.status, second.status, second.codes]).toEqual([200, 409, ['stale']])
  })

  test('say what is wrong with an entry', async () => {
    for (const [entries, code] of [
      [['a'], 'too-short'],
      [['…'], 'too-short'],
      [['x'.repeat(61)], 'too-long'],
      [Array.from({ length: 501 }, (_, at) => `word${at}`), 'too-many'],
    ] as const) {
      const refused = await change('en', [...entries])
      expect([refused.status, refused.codes, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, [code], '/data/attributes/entries'])
    }
  })
})
