import { randomBytes } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { authorize } from '#app/features/permissions/permissions.policy.server.ts'
import { placeOf } from '#app/features/projects/projects.policy.server.ts'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { type Language } from '#app/lib/languages.ts'
import { newId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { hashReceiptCode, receiptCode } from '../receipt-code.server.ts'
import { filesIn } from '../question-types/files/files.ts'
import { checkAnswers, tidyAnswers } from '../surveys.answers.ts'
import { noteSurvey } from '../surveys.editing.server.ts'
import { type Arrival, storeResponse, storeTogether } from '../surveys.intake.server.ts'
import { askedIn, walk } from '../surveys.logic.ts'
import { type PlacedSurvey, seeSurveyAs } from '../surveys.policy.server.ts'
import { quotasFor } from '../surveys.quotas.server.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { versionOf } from '../surveys.versions.server.ts'
import { answersOfRow, type CsvTarget, csvTargets, guessTarget } from './csv-targets.ts'
import { MOST_ROWS, type PaperResponse, type ResponseTableInput, type ResponseTableReport, type RowFault } from './entry.schema.ts'

const MOST_FAULTS = 200
const SAMPLES = 3

interface Entry {
  placed: PlacedSurvey
  version: number
  definition: Definition
}

/** The survey, for those who may write responses into it: its editors. It may be closed, since paper comes late. */
async function seeForEntry(ctx: Ctx, tx: Tx, surveyId: string): Promise<Entry> {
  const placed = await seeSurveyAs(ctx, tx, 'responses.see', surveyId)
  authorize(ctx.viewer, 'projects.edit', placeOf(placed.project))
  const version = placed.survey.publishedVersion
  if (version === null) throw new AppError('not-published')
  return { placed, version, definition: await versionOf(tx, ctx.site.id, surveyId, version) }
}

/**
 * Takes what somebody answered on paper. What they left blank stays blank, also where an answer is asked for.
 * @throws {AppError} `not-found`, `forbidden`, `not-published`, `quota-full`; `invalid` with a fault for each answer (`/answers/<question id>`)
 */
export async function enterPaper(ctx: Ctx, input: PaperResponse): Promise<void> {
  const { entry, given } = await ctx.db.tx(async (tx) => {
    const found = await seeForEntry(ctx, tx, input.survey)
    return { entry: found, given: accepted(found.definition, input.answers, input.id) }
  })
  const faults = [...given.faults]
  if (faults.length === 0 && Object.keys(given.answers).length === 0) faults.push({ code: 'required' })
  if (faults.length > 0)
    throw new AppError('invalid', { faults: faults.map((fault) => ({ ...fault, pointer: `/answers${fault.pointer ?? ''}` })) })
  const { id, sendKey, language } = input
  const row = { answers: given.answers, id, sendKey, language, source: 'paper', submittedAt: ctx.now() }
  if (!(await storeResponse(ctx.runtime.database, arrivalOf(ctx, entry, row)))) return
  await ctx.db.tx((tx) => noteSurvey(ctx, tx, entry.placed, 'responses.paper', { response: id }))
}

/**
 * Reads a table of responses. Without columns it tells what the file has; with them it stores every row, or none and says why not.
 * @throws {AppError} `not-found`, `forbidden`, `not-published`, `quota-full`; `invalid` with `unreadable-file` or `too-many` at `/file`
 */
export function importResponses(ctx: Ctx, input: ResponseTableInput): Promise<ResponseTableReport> {
  return ctx.db.tx(async (tx) => {
    const entry = await seeForEntry(ctx, tx, input.survey)
    const [head = [], ...rows] = readTable(input.text)
    const targets = csvTargets(entry.definition, ctx.language, ctx.site.locale)
    const columns = head.map((heading, index) => ({
      heading,
      samples: rows
        .map((row) => row[index] ?? '')
        .filter((text) => text.trim())
        .slice(0, SAMPLES),
      target: input.columns?.[index] ?? guessTarget(heading, targets),
    }))
    const report: ResponseTableReport = { rows: rows.length, columns, faults: [], stored: 0 }
    if (!input.columns) return report
    const read = rows.map((cells, index) => readRow(ctx, entry, { targets, columns, cells, row: index + 2 }))
    report.faults = read.flatMap(({ faults }) => faults).slice(0, MOST_FAULTS)
    if (report.faults.length > 0) return report
    const arrivals = read.map(({ arrival }) => arrival)
    await storeTogether(tx, ctx.site.id, arrivals)
    await noteSurvey(ctx, tx, entry.placed, 'responses.import', { responses: arrivals.length })
    return { ...report, stored: arrivals.length }
  })
}

/** @throws {AppError} `invalid` */
function readTable(text: string): string[][] {
  const refused = (code: 'unreadable-file' | 'too-many', values = {}) =>
    new AppError('invalid', { faults: [{ code, pointer: '/file', values }] })
  if (/[\0\uFFFD]/.test(text)) throw refused('unreadable-file')
  const [first = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  try {
    const rows = parse(text, { bom: true, delimiter, relax_column_count_less: true, skip_empty_lines: true, to: MOST_ROWS + 2 })
    if (rows.length > MOST_ROWS + 1) throw refused('too-many', { max: MOST_ROWS })
    if (rows.length < 2 || rows[0]?.every((heading) => !heading.trim())) throw refused('unreadable-file')
    return rows
  } catch (error) {
    throw isAppError(error) ? error : refused('unreadable-file')
  }
}

interface TableRow {
  targets: readonly CsvTarget[]
  columns: ResponseTableReport['columns']
  cells: readonly string[]
  row: number
}

function readRow(ctx: Ctx, entry: Entry, { targets, columns, cells, row }: TableRow): { arrival: Arrival; faults: RowFault[] } {
  const cellOf = (key: string) => cells[columns.findIndex(({ target }) => target === key)]?.trim() ?? ''
  const headingOf = (question: string) =>
    columns.find(({ target }) => targets.some((each) => each.key === target && each.question === question))?.heading ?? question
  const heading = (key: string) => columns.find(({ target }) => target === key)?.heading ?? key
  const faults: RowFault[] = []
  const [language, when] = [cellOf('language') || ctx.site.locale, cellOf('submitted_at')]
  const spoken = ctx.site.languages.find((code) => code === language)
  if (!spoken) faults.push({ row, column: heading('language'), code: 'not-a-choice' })
  const submittedAt = when ? new Date(when) : ctx.now()
  if (Number.isNaN(submittedAt.getTime()) || submittedAt > ctx.now())
    faults.push({ row, column: heading('submitted_at'), code: 'not-a-date' })
  const id = newId()
  const given = accepted(
    entry.definition,
    answersOfRow(
      entry.definition,
      columns.flatMap(({ target: key }, index) => {
        const target = targets.find((each) => each.key === key)
        return target ? [{ target, text: unescaped(cells[index] ?? '') }] : []
      }),
    ),
    id,
  )
  for (const { code, pointer, values } of given.faults) {
    const question = pointer?.split('/')[1] ?? ''
    faults.push({ row, column: headingOf(question), code, ...(values && { values }) })
  }
  if (given.faults.length === 0 && Object.keys(given.answers).length === 0) faults.push({ row, column: '', code: 'required' })
  const arrival = arrivalOf(ctx, entry, {
    id,
    sendKey: randomBytes(16).toString('base64url'),
    language: spoken ?? ctx.site.locale,
    source: 'import',
    submittedAt,
    answers: given.answers,
  })
  return { arrival, faults }
}

/** What our own files write before words that look like a formula. */
const unescaped = (text: string): string => (/^'[=+\-@\t\r＝＋－＠]/.test(text) ? text.slice(1) : text)

/** The answers that count, files left out, and what is wrong with them; that something was left blank is nothing wrong. */
function accepted(definition: Definition, answers: Answers, seed: string): { answers: Answers; faults: Fault[] } {
  const given = Object.entries(tidyAnswers(definition, answers)).filter(([, answer]) => filesIn(answer).length === 0)
  const walked = walk(definition, Object.fromEntries(given), seed)
  const faults = checkAnswers(askedIn(walked), walked.kept).filter(
    ({ code, pointer = '' }) => code !== 'required' || pointer.split('/').length > 2,
  )
  return { answers: walked.kept, faults }
}

function arrivalOf(
  ctx: Ctx,
  { placed: { survey, project }, version, definition }: Entry,
  { sendKey, ...given }: { id: string; sendKey: string; language: Language; source: string; submittedAt: Date; answers: Answers },
): Arrival {
  const code = receiptCode(ctx.runtime.secret, ctx.site.id, given.id, sendKey)
  return {
    row: {
      ...given,
      siteId: ctx.site.id,
      surveyId: survey.id,
      version,
      userId: null,
      seconds: null,
      receiptHash: hashReceiptCode(ctx.site.id, code),
    },
    projectId: project.id,
    personHash: undefined,
    origin: undefined,
    places: quotasFor(definition, given.answers),
  }
}
