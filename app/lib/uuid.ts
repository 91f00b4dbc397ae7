import { v7 } from 'uuid'
import * as v from 'valibot'

/** A new time-ordered identifier (UUIDv7), made in the application so that any engine can hold it. */
export const createId = (): string => v7()

export const idSchema = v.pipe(v.string(), v.uuid())
/** An identifier that stands in an address: where it is none, nothing is found there. */
export const idPartSchema = v.pipe(v.string(), v.uuid('not-found'))
export const isId = (value: unknown): value is string => v.is(idSchema, value)
