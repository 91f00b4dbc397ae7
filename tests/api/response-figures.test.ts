import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { v7 } from 'uuid'
import { eraseAccount } from '#app/features/people/own-data.server.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { countResponses } from '#app/features/dashboard/count-responses.server.ts'
import { readDashboard } from '#app/features/dashboard/dashboard.server.ts'
import { checkFigures, recountSite } from '#app/features/dashboard/recount-responses.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { readReach } from '#app/features/reach/reach.server.ts'
import { rollUpReach } from '#app/features/reach/roll-up.server.ts'
import { deleteSurvey } from '#app/features/surveys/managing/editing.server.ts'
import { startChange, submitChange } from '#app/features/surveys/responses/edit-response.server.ts'
import { storeTogether } from '#app/features/surveys/responses/intake.server.ts'
import { eraseResponse, withdrawContribution } from '#app/features/surveys/responses/receipts.server.ts'
import { listResponses } from '#app/features/surveys/responses/response-list.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { topics } from '#app/server/db/schema/projects.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { buildAdministrator } from '#tests/support/people.ts'

const ACTS = 400
const COMPARE_EVERY = 10
const START = Date.parse('2026-03-05T21:00:00Z')
const TIME_ZONES = ['America/Toronto', 'Pacific/Apia', 'Asia/Kolkata', 'America/St_Johns']

let runtime: TestRuntime
let site: Site
let owner: Account
const hubIds: string[] = []
const topicIds: string[] = []
const projectIds: string[] = []
const surveyIds: string[] = []
let people: Account[] = []
let clock = START

/** Pseudo-random, so that a failure can be repeated with the seed in its message. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
const SEED = Number(process.env['FIGURES_SEED'] ?? 20_261_123)
const random = createRandom(SEED)
const pickOne = <T>(list: readonly T[]): T => {
  const found = list[Math.floor(random() * list.length)]
  if (found === undefined) throw new Error('Nothing to pick from')
  return found
}

const moveClock = (ms: number) => runtime.setNow(new Date((clock += ms)))
const selectRows = async <Row extends Record<string, unknown>>(query: ReturnType<typeof sql>) =>
  runtime.database.site(site.id).tx(async (tx) => (await tx.execute<Row>(query)).rows)

async function findOpenResponse(): Promise<{ id: string; user_id: string } | undefined> {
  const rows = await selectRows<{ id: string; user_id: string }>(
    sql`select id, user_id from responses where withdrawn_at is null and user_id is not null order by id`,
  )
  return rows.length ? pickOne(rows) : undefined
}

const findAccount = (id: string) => people.find((person) => person.id === id)

function send(ctx: Ctx) {
  const surveyId = pickOne(surveyIds)
  return submitResponse(ctx, (tx: Tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), {
    id: v7({ msecs: clock }),
    sendKey: 'k'.repeat(22),
    answers: { name: 'Fern Street' },
  })
}

const ACTIONS: Record<string, () => Promise<unknown>> = {
  'a visitor answers': () => send(createCtx(runtime, site, { language: pickOne(['en', 'fr-CA'] as const) })),
  'a person answers': async () => send(await pickOne(people).ctx({ language: pickOne(['en', 'fr-CA'] as const) })),
  'the same person answers twice': async () => {
    const person = pickOne(people)
    for (const language of ['fr-CA', 'en'] as const) await send(await person.ctx({ language }))
  },
  'a person changes an answer': async () => {
    const found = await findOpenResponse()
    const account = found && findAccount(found.user_id)
    if (!account) return
    const ctx = await account.ctx({ language: pickOne(['en', 'fr-CA'] as const) })
    const [row] = await selectRows<{ survey_id: string }>(sql`select survey_id from responses where id = ${found.id}`)
    const { sending } = await startChange(ctx, { responseId: found.id })
    const find = (tx: Tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, row?.survey_id ?? ''))
    await submitChange(ctx, find, { ...sending, answers: { name: 'Elm Street' } })
  },
  'a person withdraws an answer': async () => {
    const found = await findOpenResponse()
    const account = found && findAccount(found.user_id)
    if (account) await withdrawContribution(await account.ctx(), { responseId: found.id })
  },
  'an administrator erases an answer': async () => {
    const found = await findOpenResponse()
    if (found) await eraseResponse(await owner.ctx(), { responseId: found.id, reason: 'Asked by letter' })
  },
  'paper is entered': () => {
    const surveyId = pickOne(surveyIds)
    return runtime.database.site(site.id).tx(async (tx) => {
      const [row] = await tx.select({ projectId: surveys.projectId }).from(surveys).where(eq(surveys.id, surveyId))
      await storeTogether(
        tx,
        site.id,
        Array.from({ length: 1 + Math.floor(random() * 30) }, () => ({
          row: {
            siteId: site.id,
            id: createId(),
            surveyId,
            version: 1,
            language: pickOne(['en', 'fr-CA'] as const),
            source: 'paper',
            answers: {},
            receiptHash: Buffer.from(createId()),
            submittedAt: new Date(clock - Math.floor(random() * 20 * 86_400_000)),
          },
          projectId: row?.projectId ?? '',
          personHashes: [],
          origin: undefined,
          places: [],
        })),
      )
    })
  },
  'an account is erased': async () => {
    if (people.length < 4) return
    const gone = pickOne(people)
    people = people.filter((person) => person !== gone)
    const ctx = await owner.ctx()
    await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, gone.id))
  },
  'two accounts become one': async () => {
    if (people.length < 4) return
    const [from, into] = [people[0], people[1]]
    if (!from || !into) return
    people = people.slice(1)
    await mergePeople(await owner.ctx(), { from: from.id, into: into.id })
  },
  'somebody joins': async () => people.push(await addAccount(runtime, site)),
  'a survey without responses is deleted': async () => {
    const survey = await addSurvey(runtime, site, { projectId: pickOne(projectIds), status: 'draft' })
    await deleteSurvey(await owner.ctx(), survey.id)
  },
  'a project moves': () =>
    selectRows(
      sql`update projects set hub_id = ${pickOne([...hubIds, null])}, topic_id = ${pickOne([...topicIds, null])} where id = ${pickOne(projectIds)}`,
    ),
  'a project with all its responses is deleted': async () => {
    const project = await addProject(runtime, site, { hubId: pickOne(hubIds) })
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    surveyIds.push(survey.id)
    for (let sent = 0; sent < 3; sent++) await send(await pickOne(people).ctx())
    surveyIds.pop()
    if (random() < 0.5) await countResponses(runtime)
    await selectRows(sql`delete from responses where survey_id = ${survey.id}`)
    await selectRows(sql`delete from projects where id = ${project.id}`)
  },
  'the calendar changes': async () => {
    await runtime.database.global
      .update(sites)
      .set({ timeZone: pickOne(TIME_ZONES) })
      .where(eq(sites.id, site.id))
    await findSite()
    // Until it has run, days are those of the former calendar.
    await countResponses(runtime)
  },
  'midnight passes': () => Promise.resolve(moveClock(Math.floor(random() * 30 * 3_600_000))),
  'the job runs': () => countResponses(runtime),
}

async function findSite(): Promise<void> {
  runtime.sites.refresh()
  const found = await runtime.sites.find(site.host)
  if (!found) throw new Error('The site was not found')
  site = found
}

/** The figures of the dashboard, counted from the responses themselves. */
async function countFromResponses(where: ReturnType<typeof sql>) {
  const today = toCalendarDay(site.timeZone, new Date(clock))
  const given = sql`
    select p.id as project, r.user_id, r.id, (r.submitted_at at time zone ${site.timeZone})::date as day
    from responses r, surveys s, projects p where s.id = r.survey_id and p.id = s.project_id and r.withdrawn_at is null and ${where}`
  const [totals] = await selectRows<Record<string, number>>(sql`
    select count(*)::int as responses, count(distinct coalesce(user_id, id))::int as participants,
      count(*) filter (where day > ${today}::date - 7 and day <= ${today}::date)::int as "responsesThisWeek",
      count(*) filter (where day > ${today}::date - 14 and day <= ${today}::date - 7)::int as "responsesLastWeek"
    from (${given}) given`)
  const daily = await selectRows<{ day: string; responses: number }>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, count(*)::int as responses from (${given}) given
    where day > ${today}::date - 30 and day <= ${today}::date group by day order by day`)
  const busiest = await selectRows<{ responses: number }>(sql`
    select count(*)::int as responses from (${given}) given where day > ${today}::date - 30 and day <= ${today}::date
    group by project order by 1 desc limit 5`)
  return { ...totals, daily, busiest: busiest.map(({ responses }) => responses) }
}

async function expectTrueDashboards(): Promise<void> {
  const [hub = '', other = ''] = hubIds
  const [project = ''] = projectIds
  for (const [viewer, where] of [
    [buildAdministrator(site.id, ['site_admin']), sql`true`],
    [buildAdministrator(site.id, ['hub_admin', { hubId: hub }]), sql`p.hub_id = ${hub}`],
    [buildAdministrator(site.id, ['project_admin', { projectId: project }]), sql`p.id = ${project}`],
    [
      buildAdministrator(site.id, ['hub_admin', { hubId: other }], ['project_admin', { projectId: project }]),
      sql`(p.hub_id = ${other} or p.id = ${project})`,
    ],
  ] as const) {
    const board = await readDashboard(createCtx(runtime, site, { viewer }))
    const { responses, participants, responsesThisWeek, responsesLastWeek } = board
    const shown = {
      responses,
      participants,
      responsesThisWeek,
      responsesLastWeek,
      daily: board.daily.filter((day) => day.responses > 0),
      busiest: board.busiest.map((row) => row.responses),
    }
    expect(shown).toEqual(await countFromResponses(where))
  }
}

/** Lists of responses state how many there are. */
async function expectTrueTotals(): Promise<void> {
  const [hub = ''] = hubIds
  const [project = ''] = projectIds
  const person = pickOne(people)
  const survey = pickOne(surveyIds)
  const ofHub = buildAdministrator(site.id, ['hub_admin', { hubId: hub }])
  for (const [viewer, where] of [
    [buildAdministrator(site.id, ['site_admin']), sql`true`],
    [ofHub, sql`p.hub_id = ${hub}`],
    [buildAdministrator(site.id, ['project_admin', { projectId: project }]), sql`p.id = ${project}`],
    // Everybody sees their own, also those who see other people’s somewhere else. Some projects have no hub.
    [{ ...ofHub, id: person.id }, sql`(p.hub_id = ${hub} or r.user_id = ${person.id})`],
    [(await person.ctx()).viewer, sql`r.user_id = ${person.id}`],
  ] as const) {
    const ctx = createCtx(runtime, site, { viewer })
    for (const [filter, andWhere] of [
      [{}, where],
      [{ survey }, sql`${where} and s.id = ${survey}`],
      [{ survey, language: ['en'] }, sql`${where} and s.id = ${survey} and r.language = 'en'`],
    ] satisfies [Parameters<typeof listResponses>[1]['filter'], ReturnType<typeof sql>][]) {
      const { total } = await listResponses(ctx, { filter, sort: [], page: { number: 1, size: 1, offset: 0, limit: 1 } })
      const [counted] = await selectRows<{ count: number }>(sql`
        select count(*)::int as count from responses r, surveys s, projects p
        where s.id = r.survey_id and p.id = s.project_id and r.withdrawn_at is null and ${andWhere}`)
      expect(total).toBe(counted?.count)
    }
  }
}

/** People who took part, each once a day and place, as reach defines them. */
async function expectTrueReach(): Promise<void> {
  const report = await readReach(createCtx(runtime, site, { viewer: buildAdministrator(site.id, ['site_admin']) }), { days: 30 })
  const today = toCalendarDay(site.timeZone, new Date(clock))
  const count = async (column: ReturnType<typeof sql>) => {
    const rows = await selectRows<{ place: string; engaged: number }>(sql`
      select place, count(*)::int as engaged from (
        select distinct ${column} as place, (r.submitted_at at time zone ${site.timeZone})::date as day, coalesce(r.user_id, r.id) as person
        from responses r, surveys s, projects p
        where s.id = r.survey_id and p.id = s.project_id and r.withdrawn_at is null) people
      where place is not null and day > ${today}::date - 30 group by place`)
    return Object.fromEntries(rows.map(({ place, engaged }) => [place, engaged]))
  }
  const show = (rows: readonly { id: string; engaged: number }[] = []) =>
    Object.fromEntries(rows.filter(({ engaged }) => engaged > 0).map(({ id, engaged }) => [id, engaged]))
  expect(report?.totals.engaged).toBe((await count(sql`p.site_id`))[site.id] ?? 0)
  expect(show(report?.hubs)).toEqual(await count(sql`p.hub_id`))
  expect(show(report?.topics)).toEqual(await count(sql`p.topic_id`))
  expect(show(report?.projects)).toEqual(await count(sql`p.id`))
  const languages = await selectRows<{ language: string; engaged: number }>(sql`
    select language, count(*)::int as engaged from (
      select min(r.language) as language from responses r where r.withdrawn_at is null and (r.submitted_at at time zone ${site.timeZone})::date > ${today}::date - 30
      group by (r.submitted_at at time zone ${site.timeZone})::date, coalesce(r.user_id, r.id)) people
    group by language order by language`)
  expect(
    report?.languages.map(({ language, engaged }) => ({ language, engaged })).toSorted((a, b) => (a.language < b.language ? -1 : 1)),
  ).toEqual(languages)
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA'] })
  moveClock(0)
  owner = await addAccount(runtime, site, { role: 'site_admin' })
  for (let index = 0; index < 2; index++) {
    hubIds.push((await addHub(runtime, site)).id)
    topicIds.push(createId())
  }
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(topics).values(topicIds.map((id) => ({ siteId: site.id, id, slug: id, title: { en: 'Topic' } }))))
  for (let index = 0; index < 6; index++) {
    const project = await addProject(runtime, site, { hubId: hubIds[index % 3] ?? null, topicId: topicIds[index % 2] ?? null })
    projectIds.push(project.id)
    surveyIds.push((await addSurvey(runtime, site, { projectId: project.id, access: 'anyone', changeable: true })).id)
  }
  for (let index = 0; index < 6; index++) people.push(await addAccount(runtime, site))
})

describe('figures about responses', () => {
  test(
    'are those of the responses, whatever happened, at once on the dashboard and after the jobs in reach',
    { timeout: 240_000 },
    async () => {
      const names = Object.keys(ACTIONS)
      const often = [
        'a visitor answers',
        'a person answers',
        'a person changes an answer',
        'a person withdraws an answer',
        'midnight passes',
      ]
      const done: string[] = []
      for (let act = 1; act <= ACTS; act++) {
        const name = random() < 0.4 ? pickOne(often) : pickOne(names)
        done.push(name)
        await ACTIONS[name]?.()
        moveClock(60_000)
        if (act % COMPARE_EVERY > 0) continue
        try {
          await expectTrueDashboards()
          await expectTrueTotals()
          if (act % (COMPARE_EVERY * 4) > 0) continue
          await countResponses(runtime)
          await rollUpReach(runtime)
          await expectTrueDashboards()
          await expectTrueReach()
        } catch (error) {
          throw new Error(`FIGURES_SEED=${SEED}, act ${act}, after ${done.slice(-COMPARE_EVERY).join('; ')}`, { cause: error })
        }
      }
      expect(new Set(done)).toEqual(new Set(names))
      // No account is left in what the job has added, and nobody who has no response.
      const strangers = await selectRows(sql`
      select user_id from project_people k where not exists (
        select from responses r join surveys s on s.id = r.survey_id where r.user_id = k.user_id and s.project_id = k.project_id and r.withdrawn_at is null)`)
      expect(strangers).toEqual([])
      expect(await selectRows(sql`select 1 from response_changes`)).toEqual([])
    },
  )

  test('stay true while responses arrive during every kind of count', { timeout: 60_000 }, async () => {
    const arriving = new Set([1])
    const arrivals = Promise.all(
      people.map(async (person) => {
        const ctx = await person.ctx()
        for (let sent = 0; sent < 40; sent++) await send(ctx)
      }),
    ).finally(() => arriving.clear())
    const runJobs = async (job: () => Promise<unknown>) => {
      for (let turns = 0; arriving.size > 0 || turns === 0; turns++) await job()
    }
    await Promise.all([
      arrivals,
      runJobs(() => countResponses(runtime)),
      runJobs(() => countResponses(runtime)),
      runJobs(() => recountSite(createCtx(runtime, site))),
      runJobs(() => rollUpReach(runtime)),
    ])
    await expectTrueDashboards()
    await expectTrueTotals()
    await countResponses(runtime)
    await rollUpReach(runtime)
    await expectTrueDashboards()
    await expectTrueReach()
    expect(await selectRows(sql`select 1 from response_changes`)).toEqual([])
  })

  test('follow an answer that is changed in another language', async () => {
    const person = await addAccount(runtime, site)
    moveClock(40 * 86_400_000) // nobody else answers on this day
    const { response } = await send(await person.ctx({ language: 'en' }))
    const countJobs = async () => {
      await countResponses(runtime)
      await rollUpReach(runtime)
      await expectTrueReach()
    }
    await countJobs()
    const ctx = await person.ctx({ language: 'fr-CA' })
    const { sending } = await startChange(ctx, { responseId: response.id })
    const find = (tx: Tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, response.surveyId))
    await submitChange(ctx, find, { ...sending, answers: { name: 'Elm Street' } })
    await countJobs()
    const report = await readReach(createCtx(runtime, site, { viewer: buildAdministrator(site.id, ['site_admin']) }), { days: 30 })
    expect(report?.languages).toMatchObject([{ language: 'fr-CA', engaged: 1 }])
  })

  test('are compared with the responses at night; a difference is repaired and logged', async () => {
    const nightThere = async () => {
      for (let hour = 0; hour < 24; hour++) {
        const local = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: site.timeZone }).format(new Date(clock))
        if (Number(local) === 2) return
        moveClock(3_600_000)
      }
    }
    moveClock(36 * 3_600_000)
    await nightThere()
    await countResponses(runtime)
    await rollUpReach(runtime)
    expect(await checkFigures(runtime)).toBe(0)
    const logged = () => runtime.logged.filter((line) => line.includes('differed'))
    expect(logged()).toEqual([])
    expect(await checkFigures(runtime)).toBe(0) // it was checked this night

    for (const wrong of [
      sql`update response_days set responses = responses + 1 where ctid = (select min(ctid) from response_days)`,
      sql`update response_totals set without_account = without_account + 2 where ctid = (select min(ctid) from response_totals)`,
      sql`delete from project_people where ctid = (select min(ctid) from project_people)`,
      sql`update place_people set people = people + 1 where place_id = ${site.id}`,
      sql`update engaged_days set web = web + 1 where ctid = (select min(ctid) from engaged_days where kind = 'site')`,
    ]) {
      moveClock(24 * 3_600_000)
      await countResponses(runtime)
      await selectRows(wrong)
      const before = logged().length
      expect(await checkFigures(runtime)).toBe(1)
      expect(logged()).toHaveLength(before + 1)
      await expectTrueDashboards()
    }
    await expectTrueReach()
    moveClock(12 * 3_600_000) // at noon nobody's site is read from end to end
    await selectRows(sql`update place_people set people = people + 1 where place_id = ${site.id}`)
    expect(await checkFigures(runtime)).toBe(0)
  })
})
