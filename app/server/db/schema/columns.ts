import { customType, jsonb, timestamp } from 'drizzle-orm/pg-core'
import type { Translated } from '../../../lib/translated.ts'

/**
 * Columns that many tables have. The files next to this one hold the tables as the queries see them. The migrations create them;
 * `schema.test.ts` checks that both agree.
 */

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const bits = customType<{ data: string }>({ dataType: () => 'bit(8192)' })
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const translated = (name: string) => jsonb(name).$type<Translated>()
