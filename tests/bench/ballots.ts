import { randomUUID } from 'node:crypto'
import { createToken, hashToken } from '#app/server/auth/tokens.ts'
import { queryAsOwner } from '#tests/support/remote-api.ts'
import { describeLoadFaults, runLoad } from './load.ts'
import { computeMedian, type Measurement, roundTo } from './measurement.ts'
import { IS_QUICK, limitSeconds, ROUNDS } from './pace.ts'

const CLIENTS = 200
const SECONDS = 20
const SHORT_SECONDS = 4
/** Each votes once, so there must be more than can vote in that time. */
const PEOPLE_A_SECOND = 2000
const PROMISED = { perSecond: 1000, p95: 250 }
const JSON_API = 'application/vnd.api+json'

/** People with accounts vote on a budget, each once. Ballots and voters are counted in the database afterwards. */
export const ballots: Measurement = {
  name: 'storm of ballots',
  run: async ({ product, databaseUrl, short }) => {
    const seconds = limitSeconds(short ? SHORT_SECONDS : SECONDS)
    const round = await addRound(databaseUrl)
    const acknowledged: string[] = []
    const faults: string[] = []
    const rates: number[] = []
    const p95: number[] = []
    const cast = async (most: number) => {
      const load = await runLoad({
        port: product.port,
        clients: CLIENTS,
        seconds,
        most,
        method: 'POST',
        path: '/api/v2/budget-ballots',
        headers: { accept: JSON_API, 'content-type': JSON_API },
        bearers: await addPeople(databaseUrl, round.siteId, most),
        body: CHOICES.map((options) => describeBallot(round.id, options)),
        withIds: true,
      })
      acknowledged.push(...load.acknowledged)
      faults.push(...describeLoadFaults('voting', load))
      return load
    }
    await cast(300)
    for (let count = 0; count < ROUNDS; count++) {
      const load = await cast(PEOPLE_A_SECOND * seconds)
      rates.push(load.perSecond)
      p95.push(load.p95)
    }
    const [stored] = await queryAsOwner<{ ballots: number; voters: number }>(
      databaseUrl,
      `select (select count(*)::int from budget_ballots where round_id = $1) as ballots,
         (select count(*)::int from budget_voters where round_id = $1 and is_counted) as voters`,
      [round.id],
    )
    for (const [what, count] of Object.entries(stored ?? {}))
      if (count !== acknowledged.length) faults.push(`${acknowledged.length} ballots were acknowledged, and there are ${count} ${what}`)
    const measured = { perSecond: roundTo(computeMedian(rates), 0), p95: roundTo(computeMedian(p95), 0) }
    if (!IS_QUICK && measured.perSecond < PROMISED.perSecond)
      faults.push(`${measured.perSecond} a second, fewer than the promised ${PROMISED.perSecond}`)
    if (!IS_QUICK && measured.p95 > PROMISED.p95) faults.push(`95 of 100 within ${measured.p95} ms, not the promised ${PROMISED.p95}`)
    return {
      summary: `Ballots on a budget cast by ${CLIENTS} people at once, each of them once`,
      ratios: {},
      values: { ...measured, acknowledged: acknowledged.length },
      faults,
    }
  },
}

const CHOICES = [[1], [2, 3], [1, 4, 6], [5, 7, 8, 9], [10]]

const describeBallot = (roundId: string, options: readonly number[]): string =>
  JSON.stringify({
    data: {
      type: 'budget-ballots',
      attributes: { options, seen: 0, sendingId: '{id}', sendKey: 'known-to-the-sender-alone' },
      relationships: { round: { data: { type: 'budget-rounds', id: roundId } } },
    },
  })

/** A round of ten options for people with accounts, open for a day. */
async function addRound(url: string): Promise<{ siteId: string; id: string }> {
  const id = randomUUID()
  const [project] = await queryAsOwner<{ id: string; site_id: string }>(
    url,
    `select id, site_id from projects where site_id = (select id from sites where slug = 'riverbend') and status = 'published' and visibility = 'public'
     order by slug limit 1`,
  )
  if (!project) throw new Error('The demo has no project')
  const siteId = project.site_id
  await queryAsOwner(
    url,
    `insert into budget_rounds (site_id, id, project_id, slug, title, status, ballot_type, access, opens_at, closes_at, seed)
     values ($1, $2, $3, 'bench-' || $2::uuid, '{"en": "Bench"}', 'published', 'approve', 'confirmed', now() - interval '1 day', now() + interval '1 day', 'bench')`,
    [siteId, id, project.id],
  )
  await queryAsOwner(
    url,
    `with pot as (insert into budget_pots (site_id, id, round_id, title, amount) values ($1, gen_random_uuid(), $2, '{"en": "Pot"}', 10000000) returning id)
     insert into budget_options (site_id, id, round_id, pot_id, number, title, cost, state)
     select $1, gen_random_uuid(), $2, pot.id, n, '{"en": "Option"}', n * 100000, 'feasible' from pot, generate_series(1, 10) n`,
    [siteId, id],
  )
  return { siteId, id }
}

/** Accounts with a confirmed address. @returns the token of each */
async function addPeople(url: string, siteId: string, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, createToken)
  await queryAsOwner(
    url,
    `with given as (select gen_random_uuid() as id, hash from unnest($2::bytea[]) as hash),
       people as (insert into users (site_id, id, email, login, email_confirmed_at)
         select $1, id, id || '@people.example', id::text, now() from given)
     insert into sessions (site_id, id, user_id, token_hash, expires_at)
     select $1, gen_random_uuid(), id, hash, now() + interval '1 day' from given`,
    [siteId, tokens.map(hashToken)],
  )
  return tokens
}
