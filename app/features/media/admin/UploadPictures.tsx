import { useTranslation } from 'react-i18next'
import { useContentWords } from '#app/shell/use-content-words.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { MOST_PICTURE_BYTES } from '../media.schema.ts'
import type { Sending, useUploads } from './use-uploads.ts'

/** Files on their way, with how far each is and what became of those that were refused. */
export function UploadList({ uploads }: { uploads: ReturnType<typeof useUploads> }) {
  const { t } = useTranslation('media')
  if (!uploads.sending.length) return null
  return (
    <ul className="admin-list upload-list" aria-label={t('uploading')}>
      {uploads.sending.map((one) => (
        <UploadItem key={one.key} sending={one} again={() => uploads.again(one.key)} drop={() => uploads.drop(one.key)} />
      ))}
    </ul>
  )
}

function UploadItem({ sending, again, drop }: { sending: Sending; again: () => void; drop: () => void }) {
  const { t } = useTranslation('media')
  const format = useFormat()
  const { faults } = useContentWords(sending.error)
  const { name, bytes, received } = sending
  const tooLarge = bytes > MOST_PICTURE_BYTES
  if (!tooLarge && !sending.error) {
    const share = format.percent(bytes ? received / bytes : 0)
    return (
      <li>
        <ProgressBar label={t('progress', { name, share })} value={received} max={bytes} />
      </li>
    )
  }
  return (
    <li role="alert">
      <span>
        <strong>{name}</strong>: {tooLarge ? t('too-large', { size: format.bytes(MOST_PICTURE_BYTES) }) : faults[0]?.message}
      </span>
      <span className="row">
        {!tooLarge && (
          <Button kind="secondary" size="small" type="button" onClick={again}>
            {t('again')}
          </Button>
        )}
        <Button kind="plain" size="small" type="button" onClick={drop}>
          {t('dismiss')}
        </Button>
      </span>
    </li>
  )
}
