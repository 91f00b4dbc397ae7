import { readFileSync } from 'node:fs'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { withClient } from '#app/server/db/migrate.ts'
import { surveyRevisions, surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import { addPerson, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import type { Definition } from '../surveys.schema.ts'
import { updateSurvey } from './editing.server.ts'
import { loadSurveyRevisions } from './survey-revisions.server.ts'

const BACKFILL = readFileSync(new URL('../../../server/db/migrations/0817-survey-revisions.sql', import.meta.url), 'utf8').replace(
  /^.*?(?=-- Versions published before)/s,
  '',
)

let runtime: TestRuntime
let ctx: Ctx
beforeAll(async () => {
  runtime = await createTestRuntime()
  const site = await addSite(runtime)
  ctx = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
})

const ask = (...ids: string[]): Definition => ({
  schema: 1,
  pages: [{ id: 'p', questions: ids.map((id) => ({ id, type: 'short_text', title: inAllLanguages(id) })) }],
})

/** The definitions in a survey's history, with the numbers of versions. */
async function readHistory(surveyId: string): Promise<{ version: number | null; definition: Definition | undefined }[]> {
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ id: surveyRevisions.id })
      .from(surveyRevisions)
      .where(and(eq(surveyRevisions.siteId, ctx.site.id), eq(surveyRevisions.placeId, surveyId))),
  )
  const revisions = await loadSurveyRevisions(
    ctx,
    rows.map(({ id }) => id),
  )
  return revisions.map(({ version, definition }) => ({ version, definition }))
}

test('versions published before there was a history are in it, and a draft that differs from them is kept when it is saved over', async () => {
  const unchanged = await addSurvey(runtime, ctx.site, { definition: ask('one') })
  const changed = await addSurvey(runtime, ctx.site, { definition: ask('one') })
  const other = await addSurvey(runtime, ctx.site, { definition: ask('other') })
  await ctx.db.tx(async (tx) => {
    await tx.insert(surveyVersions).values({ siteId: ctx.site.id, surveyId: changed.id, number: 2, definition: ask('two') })
    await tx
      .update(surveys)
      .set({ publishedVersion: 2, definition: ask('draft') })
      .where(eq(surveys.id, changed.id))
  })
  await withClient(runtime.ownerUrl, (client) => client.query(BACKFILL))
  for (const { id } of [unchanged, changed]) await updateSurvey(ctx, id, { definition: ask('new') }, 1)

  const isIn = (history: object[], expected: object[]) => {
    expect(history).toHaveLength(expected.length)
    expect(history).toEqual(expect.arrayContaining(expected))
  }
  const saved = { version: null, definition: ask('new') }
  isIn(await readHistory(unchanged.id), [{ version: 1, definition: ask('one') }, saved])
  isIn(await readHistory(changed.id), [
    { version: 1, definition: ask('one') },
    { version: 2, definition: ask('two') },
    { version: null, definition: ask('draft') },
    saved,
  ])
  isIn(await readHistory(other.id), [{ version: 1, definition: ask('other') }])
})
