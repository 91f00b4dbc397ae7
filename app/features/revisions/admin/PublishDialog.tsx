import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { mergeGaps, useRefusedGaps } from '#app/shell/admin/language-gaps.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { MissingTexts } from '#app/ui/admin/missing-texts.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { canBeWithdrawn, type MissingText, type RevisedPlace } from '../draft.schema.ts'
import { forgetPublication } from '../revisions.queries.ts'
import { publishRevision, withdrawRevision } from './revision-writes.ts'

interface PublishDialogProps {
  place: RevisedPlace
  /** @returns id of the revision to publish, or undefined if it could not be saved */
  save: () => Promise<string | undefined>
  /** It cannot be scheduled for later: it was published before and keeps that time, or it is a project. */
  isNowOnly: boolean
  /** The viewer may not publish it, only ask for a review. */
  mustAsk?: boolean
  missing: readonly MissingText[]
  blocked: string | undefined
  onShow: ((at: string) => void) | undefined
  onClose: () => void
}

/** Publishes a version now or at a scheduled time. Lists missing translations and alternative texts, to be written or waived one by one. */
export function PublishDialog({ place, save, isNowOnly, mustAsk = false, missing: known, blocked, onShow, onClose }: PublishDialogProps) {
  const { t } = useTranslation('editor')
  const { t: errors } = useTranslation('errors')
  const { words: moment } = useMomentTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [waived, setWaived] = useState<readonly string[]>([])
  const [isLater, setLater] = useState(false)
  const [publishAt, setPublishAt] = useState<string>()
  const when = isLater && publishAt && !isHalfMoment(publishAt) ? format.dateTime(publishAt) : undefined
  const refresh = () => forgetPublication(queryClient, place)
  const publish = useMutation({
    mutationFn: async () => {
      const id = await save()
      if (!id) throw new Error('The draft could not be saved')
      await publishRevision(place, id, { waived: [...waived], asksOnly: mustAsk, ...(when && publishAt ? { publishAt } : {}) })
      return id
    },
    onSuccess: async (id) => {
      onClose()
      await refresh()
      if (!canBeWithdrawn(place)) {
        showToast({ text: t(mustAsk ? 'publish.asked' : 'publish.done') })
        return
      }
      const undoPublication = async () => {
        await withdrawRevision(place, id)
        showToast({ text: mustAsk ? t('publish.ask-cancelled') : isLater ? t('publish.unscheduled') : t('publish.undone') })
        await refresh()
      }
      showToast({
        text: mustAsk ? t('publish.asked') : when ? t('publish.scheduled', { when }) : t('publish.done'),
        action: { label: t('publish.undo'), onAction: undoPublication },
      })
    },
  })
  const failure = publish.error
  const refused = useRefusedGaps(publish)
  const missing: readonly MissingText[] = mergeGaps(known, refused)
  const left = missing.filter(({ name }) => !waived.includes(name))
  return (
    <ConfirmDialog
      title={mustAsk ? t('publish.ask-title') : t(`publish.title.${place.subject}`)}
      isOpen
      onClose={onClose}
      onConfirm={() =>
        publish.mutateAsync().then(
          () => undefined,
          () => undefined,
        )
      }
      confirmLabel={mustAsk ? t('publish.ask-yes') : when ? t('publish.on', { when }) : isLater ? t('publish.later-yes') : t('publish.now')}
      cancelLabel={t('cancel')}
      confirmDisabled={left.length > 0 || blocked !== undefined || (isLater && !when)}
    >
      {(when || !isLater) && (
        <p>
          {mustAsk
            ? t('publish.ask-text')
            : when
              ? t('publish.text-later', { when })
              : t(canBeWithdrawn(place) ? 'publish.text' : 'publish.text-report')}
        </p>
      )}
      {blocked && <Notice kind="error" title={blocked} />}
      {missing.length > 0 && (
        <MissingTexts
          title={t('publish.missing')}
          hint={t('publish.missing-text')}
          waiveAllLabel={t('publish.missing-all')}
          missing={missing}
          waived={waived}
          onChange={setWaived}
          renderLink={({ at }) =>
            onShow &&
            at && (
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  onShow(at)
                  onClose()
                }}
              >
                {t('publish.write')}
              </button>
            )
          }
        />
      )}
      {!isNowOnly && <CheckInput name="later" label={t('publish.later')} value={isLater} onChange={setLater} />}
      {isLater && <DateTimeField name="publishAt" label={t('publish.at')} value={publishAt} onChange={setPublishAt} {...moment} />}
      {failure && refused.length === 0 && (
        <Notice kind="error" title={isAppError(failure) ? errors(...toFaultTitle(failure.faults[0] ?? failure)) : t('publish.failed')} />
      )}
    </ConfirmDialog>
  )
}
