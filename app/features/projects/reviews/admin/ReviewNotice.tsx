import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReturnDialog } from '#app/shell/admin/return-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetProject } from '../../projects.queries.ts'
import { projectReviewQuery } from '../project-reviews.queries.ts'

interface ReviewNoticeProps {
  project: string
  /** What the draft changes of what is public; null as long as nothing is. */
  differences: ReactNode
}

/** Who asked for a review of the project and what it would change; after it was returned, why. */
export function ReviewNotice({ project, differences }: ReviewNoticeProps) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isReturning, setReturning] = useState(false)
  const [review] = useSuspenseQuery(projectReviewQuery(project)).data.data
  if (!review) return null
  const { isWaiting, askedAt, askedBy, returnedAt, returnedBy, returnReason, meta } = review
  if (!isWaiting)
    return (
      <Notice
        kind="warning"
        title={t('review.returned', { who: returnedBy ?? t('review.someone'), when: returnedAt ? format.dateTime(returnedAt) : '' })}
      >
        <p className="review-reason">{returnReason}</p>
      </Notice>
    )
  return (
    <Notice kind="info" title={t('review.asked', { who: askedBy ?? t('review.someone'), when: format.dateTime(askedAt) })}>
      {differences ? (
        <details>
          <summary>{t('review.differences')}</summary>
          {differences}
        </details>
      ) : (
        <p>{t('review.whole')}</p>
      )}
      {meta.can.return && (
        <div className="row">
          <Button kind="secondary" size="small" onClick={() => setReturning(true)}>
            {t('review.return-open')}
          </Button>
        </div>
      )}
      {isReturning && (
        <ReturnDialog
          onReturn={async (returnReason) => {
            await api.update('project-reviews', project, { attributes: { returnReason } })
            await forgetProject(queryClient, project)
          }}
          onClose={() => setReturning(false)}
        />
      )}
    </Notice>
  )
}
