import { randomUUID } from 'node:crypto'
import { createToken, hashToken } from '#app/server/auth/tokens.ts'
import { queryAsOwner } from './remote-api.ts'

/** A round of ten options for people with accounts, open for a day. */
export async function addOpenRound(url: string): Promise<{ siteId: string; id: string }> {
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
     values ($1, $2, $3, 'storm-' || $2::uuid, '{"en": "Storm"}', 'published', 'approve', 'confirmed', now() - interval '1 day', now() + interval '1 day', 'seed')`,
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
export async function addVoters(url: string, siteId: string, count: number): Promise<string[]> {
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
  // As PostgreSQL does by itself, within a minute of so many new rows.
  await queryAsOwner(url, 'analyze users, sessions')
  return tokens
}

export const describeBallot = (roundId: string, sendingId: string, options: readonly number[]) => ({
  data: {
    type: 'budget-ballots',
    attributes: { options, seen: 0, sendingId, sendKey: 'known-to-the-sender-alone' },
    relationships: { round: { data: { type: 'budget-rounds', id: roundId } } },
  },
})

/** Ballots of a round, and people of whom it is stored that they have voted. */
export async function countStoredBallots(url: string, roundId: string): Promise<{ ballots: number; voters: number }> {
  const [stored] = await queryAsOwner<{ ballots: number; voters: number }>(
    url,
    `select (select count(*)::int from budget_ballots where round_id = $1) as ballots,
       (select count(*)::int from budget_voters where round_id = $1 and is_counted) as voters`,
    [roundId],
  )
  return stored ?? { ballots: 0, voters: 0 }
}
