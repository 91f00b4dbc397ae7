import Negotiator from 'negotiator'
import { type ContentLanguage, LANGUAGES, type Language, matchLanguage } from '../lib/languages.ts'

export const MAX_HEADER_LENGTH = 1000

/** The offered language that an Accept-Language header prefers, by its weights, or undefined if it accepts none of them. */
export function findPreferredLanguage(header: string | null | undefined): Language | undefined
export function findPreferredLanguage<L extends ContentLanguage>(header: string | null | undefined, offered: readonly L[]): L | undefined
export function findPreferredLanguage(
  header: string | null | undefined,
  offered: readonly ContentLanguage[] = LANGUAGES,
): ContentLanguage | undefined {
  if (!header || header.length > MAX_HEADER_LENGTH) return undefined
  const tags = new Negotiator({ headers: { 'accept-language': header } }).languages()
  return tags.map((tag) => matchLanguage(tag, offered)).find((language) => language !== undefined)
}
