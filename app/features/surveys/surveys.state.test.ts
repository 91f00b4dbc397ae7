import { and, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lookUpSurveyTeaser } from '#app/features/homepage/blocks/survey-teaser/survey-teaser.lookup.server.ts'
import { selectCards } from '#app/features/projects/project-cards.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { PROJECT_STATUSES } from '#app/lib/vocabulary/projects.ts'
import { SURVEY_STATUSES } from '#app/lib/vocabulary/surveys.ts'
import { createCtx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { getSurveyForAnswering } from './surveys.server.ts'
import { isClosedSql, isOpenSql, getSurveyState, getAnsweringTimes } from './surveys.state.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const [BEFORE, LATER] = [new Date(NOON.getTime() - 3_600_000), new Date(NOON.getTime() + 3_600_000)]
const always = { status: 'published', opensAt: null, closesAt: null }

test.each<[string, object, object, string]>([
  ['no times', {}, {}, 'open'],
  ['a project that opens later', {}, { opensAt: LATER }, 'scheduled'],
  ['a project that has closed', {}, { closesAt: BEFORE }, 'closed'],
  ['a project that closes now', {}, { closesAt: NOON }, 'closed'],
  ['a project that opens now', {}, { opensAt: NOON }, 'open'],
  ['times of its own inside those of its project', { opensAt: BEFORE, closesAt: LATER }, { opensAt: BEFORE, closesAt: LATER }, 'open'],
  ['times of its own that outlast its project', { closesAt: LATER }, { closesAt: BEFORE }, 'closed'],
  ['times of its own that begin before its project', { opensAt: BEFORE }, { opensAt: LATER }, 'scheduled'],
  ['an archived project', {}, { status: 'archived' }, 'closed'],
  ['a project in draft', {}, { status: 'draft' }, 'preview'],
  ['a project in review', {}, { status: 'in_review' }, 'preview'],
  ['a project that is to be published', {}, { status: 'scheduled' }, 'preview'],
  ['a draft in a project that has closed', { status: 'draft' }, { closesAt: BEFORE }, 'preview'],
])('a survey with %s', (_what, survey, project, state) => {
  expect(getSurveyState(NOON, { survey: { ...always, ...survey }, project: { ...always, ...project } })).toBe(state)
})

test('accepts answers from the later opening time to the earlier closing time', () => {
  const placed = { survey: { ...always, opensAt: BEFORE, closesAt: LATER }, project: { ...always, opensAt: NOON } }
  expect(getAnsweringTimes(placed)).toEqual({ opensAt: NOON, closesAt: LATER })
})

test('the SQL conditions find the same surveys open and closed', async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  const times = [
    { opensAt: null, closesAt: null },
    { opensAt: LATER, closesAt: null },
    { opensAt: BEFORE, closesAt: LATER },
    { opensAt: null, closesAt: BEFORE },
    { opensAt: NOON, closesAt: null },
    { opensAt: null, closesAt: NOON },
  ]
  const expected = { open: new Set<string>(), closed: new Set<string>(), rest: new Set<string>() }
  for (const status of PROJECT_STATUSES)
    for (const projectTimes of times) {
      const project = await addProject(runtime, site, { status, ...projectTimes })
      for (const surveyStatus of SURVEY_STATUSES)
        for (const surveyTimes of times) {
          const placed = { survey: { status: surveyStatus, ...surveyTimes }, project: { status, ...projectTimes } }
          const { id } = await addSurvey(runtime, site, { projectId: project.id, ...placed.survey })
          const state = getSurveyState(NOON, placed)
          expected[state === 'open' || state === 'closed' ? state : 'rest'].add(id)
        }
    }
  const find = (where: ReturnType<typeof isOpenSql>) =>
    createCtx(runtime, site).db.tx(async (tx) => {
      const rows = await tx
        .select({ id: surveys.id })
        .from(surveys)
        .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
        .where(and(inArray(surveys.siteId, [site.id]), where))
      return new Set(rows.map(({ id }) => id))
    })
  expect(await find(isOpenSql(NOON))).toEqual(expected.open)
  expect(await find(isClosedSql(NOON))).toEqual(expected.closed)
  expect(Math.min(expected.open.size, expected.closed.size, expected.rest.size)).toBeGreaterThan(5)
})

test('other features show a survey as closed when its project closes', async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  runtime.setNow(NOON)
  const ctx = createCtx(runtime, site)
  const project = await addProject(runtime, site, { slug: 'fern', closesAt: LATER })
  const survey = await addSurvey(runtime, site, { projectId: project.id, minutes: 5, closesAt: new Date(LATER.getTime() + 86_400_000) })
  const shown = async () => {
    const teaser = await lookUpSurveyTeaser(ctx, { id: 'b', type: 'survey_teaser', surveyId: survey.id, title: {}, text: {} })
    const { surveys: cards } = await getProject(ctx, { slug: 'fern' })
    const invited = await ctx.db.tx((tx) => selectCards(tx, ctx.now()))
    return {
      teaser: teaser.survey?.isOpen,
      card: [cards[0]?.open, cards[0]?.closesAt],
      minutes: invited[0]?.minutes,
      page: (await getSurveyForAnswering(ctx, { project: 'fern', survey: survey.slug })).survey.state,
    }
  }
  const closesAt = LATER.toISOString()
  expect(await shown()).toEqual({ teaser: true, card: [true, closesAt], minutes: 5, page: 'open' })
  runtime.setNow(LATER)
  expect(await shown()).toEqual({ teaser: false, card: [false, closesAt], minutes: null, page: 'closed' })
})
