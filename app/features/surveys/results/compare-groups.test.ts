import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addCensus, sayAboutPerson } from '#tests/factories/census.ts'
import { addPerson, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson as addTokenHolder } from '#tests/support/people.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { rebuildTallies } from '../responses/response-counts.server.ts'
import { compareGroups } from './compare-groups.server.ts'
import { type GroupComparison, parseGrouping } from './group-comparison.schema.ts'

const NOW = new Date('2026-05-04T12:00:00Z')
const items = (...ids: string[]) => ids.map((id) => ({ id, label: inAllLanguages(id) }))
const QUESTIONS: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p',
      questions: [
        { id: 'age', type: 'one_choice', title: inAllLanguages('Age'), ordered: true, options: items('young', 'middle', 'old', 'eldest') },
        { id: 'way', type: 'one_choice', title: inAllLanguages('Way'), options: items('bus', 'foot', 'boat') },
        { id: 'want', type: 'several_choices', title: inAllLanguages('Want'), options: items('trees', 'seats') },
        {
          id: 'rate',
          type: 'matrix_one',
          title: inAllLanguages('Rate'),
          rows: items('path', 'stop'),
          columns: items('good', 'bad'),
        },
      ],
    },
  ],
}

let runtime: TestRuntime
let site: Site
let ctx: Ctx
let survey: { id: string; projectId: string }

interface Said {
  age?: string
  way?: string
  want?: string[]
  rate?: Record<string, string[]>
}

const toAnswers = ({ age, way, want, rate }: Said): Answers => ({
  ...(age ? { age: { choice: age } } : {}),
  ...(way ? { way: { choice: way } } : {}),
  ...(want ? { want: { choices: want } } : {}),
  ...(rate ? { rate: { rows: rate } } : {}),
})

async function answer(surveyId: string, count: number, said: Said, more: Partial<typeof responses.$inferInsert> = {}) {
  await ctx.db.tx((tx) =>
    tx.insert(responses).values(
      Array.from({ length: count }, () => ({
        siteId: site.id,
        id: createId(),
        surveyId,
        version: 1,
        language: 'en' as const,
        answers: toAnswers(said),
        submittedAt: NOW,
        receiptHash: randomBytes(32),
        ...more,
      })),
    ),
  )
}

const recount = (surveyId: string) =>
  ctx.db.tx(async (tx) => {
    await tx.update(surveys).set({ responsesCount: 1000 }).where(eq(surveys.id, surveyId))
    await rebuildTallies(tx, site.id, surveyId)
  })

const compare = (
  by: string,
  { as = ctx, surveyId = survey.id, ...more }: { as?: Ctx; surveyId?: string; isForOthers?: boolean; from?: Date } = {},
) => {
  const grouping = parseGrouping(by)
  if (!grouping) throw new Error(`No grouping ${by}`)
  return compareGroups(as, { surveyId, by: grouping, ...more })
}
const question = ({ questions }: GroupComparison, id: string) => {
  const found = questions.find((each) => each.id === id)
  if (!found) throw new Error(`No question ${id}`)
  return found
}
const countsOf = (compared: GroupComparison, id: string) =>
  Object.fromEntries(
    question(compared, id).rows.map(({ value, cells }) => [value, Object.fromEntries(cells.map((cell) => [cell.value, cell.count]))]),
  )

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = await addSite(runtime)
  ctx = createCtx(runtime, site, { viewer: await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }) })
  survey = await addSurvey(runtime, site, { definition: QUESTIONS })
  await answer(survey.id, 60, { age: 'young', way: 'bus', want: ['trees', 'seats'], rate: { path: ['good'] } })
  await answer(survey.id, 20, { age: 'young', way: 'foot' })
  await answer(survey.id, 10, { age: 'old', way: 'bus', want: ['trees'] })
  await answer(survey.id, 40, { age: 'old', way: 'foot', rate: { path: ['bad'] } }, { source: 'paper', language: 'fr-CA' })
  await answer(survey.id, 3, { age: 'eldest', way: 'boat' })
  await answer(survey.id, 12, { age: 'middle', way: 'bus' })
  await answer(survey.id, 9, { way: 'foot' })
  await answer(survey.id, 4, { age: 'old', way: 'bus' }, { withdrawnAt: NOW })
  await recount(survey.id)
})

describe('groups side by side', () => {
  test('are counted from the rows, exactly for people who may see personal data', async () => {
    const compared = await compare('question:age')
    const { rows } = await ctx.db.read((tx) =>
      tx.execute<{ age: string; way: string; people: number }>(sql`
        select coalesce(answers->'age'->>'choice', '~') as age, answers->'way'->>'choice' as way, count(*)::int as people
        from responses where site_id = ${site.id} and survey_id = ${survey.id} and withdrawn_at is null group by 1, 2`),
    )
    const expected = (age: string, way: string) => rows.find((row) => row.age === age && row.way === way)?.people ?? 0
    const ways = question(compared, 'way').rows.map(({ value }) => value)
    expect(ways.toSorted()).toEqual(['boat', 'bus', 'foot'])
    for (const { value: way, cells } of question(compared, 'way').rows)
      for (const { value: age, count } of cells) expect([way, age, count]).toEqual([way, age, expected(age, way)])
    expect(compared.groups.map(({ id, people }) => [id, people])).toEqual([
      ['young', 80],
      ['middle', 12],
      ['old', 50],
      ['eldest', 3],
      ['~', 9],
    ])
    expect(compared).toMatchObject({ title: 'Age', isInFives: false, isFromAccounts: false, hidden: [] })
    expect(compared.questions.map(({ id }) => id)).toEqual(
      ['way', 'want', 'rate.path', 'rate.stop'].filter((id) => compared.questions.some((one) => one.id === id)),
    )
    expect(countsOf(compared, 'rate.path')).toMatchObject({ good: { young: 60, old: 0 }, bad: { young: 0, old: 40 } })
    expect(question(compared, 'want').isSeveral).toBe(true)
  })

  test('hide a group of three people in every question, and the smallest other one, which would give it away', async () => {
    const compared = await compare('question:age', { isForOthers: true })
    expect(compared.isInFives).toBe(true)
    expect(compared.groups.map(({ id, people }) => [id, people])).toEqual([
      ['young', 80],
      ['middle', 10],
      ['old', 50],
    ])
    // Three people and the nine in no group: all without the others is twelve people, never three.
    expect(compared.hidden).toEqual(['eldest', 'Others, or not said'])
    for (const { rows, answered } of compared.questions) {
      for (const cells of [answered, ...rows.map((row) => row.cells)])
        expect(cells.map(({ value }) => value)).toEqual(['young', 'middle', 'old'])
      for (const { count } of [answered, ...rows.map((row) => row.cells)].flat()) expect(count === null || count % 5 === 0).toBe(true)
    }
  })

  test('never leave a small number that could be found by subtraction', async () => {
    for (let round = 0; round < 6; round++) {
      const other = await addSurvey(runtime, site, { definition: QUESTIONS })
      const exact = new Map<string, number>()
      for (const [index, age] of ['young', 'middle', 'old', 'eldest', ''].entries())
        for (const [at, way] of ['bus', 'foot', 'boat'].entries()) {
          const people = ((round + 3) * (index + 2) * (at + 5) * 7) % (index === round % 5 ? 4 : 23)
          exact.set(`${age || '~'} ${way}`, people)
          if (people > 0) await answer(other.id, people, { ...(age ? { age } : {}), way })
        }
      await recount(other.id)
      const compared = await compare('question:age', { surveyId: other.id, isForOthers: true })
      const way = compared.questions.find(({ id }) => id === 'way')
      if (!way) continue
      for (const row of way.rows) {
        const all = ['young', 'middle', 'old', 'eldest', '~'].reduce((sum, age) => sum + (exact.get(`${age} ${row.value}`) ?? 0), 0)
        const seen = row.cells.filter(({ count }) => count !== null)
        for (const { value } of seen) expect(exact.get(`${value} ${row.value}`)).toBeGreaterThanOrEqual(5)
        const rest = all - seen.reduce((sum, { value }) => sum + (exact.get(`${value} ${row.value}`) ?? 0), 0)
        if (row.all !== null) expect(rest === 0 || rest >= 5).toBe(true)
      }
    }
  })

  test('say how two groups differ only if rounding cannot explain it', async () => {
    // 60 of 80 young people and 10 of 50 old ones came by bus; the middle group has fewer than 30 answers.
    expect(question(await compare('question:age'), 'way').finding).toBe('75% of “young” chose “bus”, and 20% of “old”.')
    const apart = await addSurvey(runtime, site, { definition: QUESTIONS })
    await answer(apart.id, 60, { age: 'young', way: 'bus' })
    await answer(apart.id, 20, { age: 'young', way: 'foot' })
    await answer(apart.id, 10, { age: 'old', way: 'bus' })
    await answer(apart.id, 40, { age: 'old', way: 'foot' })
    await recount(apart.id)
    const others = await compare('question:age', { surveyId: apart.id, isForOthers: true })
    expect(question(others, 'way').finding).toBe('About 75% of “young” chose “bus”, and about 20% of “old”.')
    const alike = await addSurvey(runtime, site, { definition: QUESTIONS })
    for (const age of ['young', 'old']) {
      await answer(alike.id, age === 'young' ? 31 : 29, { age, way: 'bus' })
      await answer(alike.id, 20, { age, way: 'foot' })
    }
    await recount(alike.id)
    expect(question(await compare('question:age', { surveyId: alike.id, isForOthers: true }), 'way').finding).toBeUndefined()
  })

  test('are of languages, channels and a period too', async () => {
    expect((await compare('language')).groups.map(({ id, people }) => [id, people])).toEqual([
      ['en', 114],
      ['fr-CA', 40],
    ])
    expect(countsOf(await compare('channel'), 'way')).toMatchObject({ foot: { web: 29, paper: 40 } })
    const later = await compare('language', { from: new Date(NOW.getTime() + 1000) })
    expect(later.groups).toEqual([])
    expect(later.questions).toEqual([])
  })

  test('by what people said in their account are never exact', async () => {
    const asked = await addCensus(ctx, 'home', { own: 600, rent: 300 })
    const own = await addSurvey(runtime, site, { definition: QUESTIONS })
    for (const [option, way, people] of [
      ['own', 'bus', 12],
      ['own', 'foot', 6],
      ['rent', 'bus', 7],
      ['', 'foot', 8],
    ] as const)
      for (let count = 0; count < people; count++) {
        const person = await addPerson(runtime, site)
        await answer(own.id, 1, { way }, { userId: person.id })
        if (option) await sayAboutPerson(ctx, asked, person.id, option)
      }
    await recount(own.id)
    const compared = await compare('profile:home', { surveyId: own.id })
    expect(compared).toMatchObject({ isFromAccounts: true, isInFives: true })
    expect(compared.groups.map(({ id, people }) => [id, people])).toEqual([
      ['own', 20],
      ['rent', 5],
      ['~', 10],
    ])
    await expect(compare('profile:nothing', { surveyId: own.id })).rejects.toMatchObject({ code: 'invalid-parameter' })
    await expect(compare('question:want')).rejects.toMatchObject({ code: 'invalid-parameter' })
  })

  test('are in the API for people who may see answers, in fives without personal data', async () => {
    const inProject = await addTokenHolder(runtime, site, { role: 'project_admin', projectId: survey.projectId })
    const path = `/survey-comparisons?filter[survey]=${survey.id}&filter[by]=question:age`
    const { body, status } = await createApiClient(runtime, site, inProject.token).get(path)
    expect(status).toBe(200)
    expect(body).toMatchObject({ data: [{ attributes: { title: 'Age', isInFives: true } }] })
    const elsewhere = await addTokenHolder(runtime, site, { role: 'project_admin', projectId: (await addSurvey(runtime, site)).projectId })
    expect((await createApiClient(runtime, site, elsewhere.token).get(path)).status).toBe(403)
    expect(
      (await createApiClient(runtime, site, inProject.token).get(`/survey-comparisons?filter[survey]=${survey.id}&filter[by]=way`)).status,
    ).toBe(400)
  })
})
