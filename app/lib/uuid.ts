import { v7 } from 'uuid'
import * as v from 'valibot'

/** A new time-ordered identifier (UUIDv7), made in the application so that any engine can hold it. */
export const newId = (): string => v7()

export const idSchema = v.pipe(v.string(), v.uuid())
export const isId = (value: unknown): value is string => v.is(idSchema, value)
