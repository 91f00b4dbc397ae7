import { AppError } from '../lib/app-error.ts'
import type { ErrorCode } from '../lib/error-catalogue.ts'
import type { Language } from '../lib/languages.ts'
import type { Translated } from '../lib/translated.ts'
import { toSlug } from '../lib/slug.ts'
import { violatedConstraint } from './db/client.ts'
import { findSqlState } from './db/sql-state.ts'

const UNIQUE = '23505'

/** Runs a write; a value that another row of the site already has becomes a fault at `pointer`. */
export async function refuseDuplicate<T>(pointer: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (findSqlState(error) === UNIQUE && !violatedConstraint(error)?.endsWith('_pkey')) {
      throw new AppError('invalid', { faults: [{ code: 'taken' satisfies ErrorCode, pointer }] })
    }
    throw error
  }
}

/** A free slug for something new: the requested one, else one derived from its title. */
export async function chooseFreeSlug(
  asked: string | undefined,
  title: Translated,
  locale: Language,
  fallback: string,
  isTaken: (slug: string) => Promise<boolean>,
): Promise<string> {
  if (asked) return asked
  const base = toSlug(title[locale] ?? Object.values(title).find((text) => text?.trim()) ?? '') || fallback
  for (let number = 1; number < 1000; number++) {
    const slug = number === 1 ? base : `${base}-${number}`
    if (!(await isTaken(slug))) return slug
  }
  throw new AppError('conflict')
}

type Texts = Record<string, Translated>

/** One fault for each text and language that is missing. */
export function findMissingTranslations(texts: Texts, languages: readonly Language[]) {
  return Object.entries(texts).flatMap(([name, text]) =>
    languages
      .filter((language) => !text[language]?.trim())
      .map((language) => ({ code: 'translation-missing' as const, pointer: `/${name}/${language}`, values: { language } })),
  )
}

/** The same for what is public already: only what it had so far. What lacks a language that the site added later is translated one text after the other. */
export function findLostTranslations(before: Texts, after: Texts, languages: readonly Language[]) {
  const lacked = new Set(findMissingTranslations(before, languages).map(({ pointer }) => pointer))
  return findMissingTranslations(after, languages).filter(({ pointer }) => !lacked.has(pointer))
}
