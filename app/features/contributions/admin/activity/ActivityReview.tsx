import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { ReviewNotice } from '#app/shell/admin/review-notice.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { activityReviewQuery, forgetContributions } from '../../contributions.queries.ts'
import type { ActivityDocument } from './activity-draft.ts'

interface ActivityReviewNoticeProps {
  activity: string
  /** What the draft changes of what is public; null as long as nothing is. */
  differences: ReactNode
}

/** Who asked for a review of an activity's draft and what it would change; after it was returned, why. */
export function ActivityReviewNotice({ activity, differences }: ActivityReviewNoticeProps) {
  const { t } = useTranslation('admin')
  const queryClient = useQueryClient()
  const [review] = useSuspenseQuery(activityReviewQuery(activity)).data.data
  if (!review) return null
  return (
    <ReviewNotice
      review={review}
      differences={differences}
      words={{
        whole: t('review.whole-activity'),
        decide: t('review.approve'),
        waits: t('review.waits'),
        returned: (words) => t('review.returned', words),
      }}
      onReturn={async (returnReason) => {
        await api.update('activity-reviews', activity, { attributes: { returnReason } })
        await forgetContributions(queryClient)
      }}
      onWithdraw={async () => {
        await api.remove('activity-reviews', activity)
        await forgetContributions(queryClient)
      }}
    />
  )
}

interface AskForActivityReviewProps {
  activity: ActivityDocument
  /** Saves what is typed, so that it is asked about too. @returns false if that was not possible */
  save: () => Promise<boolean>
}

/** Asks a colleague to look at the draft before it is published. A refusal says what is missing. */
export function AskForActivityReview({ activity, save }: AskForActivityReviewProps) {
  const { t } = useTranslation('admin')
  const { t: editor } = useTranslation('editor')
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [review] = useSuspenseQuery(activityReviewQuery(activity.id)).data.data
  const ask = useMutation({
    mutationFn: async (waived?: string[]) => {
      if (!(await save())) return
      await api.create('activity-reviews', {
        ...(waived && { attributes: { waived } }),
        relationships: { activity: { type: 'activities', id: activity.id } },
      })
      showToast({ text: editor('publish.asked') })
    },
    onSettled: async () => {
      setOpen(false)
      await forgetContributions(queryClient)
    },
  })
  const { faults } = useEditorTexts(ask.error)
  if (review?.status === 'in_review') return null
  return (
    <>
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <LanguageGapsDialog
        error={ask.error}
        onPublish={(waived) => ask.mutateAsync(waived)}
        onClose={ask.reset}
        publishLabel={editor('publish.ask-yes')}
      />
      <Button
        size="small"
        kind={activity.meta.can.publish || activity.status !== 'draft' ? 'secondary' : 'primary'}
        onClick={() => setOpen(true)}
      >
        {editor('publish.ask-open')}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t('review.ask-title')}
          isOpen
          onClose={() => setOpen(false)}
          onConfirm={() => ask.mutateAsync(undefined).catch(() => undefined)}
          confirmLabel={editor('publish.ask-yes')}
          cancelLabel={t('confirm.cancel')}
        >
          <p>{t('review.ask-text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
