import type { ProfileQuestionRow } from '#app/features/profile-answers/profile-answers.server.ts'
import { checkAnswers, tidyAnswers } from '#app/features/surveys/questionnaire/answers.ts'
import type { Answer } from '#app/features/surveys/surveys.schema.ts'
import type { Fault } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { listAnswerTexts } from './answers.server.ts'
import { loadAreaOptions, lockQuestions, selectQuestions } from './asked-questions.server.ts'
import { toQuestion, withLimits } from './profile-questions.ts'
import type { ProfileAnswer } from './profile.schema.ts'

/** Reads cells of a table as answers to one question about people. */
export interface CellReader {
  row: ProfileQuestionRow
  /** In the page's language, as is the purpose. */
  label: string
  purpose: string
  /** Whether the heading of a column names the question: by its key, or by its label in any language. */
  isNamedBy: (heading: string) => boolean
  /** An empty cell is no answer. @param cell options and areas by their name in any language or their id, several of them with `;` between */
  read: (cell: string) => { answer: Answer | undefined; text: string; fault: Fault['code'] | null }
}

/**
 * The questions that are asked now and whose answers may come from a table. Sensitive answers are given by the person alone.
 * @param locks keeps the questions as they are until the transaction ends
 */
export async function loadCellReaders(ctx: Ctx, tx: Tx, { locks }: { locks: boolean }): Promise<CellReader[]> {
  const all = await selectQuestions(ctx, tx)
  const rows = locks ? await lockQuestions(ctx, tx, { keys: all.map(({ key }) => key) }) : all
  const areas = await loadAreaOptions(ctx, tx, rows)
  const areaNames = new Map(areas.map(({ slug, name }) => [slug, name]))
  return rows
    .filter(({ status, sensitive, type }) => status === 'live' && !sensitive && (type !== 'area' || areas.length > 0))
    .map((row) => {
      const question = withLimits(toQuestion({ ...row, required: false }, areas), row.type, ctx.now())
      const words = [row.key, ...Object.values(row.label)].map(normaliseText)
      return {
        row,
        label: localiseText(row.label, ctx.contentLanguage, ctx.site.locale).text,
        purpose: localiseText(row.purpose, ctx.contentLanguage, ctx.site.locale).text,
        isNamedBy: (heading) => words.includes(normaliseText(heading)),
        read: (cell) => {
          if (!cell.trim()) return { answer: undefined, text: '', fault: null }
          const given = readCell(row, areaNames, cell.trim())
          const [fault] = given === undefined ? [{ code: 'not-a-choice' as const }] : checkAnswers([question], { [row.key]: given })
          const isYear = row.type === 'year-of-birth'
          if (given === undefined || fault)
            return { answer: undefined, text: '', fault: isYear ? 'not-a-year' : (fault?.code ?? 'not-a-choice') }
          const answer = tidyAnswers({ schema: 1, pages: [{ id: 'about', questions: [question] }] }, { [row.key]: given })[row.key]
          return {
            answer,
            text: answer === undefined ? '' : listAnswerTexts(ctx, row, answer as ProfileAnswer, areaNames).join('; '),
            fault: null,
          }
        },
      }
    })
}

/** @returns undefined if something in the cell cannot be chosen */
function readCell({ type, options }: ProfileQuestionRow, areaNames: ReadonlyMap<string, string>, cell: string): Answer | undefined {
  const findOption = (typed: string): string | undefined => {
    const wanted = normaliseText(typed)
    const offered =
      type === 'area'
        ? [...areaNames].map(([id, name]) => ({ id, words: [id, name] }))
        : options.filter(({ retired }) => !retired).map(({ id, label }) => ({ id, words: [id, ...Object.values(label)] }))
    return offered.find(({ words }) => words.some((word) => normaliseText(word) === wanted))?.id
  }
  switch (type) {
    case 'year-of-birth':
      return /^\d{4}$/.test(cell) ? Number(cell) : undefined
    case 'one-choice':
    case 'area': {
      const choice = findOption(cell)
      return choice === undefined ? undefined : { choice }
    }
    case 'several-choices': {
      const choices = cell
        .split(';')
        .filter((part) => part.trim())
        .map(findOption)
      return choices.every((choice) => choice !== undefined) ? { choices: [...new Set(choices)] } : undefined
    }
    case 'postcode':
    case 'short-text':
      return cell
  }
}
