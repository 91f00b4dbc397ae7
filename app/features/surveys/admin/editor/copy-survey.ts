import type { Translated } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import type { Survey } from './survey-draft.ts'

/**
 * Creates a draft with the same questions, without answers, times or slug; in the same project with an adapted title, unless others are
 * given.
 * @returns its id
 */
export async function copySurvey(survey: Survey, to: { project?: string; title?: Translated }): Promise<string> {
  const {
    titleTranslations = {},
    introTranslations = {},
    thanksTranslations = {},
    definition,
    access,
    anonymous,
    variant,
    minutes,
    groupId,
    verification,
  } = survey
  const project = to.project === undefined ? survey.relationships.project : { type: 'projects' as const, id: to.project }
  if (!project) throw new Error('The survey has no project')
  const second = Object.fromEntries(Object.entries(titleTranslations).map(([code, text]) => [code, text && `${text.slice(0, 190)} (2)`]))
  const { data } = await api.create('surveys', {
    attributes: {
      titleTranslations: to.title ?? second,
      introTranslations,
      thanksTranslations,
      ...(definition ? { definition } : {}),
      access,
      anonymous,
      variant,
      minutes,
      ...(groupId ? { groupId } : {}),
      ...(access === 'verified' && { verification }),
    },
    relationships: { project },
  })
  return data.id
}
