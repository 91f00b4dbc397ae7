import { renderJourney } from '#app/features/heard/journey.server.ts'
import { DYFFRYN_HEARD, RIVERBEND_HEARD } from './content/heard.ts'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { correctContributionCounts } from '#app/features/contributions/record/contribution-counts.server.ts'
import { PHOTO_WIDTHS } from '#app/features/contributions/record/photos.schema.ts'
import { buildPhotoKey } from '#app/features/contributions/photos/stored-photos.server.ts'
import { findMissingTexts } from '#app/features/homepage/missing-texts.schema.ts'
import { BLOCK_TYPES, type HomeBlock, homeBlockSchema } from '#app/features/homepage/homepage.schema.ts'
import { checkAnswers } from '#app/features/surveys/questionnaire/answers.ts'
import { checkDefinition } from '#app/features/surveys/questionnaire/check-definition.ts'
import { expandCarriedOptions } from '#app/features/surveys/questionnaire/carried-options.ts'
import { listAskedQuestions, walkSurvey } from '#app/features/surveys/questionnaire/walk-survey.ts'
import { answersSchema, definitionSchema, QUESTION_TYPES } from '#app/features/surveys/surveys.schema.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { verifyByList } from '#app/features/verifications/verifications.server.ts'
import { loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { createCtx } from '#app/server/context.ts'
import { verifyPassword } from '#app/server/auth/passwords.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { startCpuClock } from '#tests/support/cpu-time.ts'
import { createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { buildAdministrator } from '#tests/support/people.ts'
import { DEMO_SITES } from './content/sites.ts'
import { DEMO_CARD, DEMO_PASSWORD } from './demo-accounts.ts'
import { type DemoReport, seedDemo } from './seed.ts'

const PUBLIC = fileURLToPath(new URL('../../../public', import.meta.url))

let runtime: TestRuntime
let report: DemoReport
let took: number

beforeAll(async () => {
  runtime = await createTestRuntime()
  const measureCpu = startCpuClock()
  report = await seedDemo(runtime.database, { storage: openStorage(runtime.env), secret: runtime.secret })
  took = measureCpu()
})

async function rows<T extends Record<string, unknown>>(slug: string, query: ReturnType<typeof sql>): Promise<T[]> {
  const [site] = (await runtime.database.global.execute<{ id: string }>(sql`select id from sites where slug = ${slug}`)).rows
  return runtime.database.site(site?.id ?? PLATFORM_SITE_ID).tx(async (tx) => (await tx.execute(query)).rows as T[])
}

test('seeds within ten seconds', () => {
  expect(took).toBeLessThan(10_000)
})

test('Fern Street has more than five thousand responses', async () => {
  const [row] = await rows<{ n: number }>(
    'riverbend',
    sql`select count(*)::int as n from responses r join surveys s on s.id = r.survey_id where s.slug = 'your-trip-your-stop'`,
  )
  expect(row?.n).toBeGreaterThan(5000)
})

test('Riverbend asks four questions about people and Dyffryn one, in the languages of the site, and many have answered', async () => {
  for (const [slug, keys] of [
    ['riverbend', ['born', 'lives', 'home', 'disability']],
    ['dyffryn', ['cymraeg']],
  ] as const) {
    const asked = await rows<{ key: string; purpose: object; people: number }>(
      slug,
      sql`select q.key, q.purpose, (select count(*)::int from profile_answers a where a.question_id = q.id) as people
          from profile_questions q order by q.position`,
    )
    expect(asked.map(({ key }) => key)).toEqual(keys)
    const languages = DEMO_SITES.find((site) => site.slug === slug)?.languages ?? []
    for (const { purpose, people } of asked) {
      expect(Object.keys(purpose).toSorted()).toEqual([...languages].toSorted())
      expect(people).toBeGreaterThan(100)
    }
  }
})

test('four thousand people of Riverbend have said something, by which a group and a survey’s results are narrowed, and a survey is linked to it', async () => {
  const [told] = await rows<{ people: number; answered: number }>(
    'riverbend',
    sql`select count(distinct a.user_id)::int as people,
        count(distinct a.user_id) filter (where r.user_id is not null)::int as answered from profile_answers a
      left join responses r on r.site_id = a.site_id and r.user_id = a.user_id
        and r.survey_id = (select id from surveys where slug = 'your-trip-your-stop')`,
  )
  expect(told?.people).toBeGreaterThanOrEqual(4000)
  expect(told?.answered).toBeGreaterThan(3500)
  const [group] = await rows<{ id: string }>('riverbend', sql`select id from people_groups where rule ? 'profile'`)
  const site = await runtime.sites.find('localhost')
  if (!site || !group) throw new Error('There is no Riverbend, or no group')
  const ctx = createCtx(runtime, site, { viewer: buildAdministrator(site.id, ['site_admin']) })
  const [found] = await loadGroupsById(ctx, [group.id])
  expect(found?.members).toBeGreaterThan(50)
  const linked = await rows<{ slug: string }>('riverbend', sql`select slug from surveys where definition::text like '%"profile": "home"%'`)
  expect(linked.map(({ slug }) => slug)).toEqual(['your-library'])
})

test('Harbour has stories with pictures, each stored in both widths and described; one waits for a moderator', async () => {
  const photos = await rows<{ site_id: string; id: string; alt: string; state: string; title: string }>(
    'harbour',
    sql`select p.site_id, p.id, p.alt, c.state, c.title from contribution_photos p join contributions c on c.id = p.held_by`,
  )
  expect(new Set(photos.map(({ title }) => title)).size).toBeGreaterThanOrEqual(4)
  expect(photos.filter(({ state }) => state === 'held')).toHaveLength(1)
  for (const { site_id: siteId, id, alt } of photos) {
    expect(alt).not.toBe('')
    for (const width of PHOTO_WIDTHS) {
      const file = await openStorage(runtime.env).get(buildPhotoKey({ siteId, id }, width))
      expect((await sharp(file).metadata()).width).toBe(width)
    }
  }
})

test('Riverbend has an activity for people with a library card, and the demo’s card is on its list', async () => {
  const [asking] = await rows<{ list: string; supports: number; reactions: number }>(
    'riverbend',
    sql`select a.settings #>> '{verification,list}' as list, sum(c.supports)::int as supports,
        (select count(*)::int from reactions r join contributions of on of.id = r.contribution_id where of.activity_id = a.id) as reactions
      from activities a join contributions c on c.activity_id = a.id
      where a.post_access = 'verified' and a.react_access = 'verified' group by a.id, a.settings`,
  )
  expect(asking?.reactions).toBe(asking?.supports)
  const site = await runtime.sites.find('localhost')
  if (!site) throw new Error('There is no Riverbend')
  const ctx = createCtx(runtime, site)
  const look = (card: string) =>
    verifyByList(ctx, { listId: asking?.list ?? '', fields: { 'card-number': card }, browserToken: issueToken(runtime, site) })
  expect((await look(DEMO_CARD)).row).toMatchObject({ level: 'resident', listId: asking?.list })
  await expect(look('RB 2030 4712')).rejects.toMatchObject({ faults: [{ code: 'not-on-list' }] })
})

test('last year’s neighbourhood fund is certified with three options delivered, and this year’s is open for votes', async () => {
  const rounds = await rows<{
    state: string | null
    options: number
    pots: number
    ballots: number
    voters: number
    done: number
    entries: number
  }>(
    'riverbend',
    sql`select (select s.state from budget_results s where s.round_id = r.id) as state,
        (select count(*)::int from budget_options o where o.round_id = r.id) as options,
        (select count(*)::int from budget_pots p where p.round_id = r.id) as pots,
        (select count(*)::int from budget_ballots b where b.round_id = r.id) as ballots,
        (select count(*)::int from budget_voters v where v.round_id = r.id) as voters,
        (select count(*)::int from budget_options o where o.round_id = r.id and o.delivery = 'done') as done,
        (select count(*)::int from ledger_entries e join ledgers l on l.site_id = e.site_id and l.id = e.ledger_id where l.round_id = r.id) as entries
      from budget_rounds r order by r.position`,
  )
  expect(rounds).toEqual([
    { state: null, options: 24, pots: 3, ballots: 0, voters: 0, done: 0, entries: 0 },
    { state: 'certified', options: 24, pots: 3, ballots: 6000, voters: 6000, done: 3, entries: 6001 },
  ])
})

test('the demo has a walk with places left, a workshop with a waiting list, and a walk in Welsh first', async () => {
  const select = sql`select e.slug, e.capacity, e.going, e.waiting,
      (select count(*)::int from event_sign_ups s where s.event_id = e.id and s.state = 'going') as places,
      (select count(*)::int from event_sign_ups s where s.event_id = e.id and s.state = 'waiting') as list
    from events e order by e.starts_at`
  type Row = { slug: string; capacity: number; going: number; waiting: number; places: number; list: number }
  expect(await rows<Row>('riverbend', select)).toEqual([
    { slug: 'walk-from-mill-to-bridge', capacity: 40, going: 23, waiting: 0, places: 23, list: 0 },
    { slug: 'workshop-draw-the-shore', capacity: 24, going: 24, waiting: 5, places: 24, list: 5 },
  ])
  expect(await rows<Row>('dyffryn', select)).toMatchObject([{ slug: 'taith-gerdded-glan-yr-afon', going: 18, places: 18 }])
})

test('each contribution is shown with as many supporters and replies as it has', async () => {
  const sites = await runtime.sites.loadActive()
  const wrong = await Promise.all(sites.map(({ id }) => correctContributionCounts(runtime.database.site(id))))
  expect(wrong.flat()).toEqual([])
})

test('a second run changes nothing', async () => {
  const [before] = await rows<{ n: number }>('riverbend', sql`select count(*)::int as n from responses`)
  expect((await seedDemo(runtime.database)).sites).toEqual([])
  expect(await rows('riverbend', sql`select count(*)::int as n from responses`)).toEqual([before])
})

test.each([
  ['riverbend', RIVERBEND_HEARD],
  ['dyffryn', DYFFRYN_HEARD],
] as const)('a receipt on %s leads from an answer to its decision, and every quote is in a stored answer', async (slug, heard) => {
  const site = await runtime.sites.find(`${slug}.localhost`)
  if (!site) throw new Error('no such site')
  const html = await renderJourney(createCtx(runtime, site), { code: heard.receipt })
  expect(html).toContain('#decision-')
  const wrong = await rows(
    slug,
    sql`select e.id from theme_evidence e join responses r on r.id = e.response_id
      where substring(written_answer(r.answers, e.question) from e.start_at + 1 for e.end_at - e.start_at) <> e.quote`,
  )
  expect(wrong).toEqual([])
  const [counted] = await rows<{ themes: number; decisions: number }>(
    slug,
    sql`select (select count(distinct theme_id)::int from theme_evidence) as themes, (select count(*)::int from decisions) as decisions`,
  )
  expect(counted).toEqual({ themes: heard.themes.length, decisions: heard.decisions.length })
})

test('the platform administrator can sign in', async () => {
  const [user] = await rows<{ hash: string; role: string }>(
    '',
    sql`select u.password_hash as hash, m.role from users u join memberships m on m.user_id = u.id where u.email = 'platform@parley.example'`,
  )
  expect(user?.role).toBe('platform_admin')
  expect(await verifyPassword(DEMO_PASSWORD, user?.hash)).toBe(true)
})

describe.each(DEMO_SITES)('$name', (content) => {
  const slug = content.slug

  test('has its hosts and its four accounts, confirmed, with their roles', async () => {
    for (const host of content.hosts) expect((await runtime.sites.find(host))?.slug).toBe(slug)
    const held = await rows(
      slug,
      sql`
      select u.email, u.email_confirmed_at is not null as confirmed, array_agg(m.role order by m.role) filter (where m.role is not null) as roles
      from users u left join memberships m on m.user_id = u.id where u.email like ${`%@${content.mailDomain}`} group by 1, 2 order by 1`,
    )
    expect(held).toEqual([
      { email: `hub.admin@${content.mailDomain}`, confirmed: true, roles: ['hub_admin'] },
      { email: `participant@${content.mailDomain}`, confirmed: true, roles: null },
      { email: `project.admin@${content.mailDomain}`, confirmed: true, roles: ['project_admin', 'project_admin'] },
      { email: `site.admin@${content.mailDomain}`, confirmed: true, roles: ['site_admin'] },
    ])
    expect(report.accounts).toContain(`participant@${content.mailDomain}`)
  })

  test('has projects in every state, and the participant in a members-only one', async () => {
    const states = await rows<{ status: string; visibility: string; phase: string }>(
      slug,
      sql`
      select distinct status, visibility, case when opens_at > now() then 'upcoming' when closes_at < now() and outcome <> '{}' then 'results'
        when closes_at < now() then 'closed' else 'open' end as phase from projects`,
    )
    const found = new Set(
      states.flatMap(({ status, visibility, phase }) => [status, visibility, ...(status === 'published' ? [phase] : [])]),
    )
    for (const state of [
      'draft',
      'in_review',
      'scheduled',
      'published',
      'archived',
      'public',
      'members',
      'hidden',
      'upcoming',
      'open',
      'closed',
      'results',
    ])
      expect(found).toContain(state)
    const closing = await rows(
      slug,
      sql`select 1 from projects where status = 'published' and closes_at between now() and now() + interval '4 days'`,
    )
    expect(closing.length).toBeGreaterThan(0)
    const member = await rows(
      slug,
      sql`select 1 from project_members pm join users u on u.id = pm.user_id where u.email = ${`participant@${content.mailDomain}`}`,
    )
    expect(member).toHaveLength(1)
  })

  test('stored counts of people and responses match the rows', async () => {
    const wrong = await rows(
      slug,
      sql`
      select s.slug from surveys s where s.responses_count <> (select count(*) from responses r where r.survey_id = s.id)
      union all
      select p.slug from projects p where p.participants <> (select count(distinct coalesce(r.user_id, r.id)) from responses r join surveys s on s.id = r.survey_id where s.project_id = p.id)`,
    )
    expect(wrong).toEqual([])
  })

  test('nobody responded before the opening, after the closing or in the future', async () => {
    const wrong = await rows(
      slug,
      sql`
      select r.id from responses r join surveys s on s.id = r.survey_id
      where r.submitted_at < s.opens_at or r.submitted_at > s.closes_at or r.submitted_at > now() or r.edited_at > now()`,
    )
    expect(wrong).toEqual([])
  })

  test('every survey could be published, and every response could have been given', async () => {
    const surveys = await rows<{ id: string; slug: string; definition: unknown; required: boolean }>(
      slug,
      sql`select id, slug, definition from surveys`,
    )
    expect(surveys.length).toBeGreaterThan(5)
    for (const survey of surveys) {
      const definition = v.parse(definitionSchema, survey.definition)
      expect([survey.slug, checkDefinition(definition, content.languages)]).toEqual([survey.slug, []])
      for (const { answers } of await rows<{ answers: unknown }>(slug, sql`select answers from responses where survey_id = ${survey.id}`)) {
        const given = v.parse(answersSchema, answers)
        const walked = walkSurvey(expandCarriedOptions(definition), given, '')
        expect([survey.slug, walked.kept, checkAnswers(listAskedQuestions(walked), given)]).toEqual([survey.slug, given, []])
      }
    }
  })

  test('no question’s help text says how many to choose, because the form already does', () => {
    const said = Object.values(content.projects)
      .flatMap(({ surveys }) => surveys)
      .flatMap(({ pages }) => pages)
      .flatMap(({ questions }) => questions)
      .flatMap((question) => ('maxChoices' in question && question.help ? Object.values(question.help) : []))
    expect(said.filter((help) => /^(choose|choisissez|dewiswch)/i.test(help))).toEqual([])
  })

  test('people write in the language they respond in, and in every language of the site', async () => {
    const languages = await rows<{ language: string }>(slug, sql`select distinct language from responses order by 1`)
    expect(languages.map((row) => row.language)).toEqual([...content.languages].sort())
  })

  test('every text exists in every language of the site and in no other', () => {
    const wrong = translatedTexts(content).filter(({ languages }) => languages.join() !== [...content.languages].sort().join())
    expect(wrong).toEqual([])
  })

  test('every picture and document exists; pictures are small, without scripts or external addresses', async () => {
    const files = await rows<{ file: string }>(
      slug,
      sql`select picture as file from projects union select picture from hubs union select file from project_documents`,
    )
    const all = [...files.map((row) => row.file), content.home.hero.picture, `/demo/${slug}/mark.svg`]
    for (const file of all) {
      expect([file, existsSync(PUBLIC + file)]).toEqual([file, true])
      if (!file.endsWith('.svg')) continue
      const svg = readFileSync(PUBLIC + file, 'utf8')
      expect([file, svg.length < 6144]).toEqual([file, true])
      expect([file, /<script|\son\w+=|href=|url\((?!#)/i.test(svg.replace(/<use href="#/g, '<use '))]).toEqual([file, false])
    }
  })

  test('projects are found by words without accents', async () => {
    const unfolded = await rows(
      slug,
      sql`select slug from projects where search_text = '' or search_text <> lower(search_text) or search_text ~ '[àâéèêëîïôöûüŵŷ]'`,
    )
    expect(unfolded).toEqual([])
  })
})

test('the demo uses every question type in each of the three languages', async () => {
  for (const site of ['riverbend', 'dyffryn']) {
    const asked = await rows<{ type: string }>(
      site,
      sql`select distinct question->>'type' as type from survey_versions, jsonb_path_query(definition, '$.pages[*].questions[*]') as question`,
    )
    expect(asked.map(({ type }) => type).sort()).toEqual([...QUESTION_TYPES].sort())
  }
})

test('the same people say the same things in every demo', async () => {
  const other = await createTestRuntime()
  await seedDemo(other.database)
  const shares = sql`select s.slug, r.language, md5(string_agg(r.answers::text, '|' order by r.answers::text)) as answers
    from responses r join surveys s on s.id = r.survey_id group by 1, 2 order by 1, 2`
  const first = await rows('riverbend', shares)
  runtime = other
  expect(await rows('riverbend', shares)).toEqual(first)
})

interface Found {
  text: string
  languages: string[]
}

/** Every translated text in the content. */
function translatedTexts(value: unknown): Found[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = Object.keys(value)
  const isTranslated =
    keys.length > 0 &&
    keys.every((key) => (LANGUAGES as readonly string[]).includes(key)) &&
    Object.values(value).every((text) => typeof text === 'string')
  if (isTranslated)
    return [
      {
        text: Object.values(value).join(' / ').slice(0, 60),
        languages: Object.entries(value)
          .filter(([, text]) => text.trim())
          .map(([key]) => key)
          .sort(),
      },
    ]
  return Object.values(value).flatMap(translatedTexts)
}

test.each(DEMO_SITES)(
  '$slug: every block of its pages is valid and complete in each language, and every kind is shown',
  async ({ slug, languages }) => {
    const stored = await rows<{ block: HomeBlock }>(
      slug,
      sql`select jsonb_array_elements(content->'blocks') as block from homepage_revisions`,
    )
    expect(stored.filter(({ block }) => !v.is(homeBlockSchema, block)).map(({ block }) => block.id)).toEqual([])
    expect(
      findMissingTexts(
        stored.map(({ block }) => block),
        languages,
      ).map(({ name }) => name),
    ).toEqual([])
    expect(new Set(stored.map(({ block }) => block.type))).toEqual(new Set(BLOCK_TYPES))
  },
)
