import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createCtx } from '#app/server/context.ts'
import { withClient } from '#app/server/db/migrate.ts'
import { themeEvidence, themeReadings, themes } from '#app/server/db/schema/heard.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'

const MIGRATION = readFileSync(new URL('../../server/db/migrations/0990-themes-and-decisions.sql', import.meta.url), 'utf8')
const TAGS_BECOME_THEMES = MIGRATION.slice(MIGRATION.indexOf('-- Tags become themes'), MIGRATION.indexOf("call content_of('themes'"))

test('every tag of an answer is kept, as a theme of the project with the whole answer as its evidence', async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime, { slug: 'tagged' })
  const survey = await addSurvey(runtime, site)
  const ctx = createCtx(runtime, site)
  const answer = async (answers: Record<string, string>) => {
    const input = { id: v7(), sendKey: 'k'.repeat(22), answers }
    return (await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), input)).response.id
  }
  const [one, two] = [await answer({ name: 'Elm', ideas: 'Shade' }), await answer({ name: 'Oak', ideas: 'Seats' })]
  await withClient(runtime.ownerUrl, async (client) => {
    await client.query(`create table answer_tags (site_id uuid, survey_id uuid, question text, tag text, response_id uuid, created_by uuid,
      created_at timestamptz not null default now())`)
    for (const [question, tag, response] of [
      ['ideas', 'green', one],
      ['ideas', 'green', two],
      ['name', 'green', one],
      ['ideas', 'cheap', one],
    ])
      await client.query('insert into answer_tags values ($1, $2, $3, $4, $5)', [site.id, survey.id, question, tag, response])
    await client.query(TAGS_BECOME_THEMES)
  })
  const found = await ctx.db.read((tx) =>
    tx
      .select({ title: themes.title, response: themeEvidence.responseId, question: themeEvidence.question, state: themeEvidence.state })
      .from(themeEvidence)
      .innerJoin(themes, eq(themes.id, themeEvidence.themeId))
      .orderBy(themes.position, themeEvidence.question, themeEvidence.responseId),
  )
  const confirmed = { state: 'confirmed' as const }
  expect(found).toEqual(
    expect.arrayContaining([
      { title: { en: 'green' }, response: one, question: 'ideas', ...confirmed },
      { title: { en: 'green' }, response: two, question: 'ideas', ...confirmed },
      { title: { en: 'green' }, response: one, question: 'name', ...confirmed },
      { title: { en: 'cheap' }, response: one, question: 'ideas', ...confirmed },
    ]),
  )
  expect(found).toHaveLength(4)
  expect(await ctx.db.read((tx) => tx.select().from(themes))).toHaveLength(2)
  expect(await ctx.db.read((tx) => tx.select().from(themeReadings))).toHaveLength(3)
})
