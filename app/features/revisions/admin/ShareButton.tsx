import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import type { LinkedPlace } from '../draft.schema.ts'
import { ShareDialog } from './ShareDialog.tsx'

/** Opens the dialog for links that show a draft to somebody without an account. */
export function ShareButton({ place }: { place: LinkedPlace }) {
  const { t } = useTranslation('editor')
  const [isSharing, setSharing] = useState(false)
  return (
    <>
      <Button kind="secondary" type="button" onClick={() => setSharing(true)}>
        {t('share.open')}
      </Button>
      {isSharing && <ShareDialog place={place} onClose={() => setSharing(false)} />}
    </>
  )
}
