import { sql, type SQL } from 'drizzle-orm'
import { localiseText } from '#app/lib/localised-text.ts'
import { isAppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import { getPublicResults } from '../results/results.server.ts'
import { readDefinition } from '../questionnaire/versions.server.ts'
import type { Question } from '../surveys.schema.ts'
import type { SurveyAddress } from '../surveys.server.ts'
import { findPollQuestion, type PollQuestion } from './find-poll-question.ts'
import type { PollOption, PollResults, PollView } from './poll.schema.ts'

/** Who may answer in place. Members, groups and invited people answer on the survey's own page. */
const ACCESS_IN_PLACE: readonly string[] = ['anyone', 'anyone_once', 'signed_in', 'confirmed']

/** The published definition of a survey with a single question; null for a longer one. To be selected beside the survey's columns. */
export const singleQuestionDefinition: SQL = sql`(
  select ${surveyVersions.definition} from ${surveyVersions}
  where ${surveyVersions.siteId} = ${surveys.siteId} and ${surveyVersions.surveyId} = ${surveys.id}
    and ${surveyVersions.number} = ${surveys.publishedVersion}
    and jsonb_array_length(${surveyVersions.definition} -> 'pages') = 1
    and jsonb_array_length(${surveyVersions.definition} #> '{pages,0,questions}') = 1)`

interface PollSource {
  survey: Pick<typeof surveys.$inferSelect, 'slug' | 'title' | 'access' | 'resultsPublic'>
  project: { slug: string }
  /** As `singleQuestionDefinition` selects it. */
  definition: unknown
  open: boolean
}

/** The survey as a poll; null if it asks more than one choice, or not everybody may answer it in place. */
export function toPollView(ctx: Ctx, { survey, project, definition, open }: PollSource): PollView | null {
  if (definition === null || !ACCESS_IN_PLACE.includes(survey.access)) return null
  const question = findPollQuestion(readDefinition(definition))
  if (!question) return null
  const localise = (text: Question['title'] | undefined) => localiseText(text ?? {}, ctx.contentLanguage, ctx.site.locale)
  return {
    survey: survey.slug,
    project: project.slug,
    questionId: question.id,
    title: localise(survey.title),
    question: localise(question.title),
    help: localise(question.help),
    options: listPollOptions(ctx, question),
    open,
    recognises: survey.access !== 'anyone',
    resultsPublic: survey.resultsPublic,
  }
}

function listPollOptions(ctx: Ctx, question: PollQuestion): PollOption[] {
  if (question.type === 'one_choice')
    return question.options.map(({ id, label }) => ({ id, label: localiseText(label, ctx.contentLanguage, ctx.site.locale) }))
  const t = getTranslator(ctx.language, 'survey')
  return (['yes', 'no'] as const).map((id) => ({ id, label: { text: t(`choice.${id}`) } }))
}

/** The published results; null if they are not public, or while too few have answered. */
export async function findPollResults(ctx: Ctx, address: SurveyAddress): Promise<PollResults | null> {
  try {
    const { figures, countedAt } = await getPublicResults(ctx, address)
    const [only] = figures?.questions ?? []
    if (!figures || !only || !countedAt) return null
    const { question } = only
    if (question.type !== 'one_choice' && question.type !== 'yes_no') return null
    const options = listPollOptions(ctx, question)
    return {
      people: figures.responses,
      countedAt,
      options: options.map((option) => ({ ...option, people: only.cells.find(({ value }) => value === option.id)?.count ?? null })),
    }
  } catch (error) {
    if (isAppError(error)) return null
    throw error
  }
}
