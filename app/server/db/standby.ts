import type pg from 'pg'

type Queryable = Pick<pg.ClientBase, 'query'> | Pick<pg.Pool, 'query'>

/** The place in its log that the server which takes writes has reached: everything that is committed stands before it. */
export async function loadLogPlace(database: Queryable): Promise<string> {
  const { rows } = await database.query<{ place: string }>('select pg_current_wal_lsn()::text as place')
  return rows[0]?.place ?? ''
}

/** How many bytes of the log before `place` a standby has not repeated yet, at most 0 if it has all; undefined for a server that repeats nothing. */
export async function measureLag(standby: Queryable, place: string): Promise<number | undefined> {
  const { rows } = await standby.query<{ bytes: number | null }>(
    'select case when pg_is_in_recovery() then pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn())::float8 end as bytes',
    [place],
  )
  return rows[0]?.bytes ?? undefined
}
