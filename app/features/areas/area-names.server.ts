import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { areas } from '#app/server/db/schema/areas.ts'

/** SQL: the area's name in the page's language, or else its only or main one. */
export const selectAreaName = ({ language }: Pick<Ctx, 'language'>): SQL<string> =>
  sql<string>`coalesce(nullif(${areas.names} ->> ${language}::text, ''), ${areas.name})`
