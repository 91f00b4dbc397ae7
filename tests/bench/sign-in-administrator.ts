import type pg from 'pg'
import { createId } from '#app/lib/uuid.ts'
import { createToken, hashToken } from '#app/server/auth/tokens.ts'

/** Creates a signed-in administrator of a site or one of its hubs. @returns the token */
export async function signInAdministrator(owner: pg.Client, site: string, role: string, hub: string | null): Promise<string> {
  const [id, token] = [createId(), createToken()]
  await owner.query(`insert into users (site_id, id, email, login, email_confirmed_at) values ($1, $2, $3, 'Admin', now())`, [
    site,
    id,
    `${role}@bench.example`,
  ])
  await owner.query(
    `insert into sessions (site_id, id, user_id, token_hash, expires_at) values ($1, $2, $3, $4, now() + interval '1 day')`,
    [site, createId(), id, hashToken(token)],
  )
  await owner.query(`insert into memberships (site_id, id, user_id, role, hub_id) values ($1, $2, $3, $4, $5)`, [
    site,
    createId(),
    id,
    role,
    hub,
  ])
  return token
}
