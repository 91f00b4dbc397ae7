import * as v from 'valibot'
import { normaliseText } from './normalise-text.ts'

/** The part of an address that names a thing: small letters, digits and single hyphens. */
export const slugSchema = v.pipe(v.string(), v.maxLength(80), v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/))

/** What stands in an address in the place of a slug: what is too long to be one leads nowhere. */
export const slugPartSchema = v.pipe(v.string(), v.maxLength(200, 'not-found'))

/** A slug made of a title, or '' where the title has no letter that can stand in one. */
export function toSlug(title: string): string {
  return normaliseText(title)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 70)
    .replace(/^-+|-+$/g, '')
}

export const isSlug = (value: unknown): value is string => v.is(slugSchema, value)
