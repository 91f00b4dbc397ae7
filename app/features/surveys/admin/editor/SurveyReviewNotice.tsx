import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ReviewNotice } from '#app/shell/admin/review-notice.tsx'
import { api } from '#app/shell/api.ts'
import { invalidateSurvey, surveyReviewQuery } from '../../surveys.queries.ts'
import type { Definition } from '../../surveys.schema.ts'
import { DefinitionDifferences } from './DefinitionDifferences.tsx'

interface SurveyReviewNoticeProps {
  survey: string
  /** What is published; undefined before the first publication. */
  published: Definition | undefined
  draft: Definition
}

/** Who asked for a review of a survey's draft, and what it changes of the questions that are public; after it was returned, why. */
export function SurveyReviewNotice({ survey, published, draft }: SurveyReviewNoticeProps) {
  const { t } = useTranslation('admin')
  const { t: editor } = useTranslation('editor')
  const queryClient = useQueryClient()
  const [review] = useSuspenseQuery(surveyReviewQuery(survey)).data.data
  if (!review) return null
  const labels = { before: editor('compare.public'), after: editor('compare.draft') }
  return (
    <ReviewNotice
      review={review}
      differences={published && <DefinitionDifferences before={published} after={draft} labels={labels} />}
      words={{
        whole: t('review.whole-survey'),
        decide: t('review.approve'),
        waits: t('review.waits'),
        returned: (words) => t('review.returned', words),
      }}
      onReturn={async (returnReason) => {
        await api.update('survey-reviews', survey, { attributes: { returnReason } })
        await invalidateSurvey(queryClient, survey)
      }}
      onWithdraw={async () => {
        await api.remove('survey-reviews', survey)
        await invalidateSurvey(queryClient, survey)
      }}
    />
  )
}
