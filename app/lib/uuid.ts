import { v5, v7 } from 'uuid'
import * as v from 'valibot'

/** A new time-ordered id (UUIDv7), generated in the application so that any database engine can store it. */
export const createId = (): string => v7()

/** When a UUIDv7 was made, in milliseconds since 1970; undefined for an id of another version. */
export const readIdTime = (id: string): number | undefined =>
  id[14] === '7' ? Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) : undefined

/** The id of something that has a name of its own inside of something else: the same name always gets the same id. */
export const deriveId = (name: string, inside: string): string => v5(name, inside)

export const idSchema = v.pipe(v.string(), v.uuid())
/** An id received in an address: an invalid one is answered as not found. */
export const idPartSchema = v.pipe(v.string(), v.uuid('not-found'))
export const isId = (value: unknown): value is string => v.is(idSchema, value)
