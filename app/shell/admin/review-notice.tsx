import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { ReturnDialog } from '#app/shell/admin/return-dialog.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'

interface DraftReview {
  status: 'in_review' | 'returned'
  askedAt: string | null
  askedBy: string | null
  changedAt: string | null
  changedBy: string | null
  returnedAt: string | null
  returnedBy: string | null
  returnReason: string | null
  meta: { can: { review: boolean; remove: boolean } }
}

interface ReviewNoticeProps {
  review: DraftReview
  /** What the draft changes of what is public; null as long as nothing is. */
  differences: ReactNode
  words: {
    /** Nothing is public yet. */
    whole: string
    /** What those who may decide can do. */
    decide: string
    /** For all others. */
    waits: string
    /** Who returned it, and when. */
    returned: (words: { who: string; when: string }) => string
  }
  onReturn: (reason: string) => Promise<void>
  /** Missing if the request is withdrawn elsewhere. */
  onWithdraw?: () => Promise<void>
}

/** Who asked for a review of a draft, what it would change, and whether it was changed since; after it was returned, why. */
export function ReviewNotice({ review, differences, words, onReturn, onWithdraw }: ReviewNoticeProps) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const [isReturning, setReturning] = useState(false)
  const withdraw = useMutation({ mutationFn: async () => onWithdraw?.(), onSuccess: () => showToast({ text: t('review.withdraw-done') }) })
  const { status, returnReason, meta } = review
  const toWords = (who: string | null, at: string | null) => ({ who: who ?? t('review.someone'), when: at ? format.dateTime(at) : '' })
  if (status === 'returned')
    return (
      <Notice kind="warning" title={words.returned(toWords(review.returnedBy, review.returnedAt))}>
        <p className="review-reason">{returnReason}</p>
      </Notice>
    )
  return (
    <Notice kind="info" title={t('review.asked', toWords(review.askedBy, review.askedAt))}>
      {review.changedAt && (
        <p>
          <strong>{t('review.changed', toWords(review.changedBy, review.changedAt))}</strong>
        </p>
      )}
      <p>{meta.can.review ? words.decide : words.waits}</p>
      {differences ? (
        <details>
          <summary>{t('review.differences')}</summary>
          {differences}
        </details>
      ) : (
        <p>{words.whole}</p>
      )}
      {(meta.can.review || meta.can.remove) && (
        <div className="row">
          {meta.can.review && (
            <Button kind="secondary" size="small" onClick={() => setReturning(true)}>
              {t('review.return-open')}
            </Button>
          )}
          {meta.can.remove && (
            <Button kind="secondary" size="small" pending={withdraw.isPending} onClick={() => withdraw.mutate()}>
              {t('review.withdraw')}
            </Button>
          )}
        </div>
      )}
      <Refusal error={withdraw.error} />
      {isReturning && <ReturnDialog onReturn={onReturn} onClose={() => setReturning(false)} />}
    </Notice>
  )
}
