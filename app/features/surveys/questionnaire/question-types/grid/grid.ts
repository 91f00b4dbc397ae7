import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { listDuplicateIdFaults } from '../choices/options.ts'
import { CHOSEN_CONTENT, createCodeContent, createColumn, getOwn, type QuestionModule } from '../question-type.ts'

type GridQuestion = QuestionOf<'likert' | 'matrix_one' | 'matrix_several'>

const findAnswerRows = (answer: Answer): Record<string, string[]> | undefined =>
  typeof answer === 'object' && 'rows' in answer ? answer.rows : undefined

const omitRemoved = <T extends { removed?: true | undefined }>(items: readonly T[]): T[] => items.filter((item) => !item.removed)

export const grid: QuestionModule<GridQuestion> = {
  read(question, sent) {
    const rows = omitRemoved(question.rows).flatMap(({ id }) => {
      const chosen = sent(id).filter(Boolean)
      return chosen.length > 0 ? [[id, chosen] as const] : []
    })
    return grid.tidy(question, { rows: Object.fromEntries(rows) })
  },
  fields: (_question, answer) => findAnswerRows(answer) ?? {},
  tidy(question, answer) {
    const rows = findAnswerRows(answer)
    if (!rows) return answer
    const order = new Map(question.columns.map(({ id }, index) => [id, index]))
    const place = new Map(question.rows.map(({ id }, index) => [id, index]))
    const kept = Object.entries(rows)
      .filter(([, columns]) => columns.length > 0)
      .map(
        ([row, columns]) =>
          [row, [...new Set(columns)].toSorted((a, b) => (order.get(a) ?? Infinity) - (order.get(b) ?? Infinity))] as const,
      )
      .toSorted(([a], [b]) => (place.get(a) ?? Infinity) - (place.get(b) ?? Infinity))
    return kept.length > 0 ? { rows: Object.fromEntries(kept) } : undefined
  },
  check(question, answer): Fault | undefined {
    const rows = findAnswerRows(answer)
    if (!rows) return { code: 'wrong-type' }
    const known = new Set(omitRemoved(question.rows).map(({ id }) => id))
    const columns = new Set(omitRemoved(question.columns).map(({ id }) => id))
    for (const [row, chosen] of Object.entries(rows)) {
      if (!known.has(row) || chosen.some((id) => !columns.has(id))) return { code: 'not-a-choice' }
      if (question.type !== 'matrix_several' && chosen.length > 1) return { code: 'too-many', pointer: `/${row}`, values: { max: 1 } }
    }
    const left = question.required ? omitRemoved(question.rows).find(({ id }) => !getOwn(rows, id)) : undefined
    return left ? { code: 'required', pointer: `/${left.id}` } : undefined
  },
  faults: (question, at) => [
    ...(omitRemoved(question.rows).length < 1 ? [{ code: 'too-few' as const, pointer: `${at}/rows`, values: { min: 1 } }] : []),
    ...(omitRemoved(question.columns).length < 2 ? [{ code: 'too-few' as const, pointer: `${at}/columns`, values: { min: 2 } }] : []),
    ...listDuplicateIdFaults(question.rows, `${at}/rows`),
    ...listDuplicateIdFaults(question.columns, `${at}/columns`),
  ],
  words(question, answer, { say, format }) {
    const label = (items: GridQuestion['rows'], id: string) => say(items.find((item) => item.id === id)?.label).text || id
    return Object.entries(findAnswerRows(answer) ?? {}).map(
      ([row, columns]) => `${label(question.rows, row)}${format.colon}${columns.map((id) => label(question.columns, id)).join(', ')}`,
    )
  },
  columns(question, say) {
    const label = (id: string) => say(question.columns.find((each) => each.id === id)?.label) || id
    const formatHeading = (row: GridQuestion['rows'][number], more = '') => `${say(question.title)}: ${say(row.label)}${more}`
    if (question.type === 'matrix_several') {
      return question.rows.flatMap((row) =>
        question.columns.map((each) =>
          createColumn(
            question,
            `${row.id}.${each.id}`,
            formatHeading(row, `, ${say(each.label)}`),
            (answer) => {
              const chosen = getOwn(findAnswerRows(answer) ?? {}, row.id)
              return chosen ? Number(chosen.includes(each.id)) : null
            },
            CHOSEN_CONTENT,
          ),
        ),
      )
    }
    return question.rows.flatMap((row) => [
      createColumn(
        question,
        row.id,
        formatHeading(row),
        (answer) =>
          getOwn(findAnswerRows(answer) ?? {}, row.id)
            ?.map(label)
            .join('; ') ?? null,
      ),
      createColumn(
        question,
        `${row.id}.code`,
        formatHeading(row),
        (answer) => getOwn(findAnswerRows(answer) ?? {}, row.id)?.[0] ?? null,
        createCodeContent(question.columns, say),
      ),
    ])
  },
  parts: (question) => omitRemoved(question.rows).map(({ id }) => id),
  missing: 'choose-rows',
}
