import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'

interface EditDialogProps {
  title: string
  saveLabel: string
  save: { isPending: boolean; mutate: () => void }
  /** What the server refused, from `useEditorTexts`. */
  faults: readonly { message: string }[]
  onClose: () => void
  size?: 'medium' | 'large'
  children: ReactNode
}

/** A dialog with a form and one button that saves it. Its owner closes it once that succeeded. */
export function EditDialog({ title, saveLabel, save, faults, onClose, size = 'large', children }: EditDialogProps) {
  const { t } = useTranslation('admin')
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      closeLabel={t('nav.close-dialog')}
      size={size}
      submit={{ label: saveLabel, onSubmit: () => save.mutate(), pending: save.isPending }}
    >
      <div className="admin-form">
        {faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        {children}
      </div>
    </Dialog>
  )
}
