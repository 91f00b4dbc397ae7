import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { invalidateWrittenAnswers, type toCohortFilter, type WrittenSearch } from '../../../surveys.queries.ts'

interface TaggingRequest {
  tag: string
  remove?: boolean
  answers?: string[]
  found?: WrittenSearch & ReturnType<typeof toCohortFilter>
}

/** Adds or removes a tag, reports the number of answers, and refreshes every list. @returns whether it succeeded */
export function useTagging(survey: string, question: string): (tagging: TaggingRequest) => Promise<boolean> {
  const { t } = useTranslation('survey-admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  return async (tagging) => {
    try {
      const { data } = await api.create('answer-taggings', {
        attributes: { question, ...tagging },
        relationships: { survey: { type: 'surveys', id: survey } },
      })
      await invalidateWrittenAnswers(queryClient, survey, question)
      showToast({
        text: t(tagging.remove ? 'written.untagged-done' : 'written.tagged-done', {
          count: data.changed,
          number: format.number(data.changed),
          tag: tagging.tag,
        }),
      })
      return true
    } catch (error) {
      showToast({ kind: 'error', text: describeError(error) })
      return false
    }
  }
}
