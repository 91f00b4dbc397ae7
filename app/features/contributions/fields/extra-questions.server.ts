import { sql } from 'drizzle-orm'
import { getQuestionModule } from '#app/features/surveys/surveys.question-types.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { type ExtraQuestion, extraQuestionsSchema } from '../record/extra-question.schema.ts'
import { readExtraQuestions } from './fields.server.ts'
import { MAX_FIELD_OPTIONS, MAX_FIELDS } from '../record/fields.schema.ts'

interface Questioned {
  siteId: string
  id: string
  fields: unknown
}

/**
 * Extra questions as they are saved. What people have answered is kept: a question that is left out is archived, an option is no longer offered.
 * @param before undefined for a new activity
 * @throws {AppError} `invalid` with pointers below `/fields`; `question-type-fixed` for another type of a question that was answered
 */
export async function prepareExtraQuestions(tx: Tx, before: Questioned | undefined, given: unknown): Promise<ExtraQuestion[]> {
  const questions = requireValid(extraQuestionsSchema, given, { at: '/fields' })
  const answered = before ? await findAnswered(tx, before) : new Map<string, ExtraQuestion>()
  const faults = questions.flatMap((question, at) => {
    const pointer = `/fields/${at}`
    const former = answered.get(question.id)
    return [
      ...(questions.findIndex(({ id }) => id === question.id) === at ? [] : [{ code: 'taken' as const, pointer: `${pointer}/id` }]),
      ...(former && former.type !== question.type ? [{ code: 'question-type-fixed' as const, pointer: `${pointer}/type` }] : []),
      ...listDefinitionFaults(question, pointer),
    ]
  })
  if (questions.filter(({ archived }) => !archived).length > MAX_FIELDS)
    faults.push({ code: 'too-many', pointer: '/fields', values: { max: MAX_FIELDS } })
  if (faults.length > 0) throw new AppError('invalid', { faults })
  const ids = new Set(questions.map(({ id }) => id))
  const left = [...answered.values()].filter(({ id }) => !ids.has(id)).map((question) => ({ ...question, archived: true }))
  return [...questions.map((question) => keepOptions(question, answered.get(question.id))), ...left]
}

function listDefinitionFaults(question: ExtraQuestion, at: string): Fault[] {
  const faults = getQuestionModule(question).faults?.(question, at) ?? []
  const offered = 'options' in question ? question.options.filter(({ removed }) => !removed).length : 0
  return offered > MAX_FIELD_OPTIONS
    ? [...faults, { code: 'too-many', pointer: `${at}/options`, values: { max: MAX_FIELD_OPTIONS } }]
    : faults
}

/** An option that may have been chosen keeps its words. */
function keepOptions(question: ExtraQuestion, former: ExtraQuestion | undefined): ExtraQuestion {
  if (!('options' in question) || !former || !('options' in former)) return question
  const ids = new Set(question.options.map(({ id }) => id))
  const left = former.options.filter(({ id }) => !ids.has(id)).map((option) => ({ ...option, removed: true as const }))
  return { ...question, options: [...question.options, ...left] }
}

/** The questions that some contribution answers. */
async function findAnswered(tx: Tx, { siteId, id, fields }: Questioned): Promise<Map<string, ExtraQuestion>> {
  const known = readExtraQuestions({ fields })
  if (known.length === 0) return new Map()
  const { rows } = await tx.execute<{ id: string }>(
    sql`select distinct jsonb_object_keys(fields) as id from ${contributions} where site_id = ${siteId} and activity_id = ${id}`,
  )
  const answered = new Set(rows.map((row) => row.id))
  return new Map(known.filter((question) => answered.has(question.id)).map((question) => [question.id, question]))
}
