import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ReviewNotice } from '#app/shell/admin/review-notice.tsx'
import { api } from '#app/shell/api.ts'
import { forgetProject } from '../../projects.queries.ts'
import { projectReviewQuery } from '../project-reviews.queries.ts'

interface ProjectReviewNoticeProps {
  project: string
  /** What the draft changes of what is public; null as long as nothing is. */
  differences: ReactNode
}

/** Who asked for a review of the project, what it would change and whether it changed since; after it was returned, why. */
export function ProjectReviewNotice({ project, differences }: ProjectReviewNoticeProps) {
  const { t } = useTranslation('admin')
  const queryClient = useQueryClient()
  const [review] = useSuspenseQuery(projectReviewQuery(project)).data.data
  if (!review) return null
  const { isWaiting, meta, ...about } = review
  return (
    <ReviewNotice
      // The request is withdrawn with the project’s other actions.
      review={{ ...about, status: isWaiting ? 'in_review' : 'returned', meta: { can: { review: meta.can.return, remove: false } } }}
      differences={differences}
      words={{
        whole: t('review.whole'),
        decide: t('review.approve'),
        waits: t('review.waits'),
        returned: (words) => t('review.returned', words),
      }}
      onReturn={async (returnReason) => {
        await api.update('project-reviews', project, { attributes: { returnReason } })
        await forgetProject(queryClient, project)
      }}
    />
  )
}
