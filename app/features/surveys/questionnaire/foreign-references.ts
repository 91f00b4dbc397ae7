import type { Fault } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Definition } from '../surveys.schema.ts'
import { isTranslated } from './definition-texts.ts'
import { PIPE_PATTERN } from '#app/lib/piped-answers.ts'

/** A name or a call in braces, as other tools refer to answers: `{name}`, `${name}`, `{question.value}`, `{{contact.first name}}`. */
const BRACE_PATTERN = /\$?\{{1,3}\s*[\p{L}_#$][^{}]{0,200}\}{1,3}/gu

/** Texts of the survey itself, in which no answers are repeated. */
type SurveyTexts = Record<'title' | 'intro' | 'thanks', Translated>

/**
 * References to answers in the syntax of another tool, which participants would see as they stand: a warning, because somebody may mean to
 * show braces. Pointers as in `checkTexts` and `checkDefinition`.
 */
export function listForeignReferences({ title, intro, thanks }: SurveyTexts, { pages, endings }: Definition): Fault[] {
  return [
    ...listIn({ title, intro, thanks }, ''),
    ...listIn({ pages }, '', PIPE_PATTERN),
    // Endings do not repeat answers either.
    ...listIn({ endings }, ''),
  ]
}

/** @param own references in our syntax, which are not foreign here */
function listIn(part: object, at: string, own?: RegExp): Fault[] {
  if ('removed' in part && part.removed) return []
  return Object.entries(part).flatMap(([name, value]: [string, unknown]): Fault[] => {
    if (typeof value !== 'object' || value === null || name === 'showIf' || name === 'next') return []
    const pointer = `${at}/${name}`
    if (!isTranslated(value)) return listIn(value, pointer, own)
    return Object.entries(value).flatMap(([language, text]) =>
      findBraces(own ? text.replace(own, '') : text).map((found) => ({
        code: 'foreign-reference' as const,
        pointer: `${pointer}/${language}`,
        values: { text: found },
      })),
    )
  })
}

const findBraces = (text: string): string[] => [...new Set(text.match(BRACE_PATTERN))]
