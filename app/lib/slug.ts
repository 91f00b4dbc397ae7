import * as v from 'valibot'
import { normaliseText } from './normalise-text.ts'

/** The readable part of an address: lower-case letters, digits and single hyphens. */
export const slugSchema = v.pipe(v.string(), v.maxLength(80), v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/))

/** A slug received in an address: one that is too long is answered as not found. */
export const slugPartSchema = v.pipe(v.string(), v.maxLength(200, 'not-found'))

/** A slug made from a title, or '' if the title has no usable letter. */
export function toSlug(title: string): string {
  return normaliseText(title)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 70)
    .replace(/^-+|-+$/g, '')
}

export const isSlug = (value: unknown): value is string => v.is(slugSchema, value)
