import { and, eq } from 'drizzle-orm'
import { listAreas } from '#app/features/areas/areas.server.ts'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import { AGE_GROUPS } from '#app/lib/age-groups.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { profileQuestions } from '#app/server/db/schema/profile.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { getSurveyWords } from '../questionnaire/survey-words.server.ts'
import { WHOLE_RESPONSE } from '../responses/tallies.ts'
import type { SurveyFigures } from './figures.ts'
import { type Grouping, hasOneAnswer } from './group-comparison.schema.ts'
import { buildPeopleWhoSaid } from './publication.server.ts'
import type { Cohort } from './results-filter.ts'
import { formatValueLabel } from './value-labels.ts'

/** More are not counted one by one: their people are among those in no group. */
const MAX_COUNTED = 30

/** Groups of the people who answered a survey. */
export interface Groups {
  title: string
  isFromAccounts: boolean
  groups: { id: string; label: string; cohort: Pick<Cohort, 'groups' | 'area' | 'people'> }[]
}

/**
 * The groups that people can be compared by. Nobody is in two of them.
 * @param whole figures of the whole survey
 * @throws {AppError} `invalid-parameter` if the survey or the site has no such groups
 */
export async function listGroups(ctx: Ctx, tx: Tx, grouping: Grouping, whole: SurveyFigures): Promise<Groups> {
  const found = await findGroups(ctx, tx, grouping, whole)
  if (!found) throw new AppError('invalid-parameter', { parameter: 'filter[by]' })
  return { ...found, groups: found.groups.slice(0, MAX_COUNTED) }
}

async function findGroups(ctx: Ctx, tx: Tx, grouping: Grouping, whole: SurveyFigures): Promise<Groups | undefined> {
  switch (grouping.kind) {
    case 'question':
      return listByQuestion(ctx, whole, ({ question }) => question.id === grouping.question)
    case 'language':
      return {
        title: getTranslator(ctx.language, 'findings')('compare.language'),
        isFromAccounts: false,
        groups: whole.languages.map(({ value }) => createWholeGroup(value, getLanguageName(value as ContentLanguage), `l${value}`)),
      }
    case 'channel': {
      const t = getTranslator(ctx.language, 'survey-admin')
      return {
        title: getTranslator(ctx.language, 'findings')('compare.channel'),
        isFromAccounts: false,
        groups: whole.sources.map(({ value }) => createWholeGroup(value, t(`source.${value as 'web'}`), `c${value}`)),
      }
    }
    case 'area':
      return {
        title: getTranslator(ctx.language, 'findings')('compare.area'),
        isFromAccounts: true,
        groups: (await listAreas(ctx, tx)).map(({ id, name }) => ({ id, label: name, cohort: { groups: [], area: id } })),
      }
    case 'profile':
      // What was asked in the survey is known of more people.
      return listByQuestion(ctx, whole, ({ question }) => question.profile === grouping.key) ?? (await listByProfile(ctx, tx, grouping.key))
  }
}

const createWholeGroup = (id: string, label: string, value: string): Groups['groups'][number] => ({
  id,
  label,
  cohort: { groups: [[{ question: WHOLE_RESPONSE, value, low: null, high: null }]] },
})

function listByQuestion(
  ctx: Ctx,
  { questions }: SurveyFigures,
  isThis: (figures: SurveyFigures['questions'][number]) => boolean,
): Groups | undefined {
  const found = questions.find((figures) => isThis(figures) && hasOneAnswer(figures.question.type))
  if (!found) return undefined
  const { question, cells } = found
  const words = getSurveyWords(ctx)
  return {
    title: words.say(question.title).text,
    isFromAccounts: false,
    groups: cells.map(({ value }) => ({
      id: value,
      label: formatValueLabel(words, question, value),
      cohort: { groups: [[{ question: question.id, value, low: null, high: null }]] },
    })),
  }
}

async function listByProfile(ctx: Ctx, tx: Tx, key: string): Promise<Groups | undefined> {
  const [question] = await tx
    .select()
    .from(profileQuestions)
    .where(and(eq(profileQuestions.siteId, ctx.site.id), eq(profileQuestions.key, key)))
  const { say } = getSurveyWords(ctx)
  const nameAges = getTranslator(ctx.language, 'admin')
  const options =
    question?.type === 'year-of-birth'
      ? AGE_GROUPS.map((id) => ({ id, label: nameAges(`age-groups.${id}`) }))
      : question?.type === 'area'
        ? (await listAreas(ctx, tx)).map(({ slug, name }) => ({ id: slug, label: name }))
        : question?.type === 'one-choice'
          ? question.options.filter(({ id }) => id !== NO_ANSWER).map(({ id, label }) => ({ id, label: say(label).text }))
          : undefined
  if (!question || question.status === 'draft' || !options) return undefined
  return {
    title: say(question.label).text,
    isFromAccounts: true,
    groups: options.map(({ id, label }) => ({ id, label, cohort: { groups: [], people: buildPeopleWhoSaid(ctx, `${key}:${id}`) } })),
  }
}
