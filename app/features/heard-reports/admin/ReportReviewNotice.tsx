import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { ReturnDialog } from '#app/shell/admin/return-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { REPORTS_ROOT } from '#app/shell/query-roots.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { reportReviewQuery } from '../heard-reports.queries.ts'

interface ReportReviewNoticeProps {
  project: string
  /** What the draft changes of the published report; null as long as none is. */
  differences: ReactNode
}

/** Who asked for agreement to the draft of a report and what it would change; after it was returned, why. */
export function ReportReviewNotice({ project, differences }: ReportReviewNoticeProps) {
  const { t } = useTranslation('admin')
  const { t: heard } = useTranslation('heard-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isReturning, setReturning] = useState(false)
  const refetch = () => queryClient.invalidateQueries({ queryKey: REPORTS_ROOT })
  const withdraw = useMutation({ mutationFn: () => api.remove('heard-report-reviews', project), onSettled: refetch })
  const [review] = useSuspenseQuery(reportReviewQuery(project)).data.data
  if (!review) return null
  const { status, askedAt, askedBy, returnedAt, returnedBy, returnReason, meta } = review
  const toMoment = (at: string | null) => (at ? format.dateTime(at) : '')
  if (status === 'returned')
    return (
      <Notice kind="warning" title={heard('report.returned', { who: returnedBy ?? t('review.someone'), when: toMoment(returnedAt) })}>
        <p className="review-reason">{returnReason}</p>
      </Notice>
    )
  return (
    <Notice kind="info" title={t('review.asked', { who: askedBy ?? t('review.someone'), when: toMoment(askedAt) })}>
      <p>{heard(meta.can.review ? 'report.agree' : 'report.waits')}</p>
      {differences ? (
        <details>
          <summary>{t('review.differences')}</summary>
          {differences}
        </details>
      ) : (
        <p>{heard('report.review-whole')}</p>
      )}
      {meta.can.review && (
        <div className="row">
          <Button kind="secondary" size="small" onClick={() => setReturning(true)}>
            {t('review.return-open')}
          </Button>
        </div>
      )}
      {meta.can.remove && (
        <div className="row">
          <Button kind="secondary" size="small" pending={withdraw.isPending} onClick={() => withdraw.mutate()}>
            {heard('report.withdraw')}
          </Button>
        </div>
      )}
      <Refusal error={withdraw.error} />
      {isReturning && (
        <ReturnDialog
          onReturn={async (reason) => {
            await api.update('heard-report-reviews', project, { attributes: { returnReason: reason } })
            await refetch()
          }}
          onClose={() => setReturning(false)}
        />
      )}
    </Notice>
  )
}
