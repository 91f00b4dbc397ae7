import { useTranslation } from 'react-i18next'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { MAX_PICTURE_BYTES } from '../media.schema.ts'
import type { UploadProgress, useUploads } from './use-uploads.ts'

/** Uploads with their progress, or why they were refused. */
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

function UploadItem({ sending, again, drop }: { sending: UploadProgress; again: () => void; drop: () => void }) {
  const { t } = useTranslation('media')
  const format = useFormat()
  const { faults } = useEditorTexts(sending.error)
  const { name, bytes, received } = sending
  const tooLarge = bytes > MAX_PICTURE_BYTES
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
        <strong>{name}</strong>: {tooLarge ? t('too-large', { size: format.bytes(MAX_PICTURE_BYTES) }) : faults[0]?.message}
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
