import { queryOptions } from '@tanstack/react-query'
import { AGE_GROUPS } from '#app/lib/age-groups.ts'
import type { Language } from '#app/lib/languages.ts'
import { sayEverywhere, type Translated } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { type LinkableQuestion, NO_ANSWER } from './profile-answers.schema.ts'

/** A question that people and results can be filtered by. */
export interface ProfileChoice {
  key: string
  label: string
  sensitive: boolean
  /** People may give several options. */
  hasSeveral: boolean
  /** Options, areas, or age groups, which have no label: the screen names them. */
  options: { value: string; label: Translated | null }[]
}

/** Questions whose answers are counted, in their order. */
export const profileChoicesQuery = queryOptions({
  queryKey: ['profile', 'choices'],
  queryFn: async ({ signal }): Promise<ProfileChoice[]> => {
    const { data } = await api.list('profile-questions', { page: { size: 50 }, signal })
    const areas = data.some(({ kind }) => kind === 'area') ? (await api.list('areas', { signal })).data : []
    const listOptions = ({ kind, options }: (typeof data)[number]): ProfileChoice['options'] => {
      if (kind === 'year-of-birth') return AGE_GROUPS.map((value) => ({ value, label: null }))
      if (kind === 'area') return areas.map(({ slug, name }) => ({ value: slug, label: sayEverywhere(name) }))
      return options.map(({ id, label }) => ({ value: id, label }))
    }
    return data
      .filter(({ status }) => status !== 'draft')
      .map((question) => ({
        key: question.key,
        label: question.label,
        sensitive: question.sensitive,
        hasSeveral: question.kind === 'several-choices',
        options: listOptions(question),
      }))
      .filter(({ options }) => options.length > 0)
  },
})

/** Questions that are asked now, as a survey can ask them. Only those who may edit them get their title in every language. */
export const linkableQuestionsQuery = (language: Language) =>
  queryOptions({
    queryKey: ['profile', 'linkable', language],
    queryFn: async ({ signal }): Promise<LinkableQuestion[]> => {
      const { data } = await api.list('profile-questions', { filter: { status: ['live'] }, page: { size: 50 }, signal })
      const areas = data.some(({ kind }) => kind === 'area') ? (await api.list('areas', { signal })).data : []
      const places = areas.map(({ slug, name }) => ({ id: slug, label: sayEverywhere(name) }))
      return data.map(({ key, kind, label, labelTranslations, options }) => ({
        key,
        kind,
        title: labelTranslations ?? { [language]: label },
        options:
          kind === 'area'
            ? places
            : options
                .filter(({ retired }) => !retired)
                .map((option) => ({ id: option.id, label: option.label, ...(option.id === NO_ANSWER && { exclusive: true as const }) })),
      }))
    },
  })
