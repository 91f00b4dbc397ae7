import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
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

interface ReturnDialogProps {
  onReturn: (reason: string) => Promise<void>
  onClose: () => void
}

/** Asks for the reason why something is returned to who asked for a review of it. */
export function ReturnDialog({ onReturn, onClose }: ReturnDialogProps) {
  const { t } = useTranslation('admin')
  const [reason, setReason] = useState('')
  const send = useMutation({
    mutationFn: () => onReturn(reason),
    onSuccess: () => {
      onClose()
      showToast({ text: t('review.return-done') })
    },
  })
  const { faults, messageOf } = useEditorTexts(send.error)
  return (
    <ConfirmDialog
      title={t('review.return-title')}
      isOpen
      onClose={onClose}
      onConfirm={() => send.mutateAsync().then(undefined, () => undefined)}
      confirmLabel={t('review.return-yes')}
      cancelLabel={t('confirm.cancel')}
    >
      <p>{t('review.return-text')}</p>
      {faults
        .filter(({ message }) => message !== messageOf('returnReason'))
        .map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
      <TextAreaInput
        name="returnReason"
        label={t('review.reason')}
        value={reason}
        onChange={setReason}
        error={messageOf('returnReason')}
        required
      />
    </ConfirmDialog>
  )
}
