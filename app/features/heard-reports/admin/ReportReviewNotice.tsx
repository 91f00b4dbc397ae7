import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ReviewNotice } from '#app/shell/admin/review-notice.tsx'
import { api } from '#app/shell/api.ts'
import { REPORTS_ROOT } from '#app/shell/query-roots.ts'
import { reportReviewQuery } from '../heard-reports.queries.ts'

interface ReportReviewNoticeProps {
  project: string
  /** What the draft changes of the published report; null as long as none is. */
  differences: ReactNode
}

/** Who asked for agreement to the draft of a report and what it would change; after it was returned, why. */
export function ReportReviewNotice({ project, differences }: ReportReviewNoticeProps) {
  const { t } = useTranslation('heard-admin')
  const queryClient = useQueryClient()
  const refetch = () => queryClient.invalidateQueries({ queryKey: REPORTS_ROOT })
  const [review] = useSuspenseQuery(reportReviewQuery(project)).data.data
  if (!review) return null
  return (
    <ReviewNotice
      review={review}
      differences={differences}
      words={{
        whole: t('report.review-whole'),
        decide: t('report.agree'),
        waits: t('report.waits'),
        returned: (words) => t('report.returned', words),
      }}
      onReturn={async (returnReason) => {
        await api.update('heard-report-reviews', project, { attributes: { returnReason } })
        await refetch()
      }}
      onWithdraw={async () => {
        await api.remove('heard-report-reviews', project)
        await refetch()
      }}
    />
  )
}
