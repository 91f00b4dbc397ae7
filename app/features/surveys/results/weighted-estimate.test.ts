import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addCensus } from '#tests/factories/census.ts'
import { addPerson, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { submitResponse } from '../responses/submit-response.server.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import { estimateWeighted } from './weighted-estimate.server.ts'

let runtime: TestRuntime
let site: Site
let admin: Ctx
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  await addCensus(admin, 'home', { own: 500, rent: 500 })
  await addCensus(admin, 'empty', { own: 500, rent: 500, boat: 10 })
})

const choice = (id: string, options: string[], profile?: string) => ({
  id,
  type: 'one_choice' as const,
  title: inAllLanguages(`Question ${id}`),
  options: options.map((option) => ({ id: option, label: inAllLanguages(option) })),
  ...(profile && { profile }),
})
const define = (profile: string): Definition => ({
  schema: 1,
  pages: [{ id: 'p', questions: [choice('travel', ['bus', 'foot']), choice('lives', ['own', 'rent', 'no-answer'], profile)] }],
})

type Said = [travel: string, lives: string | undefined, people: number]
async function ask(said: readonly Said[], profile = 'home') {
  const project = await addProject(runtime, site)
  const survey = await addSurvey(runtime, site, { projectId: project.id, definition: define(profile) })
  for (const [travel, lives, people] of said)
    for (let person = 0; person < people; person++) {
      const answers = { travel: { choice: travel }, ...(lives && { lives: { choice: lives } }) }
      const ctx = createCtx(runtime, site, {})
      await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), {
        id: v7(),
        sendKey: 'k'.repeat(22),
        answers,
      })
    }
  return survey.id
}
const estimate = (survey: string, question = 'travel', ctx = admin) => estimateWeighted(ctx, { survey, question })

describe('a weighted estimate', () => {
  // 30 owners, of whom 20 walk, and 10 renters, who all take the bus. As many own as rent, so an owner counts 2/3 and a renter 2.
  test('makes those who answered like those who live here', async () => {
    const survey = await ask([
      ['bus', 'own', 10],
      ['foot', 'own', 20],
      ['bus', 'rent', 10],
    ])
    const result = await estimate(survey)
    if (!('estimate' in result)) throw new Error(result.refusal.reason)
    const [bus, foot] = result.estimate.options
    expect([bus?.label, bus?.plain, foot?.plain]).toEqual(['bus', 0.5, 0.5])
    expect(bus?.weighted).toBeCloseTo((10 * (2 / 3) + 10 * 2) / 40, 6)
    expect(foot?.weighted).toBeCloseTo((20 * (2 / 3)) / 40, 6)
    // (30 × 2/3 + 10 × 2)² ÷ (30 × 4/9 + 10 × 4) = 1600 ÷ 53.33 = 30.
    expect(result.estimate.effectivePeople).toBeCloseTo(30, 4)
    expect(result.estimate).toMatchObject({
      people: 40,
      cappedPeople: 0,
      by: [{ question: 'Question lives', source: 'Census table 7', year: 2021 }],
    })
    expect(bus?.from).toBeLessThan(bus?.weighted ?? 0)
    expect(bus?.until).toBeGreaterThan(bus?.weighted ?? 1)
  })

  test('keeps the share of people who preferred not to say or said nothing', async () => {
    const survey = await ask([
      ['bus', 'own', 10],
      ['foot', 'rent', 10],
      ['bus', 'no-answer', 5],
      ['foot', undefined, 5],
    ])
    const result = await estimate(survey)
    if (!('estimate' in result)) throw new Error(result.refusal.reason)
    expect(result.estimate.options.map(({ weighted }) => weighted)).toEqual([expect.closeTo(0.5, 6), expect.closeTo(0.5, 6)])
  })

  test('is refused with a reason', async () => {
    const nobody = await ask(
      [
        ['bus', 'own', 6],
        ['foot', 'rent', 6],
      ],
      'empty',
    )
    expect(await estimate(nobody)).toEqual({ refusal: { reason: 'no-people', question: 'Question lives', category: 'boat' } })
    const few = await ask([
      ['bus', 'own', 6],
      ['foot', 'rent', 4],
    ])
    expect(await estimate(few)).toEqual({ refusal: { reason: 'too-few' } })
    expect(await estimate(await ask([['bus', 'own', 6]], 'unknown'))).toEqual({ refusal: { reason: 'no-margins' } })
    await expect(estimate(few, 'nothing')).rejects.toMatchObject({ code: 'not-found' })
  })

  test('is for people who see exact numbers', async () => {
    const survey = await ask([['bus', 'own', 5]])
    const resident: SignedInViewer = await addPerson(runtime, site)
    await expect(estimate(survey, 'travel', createCtx(runtime, site, { viewer: resident }))).rejects.toMatchObject({
      code: expect.any(String) as string,
    })
  })
})
