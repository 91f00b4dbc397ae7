import { sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { listContributions } from '#app/features/contributions/reading/views.server.ts'
import { readDashboard } from '#app/features/dashboard/dashboard.server.ts'
import { readReachSummary } from '#app/features/reach/reach.server.ts'
import { getHomepage } from '#app/features/homepage/homepage.server.ts'
import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { readLibrariesDetails } from '#app/features/libraries/libraries.server.ts'
import { readOpencitiesMeta } from '#app/features/opencities/opencities.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { listProjects } from '#app/features/projects/projects.list.server.ts'
import { getSiteFrame } from '#app/features/sites/sites.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { PublicReads } from '#app/server/public-reads.ts'
import type { Site } from '#app/server/site-directory.ts'
import { readCurrentSite } from '#app/shell/page-state.server.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addHub, addPage, addTopic, addUpdate } from '#tests/factories/content.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { countRowsRead, recordDatabaseUse } from '#tests/support/statements.ts'

/**
 * How many statements a request may ask of the database, in one transaction, however many rows there are. A signed-in person costs one more.
 * Who makes a request dearer changes this table on purpose.
 */
const LISTS: Record<string, number> = {
  projects: 1,
  hubs: 2,
  topics: 2,
  pages: 2,
  surveys: 2,
  'project-updates': 2,
  users: 2,
}
const ITEMS: Record<string, number> = { projects: 1, hubs: 1, topics: 1, pages: 1, surveys: 1, 'project-updates': 1 }
/** For what a participant's page shows, once somebody has asked for it since the last publication. */
const PAGES: Record<string, { statements: number; open: (ctx: Ctx) => Promise<unknown> }> = {
  'what is around every page': {
    statements: 0,
    open: (ctx) => Promise.all([getSiteFrame(ctx), readCurrentSite(ctx), readFeatures(ctx), readLibrariesDetails(ctx)]),
  },
  homepage: { statements: 0, open: getHomepage },
  'list of projects': { statements: 0, open: (ctx) => listProjects(ctx, {}) },
  // The page with its counts, and the map.
  'list and map of an activity': { statements: 2, open: (ctx) => listContributions(ctx, { project: 'bridge', activity: 'trees' }, {}) },
  'project page': { statements: 1, open: (ctx) => getProject(ctx, { slug: 'bridge' }) }, // whether they follow it
}

/** For administrators, however many responses there are. */
const FIGURES: Record<string, { statements: number; open: (ctx: Ctx) => Promise<unknown> }> = {
  dashboard: { statements: 2, open: readDashboard },
  'reach on the dashboard': { statements: 1, open: (ctx) => readReachSummary(ctx, undefined, 30) },
}

/** For the parts that all pages of the administration share, once they are remembered: the version of the site's content. */
const AROUND_ADMIN_PAGES = 1

/** For writes through the API, with the answer. Drafts and answers that arrive together share theirs. */
const WRITES: Record<string, { statements: number; transactions: number; send: () => Promise<ApiAnswer> }> = {
  // The size of the draft before, what limits its sender, and the draft.
  'a draft of an answer by a visitor': { statements: 3, transactions: 1, send: () => putDraft(createId()) },
  'the same draft once more': { statements: 3, transactions: 1, send: () => putDraft(draftId) },
  // Who saves, and which version of the project they see. Then the row that is locked, the save and what it left; with the commit, the trail.
  'a setting of a project by an administrator': { statements: 7, transactions: 2, send: () => toggleFeatured() },
}

const OF_THE_PERSON = 1

let runtime: TestRuntime
let site: Site
let admin: Account
let projectId: string
let surveyId: string
let isFeatured = false
const draftId = createId()

/** Adds rows of every kind in the tables above. @returns an id of each */
async function addRows(count: number): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (let n = 0; n < count; n++) {
    const hub = await addHub(runtime, site)
    const topic = await addTopic(runtime, site, { slug: `topic-${crypto.randomUUID()}`, title: inAllLanguages('Parks') })
    const project = await addProject(runtime, site, { hubId: hub.id, topicId: topic.id })
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    const update = await addUpdate(runtime, site, project.id)
    const page = await addPage(runtime, site)
    await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
    Object.assign(ids, {
      hubs: hub.id,
      topics: topic.id,
      projects: project.id,
      surveys: survey.id,
      pages: page.id,
      'project-updates': update.id,
    })
  }
  return ids
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addAccount(runtime, site, { role: 'site_admin' })
  projectId = (await addProject(runtime, site, { slug: 'bridge' })).id
  surveyId = (await addSurvey(runtime, site, { projectId })).id
  const { id: activityId } = await addActivity(runtime, site, { projectId, slug: 'trees', kind: 'places' })
  await addContribution(runtime, site, { activityId, number: 1 })
})

const count = async (path: string, token: string | undefined) => {
  const api = createApiClient(runtime, site, token)
  await api.get(path)
  let status = 0
  const { statements, transactions } = await recordDatabaseUse(runtime, async () => {
    ;({ status } = await api.get(path))
  })
  expect(status, path).toBe(200)
  // The site itself is looked up once a second, for all requests together.
  const own = statements.filter((text) => !/from "(site_domains|sites)"/.test(text))
  return { statements: own.length, transactions }
}

describe('a request of the API', () => {
  const few: Record<string, number> = {}

  test.for(['few', 'many'])('stays within its budget with %s rows', { timeout: 240_000 }, async (amount) => {
    const ids = await addRows(amount === 'few' ? 3 : 60)
    const used: Record<string, { statements: number; transactions: number }> = {}
    for (const type of Object.keys(LISTS)) used[type] = await count(`/${type}?page%5Bsize%5D=50`, admin.token)
    for (const type of Object.keys(ITEMS)) used[`one of ${type}`] = await count(`/${type}/${ids[type]}`, admin.token)
    const budgets = Object.fromEntries([
      ...Object.entries(LISTS).map(([type, most]) => [type, { statements: most + OF_THE_PERSON, transactions: 1 }]),
      ...Object.entries(ITEMS).map(([type, most]) => [`one of ${type}`, { statements: most + OF_THE_PERSON, transactions: 1 }]),
    ]) as typeof used
    expect(used).toEqual(budgets)
    for (const [name, { statements }] of Object.entries(used)) expect(statements, name).toBe((few[name] ??= statements))
  })
})

test('people filtered by three answers and sorted are read in two statements, as all people are', async () => {
  await addAccount(runtime, site)
  const all = await count('/users?sort=login', admin.token)
  expect(all.statements).toBe(2 + OF_THE_PERSON)
  const topic = createId()
  const did = [
    '',
    '&filter[tookPart]=last-90-days',
    '&filter[projectsAtLeast]=2',
    `&filter[followsTopic]=${topic}`,
    `&filter[hub]=${topic}`,
  ]
  for (const more of did)
    expect(await count(`/users?filter[profile]=born:16-24,home:en,travels:bus${more}&sort=-lastSeenAt`, admin.token), more).toEqual({
      ...all,
      // No one matches, so no rows of people are read.
      statements: all.statements - 1,
    })
})

const putDraft = (id: string) =>
  createApiClient(runtime, site, undefined, { address: '192.0.2.7' }).put(
    `/response-drafts/${id}`,
    buildResourceDocument(
      'response-drafts',
      { answers: { name: 'Elm' }, sendKey: 'known-to-the-sender-alone' },
      { id, to: { survey: { type: 'surveys', id: surveyId } } },
    ),
  )

const toggleFeatured = () => {
  isFeatured = !isFeatured
  const document = buildResourceDocument('projects', { featured: isFeatured }, { id: projectId })
  return createApiClient(runtime, site, admin.token).patch(`/projects/${projectId}`, document)
}

describe('a write of the API', () => {
  test.for(Object.keys(WRITES))('stays within its budget: %s', async (name) => {
    const { send, ...budget } = WRITES[name] ?? { send: () => Promise.reject(new Error('Unknown')) }
    runtime.publicReads = new PublicReads()
    await send()
    let status = 0
    const { statements, transactions } = await recordDatabaseUse(runtime, async () => {
      ;({ status } = await send())
    })
    expect([200, 201]).toContain(status)
    const own = statements.filter((text) => !/from "(site_domains|sites)"/.test(text))
    expect({ statements: own.length, transactions }).toEqual(budget)
  })
})

describe('what people send', () => {
  const NOW = Date.now()
  const sendIdea = async (token: string) => {
    const { id: activityId } = await addActivity(runtime, site, { projectId, kind: 'ideas', postAccess: 'signed_in' })
    await addContribution(runtime, site, { activityId, number: 1 })
    const attributes = { title: 'A bench', body: 'People wait here.', shownAs: 'anonymous', sendKey: 'known-to-the-sender-alone' }
    const to = { activity: { type: 'activities', id: activityId } }
    return () =>
      createApiClient(runtime, site, token).post(
        '/contributions',
        buildResourceDocument('contributions', attributes, { id: createId(), to }),
      )
  }
  const castBallot = async (token: string) => {
    const open = { opensAt: new Date(NOW - 3_600_000), closesAt: new Date(NOW + 3_600_000), access: 'confirmed' as const }
    const { id } = await addRound(runtime, site, [{ amount: 10_000, costs: [6000] }], open)
    const attributes = { options: [1], seen: 0, sendingId: createId(), sendKey: 'known-to-the-sender-alone' }
    const to = { round: { type: 'budget-rounds', id } }
    return () => createApiClient(runtime, site, token).post('/budget-ballots', buildResourceDocument('budget-ballots', attributes, { to }))
  }

  test.each([
    ['a ballot', castBallot],
    ['an idea', sendIdea],
  ])('is stored without counting what others have sent: %s', async (_, prepare) => {
    const send = await prepare((await addPerson(runtime, site)).token)
    let answer: ApiAnswer | undefined
    const { statements } = await recordDatabaseUse(runtime, async () => {
      answer = await send()
    })
    expect(answer?.status, JSON.stringify(answer?.body)).toBe(201)
    expect(statements.filter((text) => /count\(/.test(text))).toEqual([])
  })
})

describe('ballots', () => {
  /** Whose token it is. The round, what it offers, the voters, the ballots, and what waits for the ledger. */
  const STATEMENTS = 6
  const TRANSACTIONS = 2

  /** Opens a round in which one person has voted. @returns casts the ballots of other people, at the same time */
  const openRound = async () => {
    const now = Date.now()
    const open = { opensAt: new Date(now - 3_600_000), closesAt: new Date(now + 3_600_000), access: 'confirmed' as const }
    const { id } = await addRound(runtime, site, [{ amount: 10_000, costs: [6000] }], open)
    const to = { round: { type: 'budget-rounds', id } }
    const cast = (token: string) => {
      const attributes = { options: [1], seen: 0, sendingId: createId(), sendKey: 'known-to-the-sender-alone' }
      return createApiClient(runtime, site, token).post('/budget-ballots', buildResourceDocument('budget-ballots', attributes, { to }))
    }
    const prepare = async (count: number) => {
      const tokens: string[] = []
      for (let n = 0; n < count; n++) tokens.push((await addPerson(runtime, site)).token)
      return () => Promise.all(tokens.map(cast))
    }
    await (
      await prepare(1)
    )()
    return prepare
  }

  test.each([
    ['one', 1, STATEMENTS, TRANSACTIONS],
    // The first of them may have begun before the others came.
    ['many at once', 30, 2 * STATEMENTS, 2 * TRANSACTIONS],
  ])('stay within their budget: %s', async (_, count, most, transactions) => {
    const castAll = await (await openRound())(count)
    let answers: ApiAnswer[] = []
    const use = await recordDatabaseUse(runtime, async () => {
      answers = await castAll()
    })
    expect(answers.filter(({ status }) => status !== 201)).toEqual([])
    const own = use.statements.filter((text) => !/from "(site_domains|sites)"/.test(text))
    expect(own.length, own.join('\n')).toBeLessThanOrEqual(most)
    expect(use.transactions).toBeLessThanOrEqual(transactions)
  })
})

describe('a page of a participant', () => {
  test.for(Object.keys(PAGES))('asks for little besides who they are: %s', async (name) => {
    runtime.publicReads = new PublicReads()
    const page = PAGES[name]
    const [first, second] = [await addAccount(runtime, site), await addAccount(runtime, site)]
    await page?.open(await first.ctx())
    const ctx = await second.ctx()
    const { statements } = await recordDatabaseUse(runtime, async () => page?.open(ctx))
    expect(statements).toHaveLength(page?.statements ?? -1)
  })
})

test('what is around a page of an administrator is read once for all of them', async () => {
  runtime.publicReads = new PublicReads()
  const openFrame = (ctx: Ctx) => Promise.all([readCurrentSite(ctx), readFeatures(ctx), readLibrariesDetails(ctx), readOpencitiesMeta(ctx)])
  runtime.sites.forget(site.id)
  const current = await runtime.sites.find(site.host)
  const ctx = async () => ({ ...(await admin.ctx()), ...(current && { site: current }) })
  await openFrame(await ctx())
  const asked = await ctx()
  const { statements } = await recordDatabaseUse(runtime, () => openFrame(asked))
  expect(statements).toHaveLength(AROUND_ADMIN_PAGES)
})

describe('figures for an administrator', () => {
  test.for(Object.keys(FIGURES))('ask for the same few rows whether responses are waiting to be counted or not: %s', async (name) => {
    const figures = FIGURES[name]
    const project = await addProject(runtime, site)
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    for (const waiting of [false, true]) {
      if (waiting)
        await runtime.database.site(site.id).tx((tx) =>
          tx.execute(sql`
            insert into responses (site_id, id, survey_id, version, language, answers, receipt_hash)
            select ${site.id}, gen_random_uuid(), ${survey.id}, 1, 'en', '{}', sha256(gen_random_uuid()::text::bytea) from generate_series(1, 2000)`),
        )
      const ctx = await admin.ctx()
      const { statements } = await recordDatabaseUse(runtime, async () => figures?.open(ctx))
      expect(statements).toHaveLength(figures?.statements ?? -1)
      expect(statements.filter((text) => /\bfrom "?responses"?\b/.test(text))).toEqual([])
    }
  })
})

test('a signed-in person costs one statement, in the transaction of what they ask for', async () => {
  const { statements, transactions } = await recordDatabaseUse(runtime, () => admin.ctx())
  expect({ statements: statements.length, transactions }).toEqual({ statements: OF_THE_PERSON, transactions: 1 })
})

describe('a page of responses', () => {
  const MANY = 5000
  const PAGE = 25
  let large: Site
  let reader: Account
  let surveyId = ''

  beforeAll(async () => {
    large = await addSite(runtime, { slug: 'large' })
    reader = await addAccount(runtime, large, { role: 'site_admin' })
    const project = await addProject(runtime, large)
    surveyId = (await addSurvey(runtime, large, { projectId: project.id })).id
    await runtime.database.site(large.id).tx(async (tx) => {
      await tx.execute(sql`
        insert into responses (site_id, id, survey_id, version, language, answers, receipt_hash, submitted_at)
        select ${large.id}, gen_random_uuid(), ${surveyId}, 1, 'en', '{}', sha256(gen_random_uuid()::text::bytea), now() - n * interval '1 minute'
        from generate_series(1, ${MANY}::int) n`)
      await tx.execute(sql`update surveys set responses_count = ${MANY} where site_id = ${large.id} and id = ${surveyId}`)
    })
    const owner = new pg.Client({ connectionString: runtime.ownerUrl })
    await owner.connect()
    await owner.query('analyze')
    await owner.end()
  })

  test.for(['sort=-submittedAt', 'sort=submittedAt', 'filter[survey]=', 'filter[survey]=&sort=submittedAt'])(
    'reads what it shows, not all that there are: %s',
    { timeout: 60_000 },
    async (query) => {
      const api = createApiClient(runtime, large, reader.token)
      const path = `/responses?page[size]=${PAGE}&${query.replace('survey]=', `survey]=${surveyId}`)}`
      let answer: Awaited<ReturnType<typeof api.get>> | undefined
      const use = await recordDatabaseUse(runtime, async () => {
        answer = await api.get(path)
      })
      expect(answer).toMatchObject({ status: 200, body: { meta: { total: MANY } } })
      const read = await countRowsRead(runtime, large.id, use)
      expect(read.get('responses')).toBeGreaterThanOrEqual(PAGE)
      expect(read.get('responses')).toBeLessThanOrEqual(2 * PAGE)
    },
  )
})

describe('a large site among many small ones', () => {
  const MANY = 5000
  let large: Site
  let reader: Account
  let author: Account
  let projectAdmin: Account
  let activity: string
  let survey: string

  const explainForAnySite = async (text: string) => {
    const { rows } = await runtime.database.site(large.id).tx((tx) => tx.execute(sql.raw(`explain (generic_plan) ${text}`)))
    return rows.flatMap((row) => Object.values(row)).join('\n')
  }
  const recordStatements = async (status: number, ask: () => Promise<{ status: number }>) => {
    const use = await recordDatabaseUse(runtime, async () => expect((await ask()).status).toBe(status))
    return { use, texts: [...new Set(use.statements)] }
  }
  const get = (path: string, account = reader) => createApiClient(runtime, large, account.token).get(path)

  beforeAll(async () => {
    large = await addSite(runtime, { slug: 'metropolis' })
    reader = await addAccount(runtime, large, { role: 'site_admin' })
    const { id: projectId } = await addProject(runtime, large)
    survey = (await addSurvey(runtime, large, { projectId })).id
    const { id: activityId } = await addActivity(runtime, large, { projectId, kind: 'places' })
    activity = activityId
    author = await addAccount(runtime, large)
    projectAdmin = await addAccount(runtime, large, { role: 'project_admin', projectId })
    const contribution = await addContribution(runtime, large, { activityId, number: 1, authorId: author.id })
    const owner = new pg.Client({ connectionString: runtime.ownerUrl })
    await owner.connect()
    await owner.query(`
      insert into sites (id, slug, name, region, locale, languages, time_zone)
      select gen_random_uuid(), 'village-' || n, 'Village', 'ca', 'en', '{en}', 'UTC' from generate_series(1, 200) n`)
    // Neither keys nor counts matter here.
    await owner.query(`set session_replication_role = replica`)
    const ofEachSite = `from sites s, generate_series(1, case s.slug when 'metropolis' then ${MANY} else 50 end) n
      where s.slug = 'metropolis' or s.slug like 'village-%'`
    await owner.query(`
      insert into users (site_id, id, email, login)
      select s.id, gen_random_uuid(), n || '@' || s.slug || '.example', 'Person ' || n ${ofEachSite}`)
    await owner.query(
      `insert into responses (site_id, id, survey_id, version, language, answers, receipt_hash, number, submitted_at)
      select s.id, gen_random_uuid(), case s.slug when 'metropolis' then $1::uuid else gen_random_uuid() end, 1, 'en', '{}',
        sha256(gen_random_uuid()::text::bytea), n, now() - n * interval '1 minute' ${ofEachSite}`,
      [survey],
    )
    await owner.query(
      `insert into contributions
      select (jsonb_populate_record(null::contributions,
        to_jsonb(c) || jsonb_build_object('site_id', s.id, 'id', gen_random_uuid(), 'author_id', gen_random_uuid(), 'number', s.n + 1))).*
      from (select * from contributions where id = $1) c, (select s.id, n ${ofEachSite}) s`,
      [contribution.id],
    )
    await owner.query(`
      insert into moderation_cases (site_id, id, contribution_id, opened_by, state, due_at)
      select site_id, gen_random_uuid(), id, 'report', 'decided', now() from contributions`)
    await owner.query(`
      insert into moderation_decisions (site_id, id, case_id, decision) select site_id, gen_random_uuid(), id, 'publish' from moderation_cases`)
    await owner.query(`insert into moderation_rules (site_id, id, code, label) values ($1, gen_random_uuid(), 'rude', '{}')`, [large.id])
    await owner.query(`
      insert into moderation_reports (site_id, id, case_id, contribution_id, version, person_hash, by_account, rule_id, rule_version)
      select c.site_id, gen_random_uuid(), c.id, c.contribution_id, 1, c.id::text::bytea, false, r.id, 1
      from moderation_cases c join moderation_rules r on r.site_id = c.site_id and r.code = 'rude'`)
    await owner.query(`
      insert into moderation_appeals (site_id, id, case_id, decision_id, appellant, words)
      select site_id, gen_random_uuid(), case_id, id, 'author', 'No' from moderation_decisions`)
    await owner.query(
      `insert into audit_events (site_id, id, action, actor_id, sequence, hash)
      select s.id, gen_random_uuid(), 'topics.create', $1, 1000 + n, '' ${ofEachSite}`,
      [reader.id],
    )
    await owner.query(`vacuum analyze sites, users, responses, contributions, moderation_cases, moderation_decisions, moderation_reports,
      moderation_appeals, audit_events`)
    await owner.end()
  })

  test.for([
    ['/users?page[size]=25', 'users'],
    ['/audit-events?page[size]=25', 'users'],
    ['/contributions?page[size]=25', 'contributions'],
  ])('looks up rows by their ids, also by a plan for a site of any size: %s', async ([path = '', table]) => {
    const { texts } = await recordStatements(200, () => get(path))
    const plans = await Promise.all(
      texts.filter((text) => text.includes('unnest(') && text.includes(`select * from "${table}"`)).map(explainForAnySite),
    )
    expect(plans).not.toEqual([])
    for (const plan of plans)
      expect(new RegExp(`on unnest[^]*?(\\w+ on ${table})\\b`).exec(plan)?.[1], plan).toBe(`${table}_pkey on ${table}`)
  })

  describe.for(['moderation-cases', 'moderation-decisions', 'moderation-reports', 'moderation-appeals'])('a list of %s', (type) => {
    test('reads only the contributions of its page, if everything is moderated', async () => {
      const { use } = await recordStatements(200, () => get(`/${type}?page[size]=25`))
      const read = await countRowsRead(runtime, large.id, use)
      expect(read.get('contributions')).toBeGreaterThanOrEqual(25)
      expect(read.get('contributions')).toBeLessThanOrEqual(200)
    })

    test('looks contributions of some projects up in a set, also by a plan for a site of any size', async () => {
      const { texts } = await recordStatements(200, () => get(`/${type}?page[size]=25`, projectAdmin))
      const table = type.replace('-', '_')
      const lists = texts.filter((text) => new RegExp(`^select count.* from "${table}"|unnest\\(array\\(`).test(text))
      expect(lists).toHaveLength(2)
      for (const plan of await Promise.all(lists.map(explainForAnySite))) expect(plan).toContain('hashed SubPlan')
    })
  })

  test.for(['visitor', 'participant'])('counts what a %s sees of an activity in an index', async (role) => {
    const api = createApiClient(runtime, large, role === 'visitor' ? undefined : author.token)
    const { texts } = await recordStatements(200, () => api.get(`/contributions?filter[activity]=${activity}`))
    const plan = await explainForAnySite(texts.find((text) => text.startsWith('select count(*)')) ?? '')
    expect(plan).toContain('Index Only Scan using contributions_published on contributions')
    // The second part looks for the participant's own.
    expect(plan.match(/(?<!Only )Scan.* on contributions\b/g) ?? [], plan).toHaveLength(role === 'visitor' ? 0 : 1)
    const page = await explainForAnySite(texts.find((text) => text.includes('unnest(array(')) ?? '')
    expect(page).toContain('Index Only Scan using contributions_published on contributions')
  })

  test('counts the published contributions of listed activities in an index', async () => {
    const { texts } = await recordStatements(200, () => get('/activities'))
    const plan = await explainForAnySite(texts.find((text) => text.includes('union all')) ?? '')
    expect(plan).toContain('Index Only Scan using contributions_published on contributions')
    expect(plan).toContain('contributions_held on contributions')
  })

  test('finds people by words in an index', async () => {
    const { texts } = await recordStatements(200, () => get('/users?filter[q]=person&page[size]=25'))
    const plan = await explainForAnySite(texts.find((text) => text.includes('like')) ?? '')
    expect(plan).toContain('Index Only Scan using users_search on users')
  })

  test('looks up whether a draft was already sent', async () => {
    const { texts } = await recordStatements(201, () =>
      createApiClient(runtime, large, undefined, { address: '192.0.2.9' }).put(
        '/response-drafts/0197a000-0000-7000-8000-000000000001',
        buildResourceDocument(
          'response-drafts',
          { answers: { name: 'Elm' }, sendKey: 'known-to-the-sender-alone' },
          { id: '0197a000-0000-7000-8000-000000000001', to: { survey: { type: 'surveys', id: survey } } },
        ),
      ),
    )
    const plan = await explainForAnySite(texts.find((text) => text.includes('insert into "response_drafts"')) ?? '')
    expect(plan.match(/Cond: \(\(site_id = \$\d+\) AND \((edit_)?id = given\.id\)\)/g), plan).toHaveLength(2)
  })

  test('finds news for one person among their own', async () => {
    const { use } = await recordStatements(200, () => get('/notifications', author))
    const read = await countRowsRead(runtime, large.id, use)
    expect(read.get('moderation_cases')).toBe(1)
    expect(read.get('contributions')).toBeLessThanOrEqual(10)
  })

  test('skips what is on earlier pages in an index', async () => {
    const { texts } = await recordStatements(200, () => get('/audit-events?page[size]=25&page[number]=100'))
    const plan = await explainForAnySite(texts.find((text) => text.includes('any (array(')) ?? '')
    expect(plan).toMatch(/Index Only Scan \w*\s?using audit_events_site_id_sequence_key/)
  })

  test('joins only the responses of a page', async () => {
    const { texts } = await recordStatements(200, () => get('/responses?page[size]=25&page[number]=100'))
    const plan = await explainForAnySite(texts.find((text) => text.includes('offset') && text.includes('"responses"')) ?? '')
    const lines = plan.split('\n')
    const limit = lines.findIndex((line) => line.includes('->  Limit'))
    expect(limit, plan).toBeGreaterThan(0)
    const isBelow = (line: string) => !line.includes('->') || line.indexOf('->') > (lines[limit] ?? '').indexOf('->')
    const after = lines.slice(limit + 1)
    const end = after.findIndex((line) => !isBelow(line))
    expect(
      after.slice(0, end).filter((line) => / on (surveys|projects)/.test(line)),
      plan,
    ).toEqual([])
  })
})
