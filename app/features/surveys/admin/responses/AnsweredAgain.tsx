import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { surveyCompletionQuery, surveyQuery } from '../../surveys.queries.ts'

/** How many people the figures count more than once, where the survey lets them or did. */
export function AnsweredAgain({ survey }: { survey: string }) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const { data } = useQuery(surveyCompletionQuery(survey))
  const access = useQuery(surveyQuery(survey)).data?.data.access
  if (!data || (access !== 'anyone' && data.answeredAgain === 0)) return null
  const count = data.answeredAgain
  return (
    <Notice kind="warning" title={t('results.more-than-once')}>
      {count === null
        ? t('results.answered-again-few', { number: SUPPRESSION_THRESHOLD })
        : t('results.answered-again', { count, number: format.number(count) })}
    </Notice>
  )
}
