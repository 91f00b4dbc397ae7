import pg from 'pg'
import { createId } from '#app/lib/uuid.ts'
import { queryAsOwner } from '#tests/support/remote-api.ts'
import { takeSample } from './compare.ts'
import { GOALS } from './goals.ts'
import { type Measurement, roundTo } from './measurement.ts'
import type { BenchSetup } from './setup.ts'
import { signInAdministrator } from './sign-in-administrator.ts'

const PEOPLE = 1_000_000
/** Still enough rows that scanning all of them would show. */
const SHORT_PEOPLE = 50_000
const PAGE_SIZE = 50
const ROUNDS = 60
/** Not a site used by other measurements. */
const SITE = 'dyffryn'
const AREAS = 12
/** So many options that each is a tenth of the people. */
const LANGUAGES = 10
const SORTS = ['login', '-login', 'createdAt', '-createdAt', '-lastSeenAt', 'email'] as const
/** How long ago people answered, at most. */
const DAYS = 500

/**
 * Through the API: the list of people, filtered by three answers and sorted, by itself and together with each filter by what people did; and a
 * group that holds a tenth of the people by its rule.
 */
export const people: Measurement = {
  name: 'people',
  run: async (ground) => {
    const count = ground.short ? SHORT_PEOPLE : PEOPLE
    const token = await addPeople(ground, count)
    const faults: string[] = []
    const ask = async (path: string): Promise<{ ms: number; body: string }> => {
      const from = performance.now()
      const { status, body } = await takeSample(ground.product.port, `/api/v2/${path}`, {
        host: `${SITE}.localhost:${ground.product.port}`,
        accept: 'application/vnd.api+json',
        'x-api-token': `Bearer ${token}`,
      })
      if (status !== 200) faults.push(`${path} was answered with ${status}`)
      return { ms: performance.now() - from, body: body.toString() }
    }
    const timeList = async (more: string) => {
      const took: number[] = []
      let found = 0
      for (let round = 0; round < ROUNDS; round++) {
        const answers = `bench-born:25-34,bench-area:a${round % AREAS},bench-home:h${round % LANGUAGES}`
        const { ms, body } = await ask(
          `users?filter%5Bprofile%5D=${encodeURIComponent(answers)}${more}&sort=${SORTS[round % SORTS.length]}&page%5Bsize%5D=${PAGE_SIZE}`,
        )
        took.push(ms)
        found = Math.max(found, (JSON.parse(body) as { meta: { total: number } }).meta.total)
      }
      if (found === 0) faults.push(`nobody was found by three answers${more}`)
      return { found, p95: took.toSorted((a, b) => a - b)[Math.floor(0.95 * (took.length - 1))] ?? 0 }
    }
    const { found, p95: listP95 } = await timeList('')
    const narrower: Record<string, number> = {}
    for (const [name, value] of Object.entries(await listMoreFilters(ground))) {
      narrower[name] = roundTo((await timeList(`&filter%5B${name}%5D=${value}`)).p95, 0)
    }
    const group = await timeGroup(ground, ask)
    const expected = count / LANGUAGES
    if (Math.abs(group.members - expected) > expected / 10) faults.push(`the group has ${group.members} members`)
    const summary = `${count} people listed by three answers and sorted, and a group by rule of ${group.members}`
    const values = { listP95: roundTo(listP95, 0), ...narrower, found, groupMs: roundTo(group.ms, 0), members: group.members }
    const slowest = Math.max(listP95, ...Object.values(narrower))
    if (count < PEOPLE) return { summary, ratios: {}, values, faults }
    const { withinMs: listMs = 0 } = GOALS['people: list'] ?? {}
    const { withinMs: groupMs = 0 } = GOALS['people: group'] ?? {}
    if (slowest > listMs) faults.push(`the list took ${roundTo(slowest, 0)} ms, more than ${listMs}`)
    if (group.ms > groupMs) faults.push(`the group took ${roundTo(group.ms, 0)} ms, more than ${groupMs}`)
    return {
      summary,
      ratios: {},
      values,
      faults,
      kinds: {
        'people: list': { summary, ratios: {}, values: { milliseconds: roundTo(slowest, 0), found }, faults: [] },
        'people: group': { summary, ratios: {}, values: { milliseconds: values.groupMs, members: group.members }, faults: [] },
      },
    }
  },
}

/** A value for each filter that compares what people did: when they took part, in how many projects, where, and what they follow. */
async function listMoreFilters({ databaseUrl }: BenchSetup): Promise<Record<string, string>> {
  const [place] = await queryAsOwner<{ topic: string; project: string; hub: string }>(
    databaseUrl,
    `select p.topic_id as topic, p.id as project, p.hub_id as hub from projects p
     where p.site_id = (select id from sites where slug = '${SITE}') and p.topic_id is not null
     order by (select count(*) from project_follows f where f.project_id = p.id) desc limit 1`,
  )
  if (!place) throw new Error(`${SITE} has no project with a topic`)
  return { tookPart: 'last-90-days', projectsAtLeast: '2', followsTopic: place.topic, project: place.project, hub: place.hub }
}

/** Until the size and the first members of a group by rule are known; the longest of three, each asked for the first time. */
async function timeGroup({ databaseUrl }: BenchSetup, ask: (path: string) => Promise<{ ms: number; body: string }>) {
  let [longest, members] = [0, 0]
  for (const home of ['h0', 'h1', 'h2']) {
    const id = createId()
    await queryAsOwner(
      databaseUrl,
      `insert into people_groups (site_id, id, name, rule) select id, $1, $2, $3 from sites where slug = '${SITE}'`,
      [id, `Bench ${home}`, { profile: `bench-home:${home}` }],
    )
    const size = await ask(`groups/${id}`)
    const page = await ask(`users?filter%5Bgroup%5D=${id}&page%5Bsize%5D=${PAGE_SIZE}`)
    longest = Math.max(longest, size.ms + page.ms)
    members = (JSON.parse(size.body) as { data: { attributes: { members: number } } }).data.attributes.members
  }
  return { ms: longest, members }
}

/** Adds people who have all answered three questions, spread evenly. @returns the token of an administrator of the site */
async function addPeople({ databaseUrl }: BenchSetup, count: number): Promise<string> {
  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  try {
    const { rows } = await owner.query<{ id: string }>('select id from sites where slug = $1', [SITE])
    const site = rows[0]?.id
    if (!site) throw new Error(`There is no site ${SITE}`)
    // Without looking up what each row refers to, which takes longer than everything else.
    await owner.query('set session_replication_role = replica')
    await owner.query(
      `insert into users (site_id, id, email, login, password_hash, email_confirmed_at, created_at, last_seen_at)
       select $1, gen_random_uuid(), 'p' || i || '@bench.example', initcap(substr(md5(i::text), 1, 6)) || ' ' || initcap(substr(md5((i * 7)::text), 1, 8)),
         'x', now(), now() - i * interval '1 minute', now() - (i % 5000) * interval '1 hour' from generate_series(1, $2::int) i`,
      [site, count],
    )
    const place = `substr(u.email, 2, position('@' in u.email) - 2)::int`
    const questions = [
      ['bench-born', 'year-of-birth', `to_jsonb(1940 + (${place} * 31) % 71)`, `(1940 + (${place} * 31) % 71)::text`],
      ['bench-area', 'one-choice', choiceOf(`'a' || (${place} / 7) % ${AREAS}`), `'a' || (${place} / 7) % ${AREAS}`],
      ['bench-home', 'one-choice', choiceOf(`'h' || (${place} / 91) % ${LANGUAGES}`), `'h' || (${place} / 91) % ${LANGUAGES}`],
    ] as const
    for (const [key, type, answer, option] of questions) {
      const id = createId()
      await owner.query(
        `insert into profile_questions (site_id, id, key, type, label, purpose, asked_at, retention_months, status)
         values ($1, $2, $3, $4, '{"cy":"Mainc"}', '{"cy":"mesur"}', 'account-only', 24, 'live')`,
        [site, id, key, type],
      )
      await owner.query(
        `insert into profile_answers (site_id, id, user_id, question_id, answer, source)
         select $1, gen_random_uuid(), u.id, $2, ${answer}, 'import' from users u where u.site_id = $1 and u.email like '%@bench.example'`,
        [site, id],
      )
      await owner.query(
        `insert into profile_answer_options (site_id, question_id, option, user_id)
         select $1, $2, ${option}, u.id from users u where u.site_id = $1 and u.email like '%@bench.example'`,
        [site, id],
      )
    }
    await addParticipation(owner, site)
    const token = await signInAdministrator(owner, site, 'site_admin', null)
    for (const table of ['users', 'profile_answers', 'profile_answer_options', 'responses', 'project_follows', 'contributions'])
      await owner.query(`vacuum analyze ${table}`)
    return token
  } finally {
    await owner.end()
  }
}

/** A third of the people answered one survey, a tenth of them another one too; a tenth follow a project, and a fiftieth contributed. */
async function addParticipation(owner: pg.Client, site: string): Promise<void> {
  const people = `(select id, row_number() over (order by id) as n from users where site_id = $1 and email like '%@bench.example') u`
  const nth = (table: string, n: number, where: string) =>
    `(select t.id from ${table} t where t.site_id = $1 and ${where} order by t.id offset ${n} limit 1)`
  for (const [survey, share] of [
    [0, 3],
    [1, 30],
  ] as const) {
    await owner.query(
      `insert into responses (site_id, id, survey_id, version, user_id, language, source, answers, receipt_hash, submitted_at, number)
       select $1, gen_random_uuid(), s.id, 1, u.id, 'cy', 'web', '{}', sha256((s.id || u.id::text)::bytea),
         now() - (u.n % ${DAYS}) * interval '1 day', 1000000 + u.n
       from ${people}, surveys s where u.n % ${share} = 0 and s.id = ${nth('surveys', survey, `t.status = 'published' and not t.anonymous`)}`,
      [site],
    )
  }
  await owner.query(
    `insert into project_follows (site_id, project_id, user_id)
     select $1, ${nth('projects', 0, `t.status = 'published' and t.topic_id is not null`)}, u.id from ${people} where u.n % 10 = 1`,
    [site],
  )
  await owner.query(
    `insert into contributions (site_id, id, activity_id, number, author_id, source, state, body, title, language, receipt_hash, submitted_at)
     select $1, gen_random_uuid(), ${nth('activities', 0, 'true')}, 1000000 + u.n, u.id, 'web', 'published', 'b', 't', 'cy', sha256(u.id::text::bytea),
       now() - (u.n % ${DAYS}) * interval '1 day' from ${people} where u.n % 50 = 2`,
    [site],
  )
}

const choiceOf = (option: string): string => `jsonb_build_object('choice', ${option})`
