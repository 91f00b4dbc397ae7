import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { findSuppressedCells, type SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { getSurveyWords } from '../questionnaire/survey-words.server.ts'
import { loadEveryVersion } from '../questionnaire/versions.server.ts'
import { loadCohortTallies, type SurveyKey } from '../responses/response-bitmaps.server.ts'
import { loadTalliesOfSurveys } from '../responses/response-counts.server.ts'
import { countTallied, type Tally } from '../responses/tallies.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import { type AnswerPair, buildCrossTable, type CrossTable, toPublishableCrossTable } from './cross-table.ts'
import { computeFigures, type CountedValue, type QuestionFigures, type SurveyFigures } from './figures.ts'
import { type ComparedQuestion, type GroupComparison, type Grouping, NO_GROUP } from './group-comparison.schema.ts'
import { listGroups } from './list-groups.server.ts'
import { canChooseSeveral, roundFiguresToFive, roundToFive, toPublishableFigures } from './publishable-figures.ts'
import { sortCells } from './sort-cells.ts'
import { formatItemLabel, formatValueLabel } from './value-labels.ts'
import { writeDifference } from './write-difference.server.ts'

/** Groups that stand side by side. The people of further ones are among those in no group. */
const MAX_GROUPS = 8
/** Answers of a long list. */
const MAX_ROWS = 20
/** Groups without figures, taken together, and answers that are not listed. No value of a question is called so. */
const HIDDEN_GROUPS = '~~'
const UNLISTED = '~~'

interface CompareInput {
  surveyId: string
  by: Grouping
  from?: Date | undefined
  to?: Date | undefined
  /** Small numbers are hidden from everybody: the figures leave the house. */
  isForOthers?: boolean
}

interface CountedGroup {
  id: string
  label: string
  tallies: readonly Tally[]
  people: number
}

/**
 * The answers to each question of a survey, group by group. Numbers are those of cross-tables: to the nearest five, small ones hidden with
 * those that would give them away. A group of few people is hidden with all its figures, and so is another that would give it away.
 * Only people who may see personal data get exact numbers, and never by area or by what people said in their account.
 * @throws {AppError} `not-found`, `forbidden`; `invalid-parameter` if the survey has no such groups
 */
export function compareGroups(ctx: Ctx, { surveyId, by, from, to, isForOthers = false }: CompareInput): Promise<GroupComparison> {
  return ctx.db.tx(async (tx) => {
    const { survey, project } = await requireSurveyFor(ctx, tx, 'responses.see', surveyId)
    const key = { siteId: ctx.site.id, id: survey.id }
    const versions = await loadEveryVersion(tx, ctx.site.id, survey.id)
    const period = from || to ? { groups: [], from, to } : undefined
    const marks = (await loadTalliesOfSurveys(tx, ctx.site.id, [survey.id], period)).get(survey.id) ?? []
    const isExact = !isForOthers && checkPermission(ctx.viewer, 'responses.export-personal', toPermissionTarget(project)).ok
    return countGroups(ctx, tx, { key, by, from, to, marks, whole: computeFigures({ ...versions, marks }), isExact })
  })
}

interface CountInput extends Pick<CompareInput, 'by' | 'from' | 'to'> {
  key: SurveyKey
  /** Of all who answered, and the figures of them. */
  marks: readonly Tally[]
  whole: SurveyFigures
  /** For people who may see personal data. */
  isExact: boolean
  /** Only this question. */
  question?: string
}

/** As `compareGroups`, in a transaction that may only read. The caller has checked who may see it. @throws {AppError} `invalid-parameter` */
export async function countGroups(ctx: Ctx, tx: Tx, given: CountInput): Promise<GroupComparison> {
  const { key, by, from, to, marks, whole, isExact, question: only } = given
  const { title, isFromAccounts, groups: named } = await listGroups(ctx, tx, by, whole)
  const counted: CountedGroup[] = []
  for (const { id, label, cohort } of named) {
    const tallies = await loadCohortTallies(tx, key, { ...cohort, from, to })
    counted.push({ id, label, tallies, people: countTallied(tallies) })
  }
  const isInFives = !isExact || isFromAccounts
  const noGroup = getTranslator(ctx.language, 'findings')('compare.no-group')
  const { shown, hidden } = chooseGroups(addPeopleInNone(pickLargest(counted), marks, noGroup), isInFives)
  const asked = (isInFives ? toPublishableFigures(roundFiguresToFive(whole)) : whole).questions
  const isAsked = ({ question: { id } }: QuestionFigures) =>
    (by.kind !== 'question' || id !== by.question) && (only === undefined || id === only)
  return {
    title,
    groups: shown.map(({ id, label, people }) => ({ id, label, people: isInFives ? roundToFive(people) : people })),
    hidden: hidden.map(({ label }) => label),
    isFromAccounts,
    isInFives,
    questions:
      shown.length < 2 ? [] : asked.filter(isAsked).flatMap((figures) => compareQuestion(ctx, figures, { marks, shown, isInFives })),
  }
}

/** The largest groups in their own order. */
function pickLargest(groups: readonly CountedGroup[]): CountedGroup[] {
  const largest = new Set(groups.toSorted((a, b) => b.people - a.people).slice(0, MAX_GROUPS))
  return groups.filter((group) => largest.has(group))
}

function addPeopleInNone(groups: readonly CountedGroup[], marks: readonly Tally[], label: string): CountedGroup[] {
  const tallies = subtractTallies(marks, groups)
  const people = countTallied(tallies)
  return people > 0 ? [...groups, { id: NO_GROUP, label, tallies, people }] : [...groups]
}

function subtractTallies(marks: readonly Tally[], groups: readonly CountedGroup[]): Tally[] {
  const rest = new Map(marks.map((tally) => [`${tally.question}\n${tally.value}`, { ...tally }]))
  for (const { tallies } of groups)
    for (const { question, value, count } of tallies) {
      const known = rest.get(`${question}\n${value}`)
      if (known) known.count -= count
    }
  return [...rest.values()].filter(({ count }) => count > 0)
}

/** A group is hidden in all questions or in none: what one question hides, another must not give away. */
function chooseGroups(groups: readonly CountedGroup[], isInFives: boolean): { shown: CountedGroup[]; hidden: CountedGroup[] } {
  if (!isInFives) return { shown: groups.filter(({ people }) => people > 0), hidden: [] }
  const cells = groups.map((group) => ({ group, count: group.people, sums: ['all'] }))
  const unseen = findSuppressedCells(cells, 'known')
  const list = (isHidden: boolean) => cells.filter((cell) => unseen.has(cell) === isHidden).map(({ group }) => group)
  return { shown: list(false), hidden: list(true) }
}

interface CountedPeople {
  marks: readonly Tally[]
  shown: readonly CountedGroup[]
  isInFives: boolean
}

/** One table for a question, or one for each row of a grid. Rankings, amounts, places and texts have none. */
function compareQuestion(ctx: Ctx, figures: QuestionFigures, people: CountedPeople): ComparedQuestion[] {
  const { question, shape, answered } = figures
  const words = getSurveyWords(ctx)
  const title = words.say(question.title).text
  if (!answered || question.type === 'consent') return []
  if (shape === 'grid' && 'columns' in question)
    return figures.rows.flatMap(({ value: row, cells }) => {
      const table = buildTable(question.id, `${row}.`, cells, people, canChooseSeveral(question.type))
      const label = formatItemLabel(words, question.rows, row)
      const nameValue = (value: string) => formatItemLabel(words, question.columns, value)
      return table
        ? [toCompared(ctx, table, { id: `${question.id}.${row}`, title: `${title} – ${label}`, question, nameValue, people })]
        : []
    })
  if (shape !== 'bars' && shape !== 'list' && shape !== 'scale') return []
  const table = buildTable(
    question.id,
    '',
    sortCells(figures).slice(0, shape === 'list' ? MAX_ROWS : undefined),
    people,
    canChooseSeveral(question.type),
  )
  const nameValue = (value: string) => formatValueLabel(words, question, value)
  return table ? [toCompared(ctx, table, { id: question.id, title, question, nameValue, people })] : []
}

/** @returns undefined if the number of people who answered is hidden */
function buildTable(
  question: string,
  prefix: string,
  cells: readonly CountedValue[],
  { marks, shown, isInFives }: CountedPeople,
  isSeveral: boolean,
): CrossTable | undefined {
  const listPairs = (column: string, tallies: readonly Tally[]): AnswerPair[] =>
    tallies
      .filter((tally) => tally.question === question && tally.value.startsWith(prefix))
      .map(({ value, count }) => ({ row: value.slice(prefix.length), column, count }))
  const others = subtractTallies(marks, shown)
  const table = buildCrossTable(
    [...listPairs('', marks), ...shown.flatMap(({ id, tallies }) => listPairs(id, tallies)), ...listPairs(HIDDEN_GROUPS, others)],
    {
      rows: cells.map(({ value }) => value),
      columns: [...shown.map(({ id }) => id), ...(countTallied(others) > 0 ? [HIDDEN_GROUPS] : [])],
    },
  )
  if (!isInFives) return table
  const publishable = toPublishableCrossTable(isSeveral ? omitEmpty(table) : addUnlisted(omitEmpty(table)))
  if (publishable.people === null) return undefined
  const findCount = (cells: readonly CountedValue[], value: string) => cells.find((cell) => cell.value === value)?.count ?? null
  // Every answer has its row and every group its column, also if all of its numbers are hidden.
  const rows = table.rows.map(({ value }) => publishable.rows.find((row) => row.value === value) ?? { value, people: null, cells: [] })
  return {
    people: publishable.people,
    rows: rows.map((row) => ({ ...row, cells: shown.map(({ id }) => ({ value: id, count: findCount(row.cells, id) })) })),
    columns: shown.map(({ id }) => ({ value: id, count: findCount(publishable.columns, id) })),
  }
}

/** Answers that nobody gave, and groups of whom nobody answered, are known as such: their zeros protect no other number. */
function omitEmpty(table: CrossTable): CrossTable {
  const empty = new Set(table.columns.flatMap(({ value, count }) => (count === 0 ? [value] : [])))
  const isAnswered = ({ value }: CountedValue) => !empty.has(value)
  return {
    ...table,
    rows: table.rows.filter(({ people }) => people !== 0).map((row) => ({ ...row, cells: row.cells.filter(isAnswered) })),
    columns: table.columns.filter(isAnswered),
  }
}

/** Answers that have no row of their own, so that none can be derived from the others. */
function addUnlisted(table: CrossTable): CrossTable {
  const sumUp = (counts: readonly SuppressibleCount[]) => counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const people = (table.people ?? 0) - sumUp(table.rows.map((row) => row.people))
  if (people <= 0) return table
  const cells = table.columns.map(({ value, count }, index) => ({
    value,
    count: Math.max(0, (count ?? 0) - sumUp(table.rows.map((row) => row.cells[index]?.count ?? 0))),
  }))
  return { ...table, rows: [...table.rows, { value: UNLISTED, people, cells }] }
}

interface TableSubject {
  id: string
  title: string
  question: QuestionFigures['question']
  nameValue: (value: string) => string
  people: CountedPeople
}

function toCompared(ctx: Ctx, table: CrossTable, { id, title, question, nameValue, people }: TableSubject): ComparedQuestion {
  const compared: ComparedQuestion = {
    id,
    title,
    isSeveral: canChooseSeveral(question.type),
    rows: table.rows.map(({ value, cells, people: all }) => ({ value, label: nameValue(value), cells, all })),
    answered: table.columns,
    all: table.people,
  }
  const groups = people.shown.filter((group) => group.id !== NO_GROUP)
  const finding = writeDifference(ctx, compared, groups, people.isInFives)
  return finding === undefined ? compared : { ...compared, finding }
}
