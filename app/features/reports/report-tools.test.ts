import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { getBudgetResults } from '#app/features/budgets/budget-views.server.ts'
import { GRACE_MS } from '#app/features/budgets/budgets.state.ts'
import { readReach } from '#app/features/reach/reach.server.ts'
import { rebuildTallies } from '#app/features/surveys/responses/response-counts.server.ts'
import { loadViewer, type Viewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { budgetBallots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { campaigns, smsMessages } from '#app/server/db/schema/messages.ts'
import { reachDays } from '#app/server/db/schema/reach.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound, VOTING_CLOSES } from '#tests/factories/budgets.ts'
import { addEvent, signUpFor } from '#tests/factories/events.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { showReport } from './report-files.server.ts'
import type { ReportTable, ReportView } from './report.schema.ts'
import { readReport } from './report.server.ts'
import { readReportSearch, type ReportSearch } from './report.search.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let certifier: Person
let viewer: Viewer
let project: { id: string; slug: string }

const as = (language: 'en' | 'fr-CA' | 'cy' = 'en') => createCtx(runtime, site, { viewer, language })
const tablesOf = (view: ReportView, id: string) =>
  (view.parts.find((part) => part.id === id)?.blocks ?? []).filter((block): block is ReportTable => block.kind === 'table')
const textsOf = (table: ReportTable | undefined) => table?.rows.map((cells) => cells.map(({ text }) => text))
const noteOf = (view: ReportView, id: string) =>
  view.parts.find((part) => part.id === id)?.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []))[0]
const about = (from: string, until: string): ReportSearch => readReportSearch({ projects: [project.id], from, until })

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(VOTING_CLOSES)
  site = await addSite(runtime, { slug: 'riverbend', timeZone: 'America/Toronto' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  certifier = await addPerson(runtime, site, { role: 'site_admin' })
  const { database } = runtime
  viewer = await loadViewer({ db: database.site(site.id), database }, admin.token, VOTING_CLOSES)
  project = await addProject(runtime, site, { title: inAllLanguages('Mill Lane') })
})

describe('votes on budgets in a report', () => {
  let round: Awaited<ReturnType<typeof addRound>>

  beforeAll(async () => {
    round = await addRound(
      runtime,
      site,
      [
        { amount: 10_000, costs: [6000, 5000] },
        { amount: 5000, costs: [2050] },
      ],
      {
        rule: 'greedy',
        projectId: project.id,
      },
    )
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.update(budgetRounds).set({ hasBallots: true }).where(eq(budgetRounds.id, round.id))
      for (const [isPaper, options] of [
        [false, [1, 3]],
        [false, [1]],
        [true, [2]],
      ] as const) {
        const id = createId()
        const receiptHash = Buffer.from(id)
        await tx
          .insert(budgetBallots)
          .values({ siteId: site.id, id, roundId: round.id, options: [...options], castAt: VOTING_CLOSES, receiptHash, isPaper })
      }
    })
    // Voting was over before the days of the report, or is to begin after them.
    await addRound(runtime, site, [{ amount: 100, costs: [50] }], {
      projectId: project.id,
      opensAt: new Date('2026-01-01T12:00:00Z'),
      closesAt: new Date('2026-01-10T12:00:00Z'),
    })
    await addRound(runtime, site, [{ amount: 100, costs: [50] }], { projectId: project.id, status: 'draft' })
  })

  const show = async (language: 'en' | 'fr-CA' | 'cy' = 'en') => showReport(as(language), about('2026-03-05', '2026-03-31'))

  test('have no figures before the count is certified', async () => {
    const view = await show()
    expect(textsOf(tablesOf(view, 'budgets')[0])).toEqual([['Neighbourhood fund', 'Mill Lane', '–', '–', '–', '–', '–']])
    expect(noteOf(view, 'budgets')).toContain('not certified yet')
  })

  test('have the figures of the certified result, as the page of the results says them, in each language', async () => {
    runtime.setNow(new Date(VOTING_CLOSES.getTime() + GRACE_MS))
    const to = { round: { type: 'budget-rounds', id: round.id } }
    const counted = await createApiClient(runtime, site, admin.token).post(
      '/budget-results',
      buildResourceDocument('budget-results', {}, { to }),
    )
    const id = (counted.body?.data as { id: string } | undefined)?.id ?? ''
    expect(textsOf(tablesOf(await show(), 'budgets')[0])?.[0]?.[2], 'a count that nobody certified').toBe('–')
    const certified = await createApiClient(runtime, site, certifier.token).patch(
      `/budget-results/${id}`,
      buildResourceDocument('budget-results', { state: 'certified' }, { id }),
    )
    expect(certified.status).toBe(200)
    const view = await show()
    // The first pot funds the option for 60 dollars, the second one that for 20.50.
    expect(textsOf(tablesOf(view, 'budgets')[0])).toEqual([['Neighbourhood fund', 'Mill Lane', '3', '1', '2', '$80.50', '$150']])
    expect(noteOf(view, 'budgets')).not.toContain('not certified yet')
    const pages = await Promise.all(
      [1, 2].map((pot) => getBudgetResults(createCtx(runtime, site), { project: project.slug, round: round.slug }, { pot })),
    )
    const [cells] = tablesOf(view, 'budgets')[0]?.rows ?? []
    expect(cells?.[2]?.value).toBe(pages[0]?.ballots)
    expect(cells?.[4]?.value).toBe(pages.reduce((sum, { pot }) => sum + pot.outcomes.greedy.funded, 0))
    expect(pages.reduce((sum, { pot }) => sum + pot.outcomes.greedy.cost, 0)).toBe(8050)
    expect(textsOf(tablesOf(await show('fr-CA'), 'budgets')[0])?.[0]?.[5]).toMatch(/80,50.\$/)
    expect(tablesOf(await show('cy'), 'budgets')[0]?.heads.slice(2, 5)).toEqual(['Pleidleisiau', 'Ar bapur', 'Opsiynau a ariannwyd'])
  })

  test('say if a body decided otherwise on an option', async () => {
    const sent = buildResourceDocument(
      'budget-overrides',
      { isFunded: true, bodyTranslations: { en: 'The council' }, reasonTranslations: { en: 'It fits next year’s plans' } },
      { to: { option: { type: 'budget-options', id: round.options[1]?.id ?? '' } } },
    )
    expect((await createApiClient(runtime, site, admin.token).post('/budget-overrides', sent)).status).toBe(201)
    expect(noteOf(await show(), 'budgets')).toContain('a body decided otherwise')
  })

  test('are left out where there was none', async () => {
    expect((await showReport(as(), about('2026-02-01', '2026-02-20'))).parts.some(({ id }) => id === 'budgets')).toBe(false)
  })
})

describe('events in a report', () => {
  test('are those that started in these days of the site, with who had a place and who came, counted from rows', async () => {
    runtime.setNow(new Date('2026-04-01T12:00:00Z'))
    // Still 20 April in Toronto.
    const at = { startsAt: new Date('2026-04-21T01:00:00Z'), endsAt: new Date('2026-04-21T03:00:00Z') }
    const walk = { ...(await addEvent(runtime, site, { projectId: project.id, ...at })), projectSlug: project.slug }
    const off = await addEvent(runtime, site, { projectId: project.id, title: inAllLanguages('Workshop'), status: 'cancelled' })
    await addEvent(runtime, site, { projectId: project.id, title: inAllLanguages('A draft'), status: 'draft' })
    await addEvent(runtime, site, {
      projectId: project.id,
      title: inAllLanguages('Later'),
      startsAt: new Date('2026-05-03T12:00:00Z'),
      endsAt: null,
    })
    for (const name of ['Ann', 'Ben', 'Cem']) await signUpFor(runtime, site, walk, name)
    const show = async () => textsOf(tablesOf(await showReport(as(), about('2026-04-20', '2026-04-20')), 'events')[0])
    expect(await show()).toEqual([
      ['Workshop', 'Mill Lane', '20 April 2026, cancelled', '0', '–'],
      ['Walk along the river', 'Mill Lane', '20 April 2026', '3', '–'],
    ])
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.update(eventSignUps).set({ attendedAt: at.startsAt }).where(eq(eventSignUps.name, 'Ann')))
    expect((await show())?.[1]).toEqual(['Walk along the river', 'Mill Lane', '20 April 2026', '3', '1'])
    expect(await showReport(as(), about('2026-04-21', '2026-04-30')).then(({ parts }) => parts.some(({ id }) => id === 'events'))).toBe(
      false,
    )
    expect(off.status).toBe('cancelled')
    const [stored] = await runtime.database.site(site.id).tx((tx) => tx.select().from(events).where(eq(events.id, walk.id)))
    expect(stored?.going).toBe(3)
  })
})

test('messages in a report are those sent, delivered and bounced, of newsletters and of texts, counted from rows', async () => {
  const { id: projectId } = await addProject(runtime, site)
  const at = new Date('2026-03-10T12:00:00Z')
  const times = { status: 'done' as const, sendAt: at, createdAt: at, updatedAt: at }
  const add = async (channel: 'email' | 'sms', more: Partial<typeof campaigns.$inferInsert>) => {
    const id = createId()
    await as().db.tx((tx) => tx.insert(campaigns).values({ siteId: site.id, id, channel, projectId, name: 'News', ...times, ...more }))
    return id
  }
  await add('email', { prepared: 12, returned: 2, tally: { accepted: 9, failed: 1, skipped: 2 } })
  await add('email', { prepared: 4, returned: 1, tally: { accepted: 4, failed: 0, skipped: 0 } })
  const campaignId = await add('sms', { prepared: 6 })
  const statuses = ['delivered', 'delivered', 'delivered', 'accepted', 'failed', 'skipped'] as const
  await as().db.tx((tx) =>
    tx.insert(smsMessages).values(
      statuses.map((status, number) => ({
        siteId: site.id,
        id: createId(),
        direction: 'out' as const,
        purpose: 'campaign' as const,
        status,
        phone: `+1500555000${number}`,
        language: 'en' as const,
        body: 'Come',
        campaignId,
        createdAt: at,
      })),
    ),
  )
  const read = async (language: 'en' | 'fr-CA' | 'cy') =>
    tablesOf(
      await showReport(
        as(language),
        readReportSearch({ projects: [projectId], from: '2026-03-01', until: '2026-03-31', sections: 'messages' }),
      ),
      'messages',
    )[0]
  const table = await read('en')
  expect(table?.heads.slice(1)).toEqual(['Prepared', 'Sent', 'Delivered', 'Bounced', 'Failed', 'Not sent', 'Links opened'])
  // No service says which emails were delivered; a text that was not is one that failed.
  expect(textsOf(table)).toEqual([
    ['Newsletters', '16', '13', '–', '3', '1', '2', '0'],
    ['Text messages', '6', '4', '3', '–', '1', '1', '0'],
  ])
  expect((await read('cy'))?.heads).toContain('Bownsiodd')
  expect((await read('fr-CA'))?.heads).toContain('Rebonds')
})

describe('where visitors of a report came from', () => {
  beforeAll(async () => {
    const of = (day: string, source: string, campaign: string, aware: number) => ({
      siteId: site.id,
      kind: 'project' as const,
      placeId: project.id,
      day,
      saltId: createId(),
      language: 'en' as const,
      source: source as 'search',
      campaign,
      aware,
      informed: 1,
    })
    await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx
          .insert(reachDays)
          .values([
            of('2026-06-01', 'search', '', 12),
            of('2026-06-02', 'campaign', 'leaflet', 7),
            of('2026-06-03', 'campaign', 'poster', 9),
            of('2026-06-04', 'direct', '', 4),
            of('2026-05-31', 'search', '', 100),
          ]),
      )
  })

  test('is a table of sources and one of campaign codes, and equals the screen of reach', async () => {
    runtime.setNow(new Date('2026-06-30T16:00:00Z'))
    const view = await showReport(as(), about('2026-06-01', '2026-06-30'))
    const [sources, campaigns] = tablesOf(view, 'origins')
    expect(textsOf(sources)).toEqual([
      ['Link with a campaign code', '16', '2'],
      ['Search engine', '12', '1'],
      ['Typed, bookmarked or scanned address', '4', '1'],
    ])
    expect(textsOf(campaigns)).toEqual([
      ['poster', '9', '1'],
      ['leaflet', '7', '1'],
    ])
    const [short] = tablesOf(await showReport(as(), about('2026-06-01', '2026-06-03')), 'origins')
    expect(textsOf(short)?.map(([source]) => source)).toEqual(['Link with a campaign code', 'Search engine'])
    const reach = await readReach(as(), { place: { kind: 'project', id: project.id }, days: 30 })
    expect(reach?.sources.map(({ aware }) => aware)).toEqual(sources?.rows.map(([, aware]) => aware?.value))
  })

  test('says so if there are too many projects and days to add up', async () => {
    const many = await Promise.all(Array.from({ length: 11 }, () => addProject(runtime, site)))
    const search = readReportSearch({ projects: many.map(({ id }) => id), from: '2017-01-01', until: '2026-06-30' })
    expect((await readReport(as(), { ...search, sections: ['origins'] })).origins).toBe('too-many')
    const { parts } = await showReport(as(), { ...search, sections: ['origins'] })
    expect(parts[0]?.blocks).toMatchObject([{ kind: 'note' }])
  })
})

describe('a question that several surveys asked', () => {
  const PERIOD = { from: '2026-01-01', until: '2026-06-30' }
  let first: { id: string; projectId: string }
  let second: { id: string; projectId: string }

  async function addAnswers(survey: { id: string }, counts: Record<string, number>) {
    const submittedAt = new Date('2026-05-10T12:00:00Z')
    const rows = Object.entries(counts).flatMap(([choice, count]) =>
      Array.from({ length: count }, () => ({
        siteId: site.id,
        id: createId(),
        surveyId: survey.id,
        version: 1,
        language: 'en' as const,
        answers: { name: 'Elm', mode: { choice } },
        submittedAt,
        receiptHash: randomBytes(32),
      })),
    )
    await as().db.tx(async (tx) => {
      await tx.insert(responses).values(rows)
      await tx.update(surveys).set({ responsesCount: rows.length }).where(eq(surveys.id, survey.id))
      await rebuildTallies(tx, site.id, survey.id)
    })
  }
  const show = async (language: 'en' | 'fr-CA' | 'cy' = 'en', projects = [first.projectId, second.projectId]) =>
    tablesOf(await showReport(as(language), readReportSearch({ projects, ...PERIOD })), 'series')

  beforeAll(async () => {
    runtime.setNow(new Date('2026-06-30T16:00:00Z'))
    // Made in the other order: when they opened counts.
    second = await addSurvey(runtime, site, { title: inAllLanguages('Travel again'), opensAt: new Date('2026-05-01T12:00:00Z') })
    first = await addSurvey(runtime, site, { title: inAllLanguages('Travel'), opensAt: new Date('2026-02-01T12:00:00Z') })
    await addAnswers(first, { bus: 10, foot: 30 })
    await addAnswers(second, { bus: 30, foot: 20 })
  })

  test('is one table, the oldest survey first, with the shares that their rows say', async () => {
    const tables = await show()
    expect(tables.map(({ heads }) => heads)).toEqual([['Answer', 'Travel, February 2026', 'Travel again, May 2026']])
    const cells = new Map(textsOf(tables[0])?.map(([label = '', ...rest]) => [label, rest]))
    expect(cells.get('By bus')).toEqual(['25%', '60%'])
    expect(cells.get('On foot')).toEqual(['75%', '40%'])
    expect(cells.get('Answered')).toEqual(['40', '50'])
    expect((await show('fr-CA'))[0]?.rows.at(-1)?.[0]?.text).toBe('Ont répondu')
    expect((await show('cy'))[0]?.heads[0]).toBe('Ateb')
  })

  test('is none if only one survey of the report asked it, or the words differ', async () => {
    expect(await show('en', [first.projectId])).toEqual([])
    const [{ definition } = { definition: {} }] = await as().db.tx((tx) =>
      tx.select({ definition: surveys.definition }).from(surveys).where(eq(surveys.id, first.id)),
    )
    const other = JSON.parse(JSON.stringify(definition).replaceAll('How do you travel?', 'How would you like to travel?')) as object
    const third = await addSurvey(runtime, site, { definition: other as never })
    await addAnswers(third, { bus: 20, foot: 20 })
    expect(await show('en', [first.projectId, third.projectId])).toEqual([])
  })

  test('is read in as many statements for two surveys as for one', async () => {
    const use = (projects: string[]) =>
      recordDatabaseUse(runtime, () => readReport(as(), readReportSearch({ projects, ...PERIOD, sections: ['series'] })))
    const one = await use([first.projectId])
    expect((await use([first.projectId, second.projectId])).statements).toHaveLength(one.statements.length)
  })

  test('hides what a survey’s own figures hide', async () => {
    const small = await addSurvey(runtime, site, { title: inAllLanguages('Few'), opensAt: new Date('2026-06-01T12:00:00Z') })
    await addAnswers(small, { bus: 2, foot: 30 })
    const [table] = await show('en', [first.projectId, small.projectId])
    expect(table?.rows.find(([label]) => label?.text === 'By bus')?.map(({ text }) => text)).toEqual(['By bus', '25%', '–'])
  })
})

test('what tools say needs one statement each', async () => {
  const few = about('2026-03-05', '2026-06-30')
  const count = async (sections: ReportSearch['sections']) =>
    (await recordDatabaseUse(runtime, () => readReport(as(), { ...few, sections: sections ?? [] }))).statements.length
  const least = await count(['funnel'])
  expect(await count(['funnel', 'budgets', 'events', 'origins'])).toBeLessThanOrEqual(least + 3)
})
