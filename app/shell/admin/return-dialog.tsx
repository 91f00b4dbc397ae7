import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'

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
