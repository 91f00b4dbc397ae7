import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { ownFileSchema } from '../export/own-format.schema.ts'
import { assertShallow } from '../import/assert-shallow.ts'
import { combineVersions } from '../questionnaire/check-definition.ts'
import { type Answer, type Answers, answersSchema, type Definition, type QuestionType } from '../surveys.schema.ts'
import { MAX_ROWS } from './entry.schema.ts'

/** A question of the file, or a property of its responses. */
interface OwnColumn {
  key: string
  heading: string
  type?: QuestionType
}

/** A response as our own JSON export has it. */
interface OwnResponse {
  /** Texts of the columns about the response itself. */
  cells: Readonly<Record<string, string>>
  answers: Answers
}

export interface OwnAnswers {
  columns: OwnColumn[]
  responses: OwnResponse[]
}

const responseSchema = v.object({
  id: v.optional(v.string(), ''),
  submittedAt: v.optional(v.string(), ''),
  language: v.optional(v.string(), ''),
  answers: answersSchema,
})

/** Columns about the response itself, by their names in exports. */
const RESPONSE_COLUMNS = { response: 'id', submitted_at: 'submittedAt', language: 'language' } as const

export const isOwnJson = (text: string): boolean => /^\uFEFF?\s*\{/.test(text)

/**
 * The answers of a file in our own format, with a column for each question of any version.
 * @throws {AppError} `invalid` with `unreadable-file` or `too-many` at `/file`
 */
export function parseOwnAnswers(text: string, language: Language, fallback: Language): OwnAnswers {
  const { versions, definition, responses } = parseFile(text)
  if (responses.length > MAX_ROWS)
    throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/file', values: { max: MAX_ROWS } }] })
  const published = versions.map((version) => version.definition).toReversed()
  const asked = combineVersions(published.length > 0 || !definition ? published : [definition])
  return {
    columns: [
      ...Object.keys(RESPONSE_COLUMNS).map((key) => ({ key, heading: key })),
      ...asked.pages
        .flatMap((page) => page.questions)
        .filter(({ type }) => type !== 'info')
        .map(({ id, title, type }) => ({ key: id, heading: `${getTranslation(title, language, fallback)} [${id}]`, type })),
    ],
    responses: responses.map((each) => ({
      cells: Object.fromEntries(Object.entries(RESPONSE_COLUMNS).map(([key, name]) => [key, each[name]])),
      answers: each.answers,
    })),
  }
}

function parseFile(text: string) {
  try {
    assertShallow(text)
    const { responses, ...file } = v.parse(ownFileSchema, JSON.parse(text.replace(/^\uFEFF/, '')))
    if (responses.length === 0) throw new Error('There are no answers')
    return { ...file, responses: responses.map((response) => v.parse(responseSchema, response)) }
  } catch {
    throw new AppError('invalid', { faults: [{ code: 'unreadable-file', pointer: '/file' }] })
  }
}

/** The question of the survey that a column most likely belongs to: the same one, if its type is still the same. */
export function guessOwnTarget({ key, type }: OwnColumn, definition: Definition): string {
  if (type === undefined) return key
  const question = definition.pages.flatMap((page) => page.questions).find(({ id, removed }) => id === key && !removed)
  return question?.type === type && type !== 'file' ? key : ''
}

/** An answer in short, as an example of what a column holds. */
export const formatSample = (answer: Answer): string => (typeof answer === 'object' ? JSON.stringify(answer).slice(0, 100) : String(answer))
