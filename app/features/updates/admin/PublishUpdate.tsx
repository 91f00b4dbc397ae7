import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { updateAudienceQuery } from '../updates.queries.ts'

interface PublishUpdateProps {
  how: 'now' | 'later'
  project: string
  /** When it is scheduled for so far. */
  scheduledFor: string | null
  onPublish: (at: string) => Promise<unknown>
  onClose: () => void
}

/** Asks before an update is published or scheduled, and says how many followers will be notified. */
export function PublishUpdate({ how, project, scheduledFor, onPublish, onClose }: PublishUpdateProps) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const { words } = useMomentTexts()
  const audience = useQuery(updateAudienceQuery(project)).data
  const [at, setAt] = useState(scheduledFor ?? undefined)
  const [isLate, setLate] = useState(false)
  const isWhole = at !== undefined && !isHalfMoment(at)
  const publish = async () => {
    if (how === 'later' && !(at && new Date(at) > new Date())) return setLate(true)
    await onPublish(how === 'later' && at ? at : new Date().toISOString()).then(onClose, onClose)
    return undefined
  }
  return (
    <ConfirmDialog
      title={how === 'now' ? t('updates.confirm-now') : t('updates.schedule-title')}
      isOpen
      onClose={onClose}
      onConfirm={publish}
      confirmLabel={how === 'now' ? t('updates.publish-now') : t('updates.schedule')}
      cancelLabel={admin('confirm.cancel')}
      confirmDisabled={how === 'later' && !isWhole}
    >
      <p>{how === 'now' ? t('updates.confirm-text') : t('updates.schedule-text')}</p>
      {audience && (
        <p>
          {audience.waits && audience.followers > 0
            ? t('updates.told-later', { count: audience.followers, number: format.number(audience.followers) })
            : t('updates.told', { count: audience.followers, number: format.number(audience.followers) })}
        </p>
      )}
      {how === 'later' && (
        <DateTimeField
          name="publishedAt"
          label={t('updates.time')}
          value={at}
          onChange={(next) => {
            setLate(false)
            setAt(next)
          }}
          {...(isLate ? { error: errors('codes.moment-passed') } : {})}
          {...words}
        />
      )}
    </ConfirmDialog>
  )
}
