import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { isId, newId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { OWN_FORMAT } from '../export/json.ts'
import { checkDefinition } from '../surveys.definition.ts'
import { createSurvey, noteSurvey } from '../surveys.editing.server.ts'
import { seeSurveyAs } from '../surveys.policy.server.ts'
import { definitionSchema } from '../surveys.schema.ts'
import type { Imported } from './drafting.ts'
import { type ImportFormat, type ImportReport, LARGEST_IMPORT } from './import.schema.ts'
import { fromLimeSurvey } from './limesurvey.ts'
import { fromSurveyJs, isSurveyJs } from './surveyjs.ts'
import { fromXlsForm } from './xlsform.server.ts'

const MOST_NESTED = 100

/**
 * Makes a draft of a file: our own JSON, SurveyJS, XLSForm or LimeSurvey, told apart by what is in it. What cannot be read leaves no trace.
 * @throws {AppError} `too-large`; `unreadable-file` at `/file`; `forbidden`, `not-found` for the project
 */
export async function importSurvey(ctx: Ctx, input: { projectId: string; file: Uint8Array; filename: string }): Promise<ImportReport> {
  if (!isId(input.projectId)) throw new AppError('not-found')
  const { format, imported } = await readSurveyFile(input.file, ctx)
  const { definition, notes } = imported
  const named = Object.keys(imported.title).length > 0
  const title = named ? imported.title : { [ctx.site.locale]: input.filename.replace(/\.[^.]*$/, '').slice(0, 200) || '…' }
  const surveyId = await createSurvey(ctx, {
    id: newId(),
    project: input.projectId,
    titleTranslations: title,
    introTranslations: imported.intro,
    thanksTranslations: imported.thanks,
    definition,
  })
  await ctx.db.tx(async (tx) => {
    const placed = await seeSurveyAs(ctx, tx, 'projects.edit', surveyId)
    await noteSurvey(ctx, tx, placed, 'surveys.import', { format, notes: notes.length })
  })
  const questions = definition.pages.reduce((sum, page) => sum + page.questions.length, 0)
  return {
    surveyId,
    title: inLanguage(title, ctx.language, ctx.site.locale),
    format,
    questions,
    notes,
    faults: checkDefinition(definition, ctx.site.languages).length,
  }
}

/** What a file holds, as the draft it would become. @throws {AppError} `too-large`, `unreadable-file` */
async function readSurveyFile(file: Uint8Array, { site }: Pick<Ctx, 'site'>): Promise<{ format: ImportFormat; imported: Imported }> {
  if (file.length > LARGEST_IMPORT) throw new AppError('too-large', { pointer: '/file' })
  try {
    const read = await readAs(file, site.locale)
    return { ...read, imported: { ...read.imported, definition: v.parse(definitionSchema, read.imported.definition) } }
  } catch {
    throw new AppError('invalid', { faults: [{ code: 'unreadable-file', pointer: '/file' }] })
  }
}

async function readAs(file: Uint8Array, locale: Ctx['site']['locale']): Promise<{ format: ImportFormat; imported: Imported }> {
  if (file[0] === 0x50 && file[1] === 0x4b) return { format: 'xlsform', imported: await fromXlsForm(file, locale) }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(file).replaceAll('\0', '')
  if (text.trimStart().startsWith('<')) return { format: 'limesurvey', imported: fromLimeSurvey(text, locale) }
  assertShallow(text)
  const json: unknown = JSON.parse(text)
  const own = v.safeParse(ownSchema, json)
  if (own.success) return { format: 'parley', imported: fromOwn(own.output, locale) }
  if (isSurveyJs(json)) return { format: 'surveyjs', imported: fromSurveyJs(json, locale) }
  throw new Error('Nothing we know')
}

const ownSchema = v.looseObject({
  format: v.literal(OWN_FORMAT),
  survey: v.looseObject({ title: v.string() }),
  versions: v.pipe(v.array(v.looseObject({ definition: definitionSchema })), v.minLength(1)),
})

/** Our own file: its newest version, as it is. */
const fromOwn = ({ survey, versions }: v.InferOutput<typeof ownSchema>, locale: Ctx['site']['locale']): Imported => ({
  title: { [locale]: survey.title.slice(0, 200) },
  intro: {},
  thanks: {},
  definition: versions[0]?.definition ?? { schema: 1, pages: [] },
  notes: [],
})

/** Refuses what is nested deeper than any survey: reading it could exhaust the stack. */
function assertShallow(json: string): void {
  let depth = 0
  for (const [sign] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    if (depth > MOST_NESTED) throw new Error('Too deep')
  }
}
