import { useTranslation } from 'react-i18next'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { BLOCK_TYPES, type BlockType } from '../homepage.schema.ts'

/** Every kind of block with what it is for. */
export function AddBlock({ onAdd, onClose }: { onAdd: (type: BlockType) => void; onClose: () => void }) {
  const { t } = useTranslation('editor')
  return (
    <Dialog title={t('add-title')} isOpen onClose={onClose} closeLabel={t('close')} size="large">
      <ul className="block-choice">
        {BLOCK_TYPES.map((type) => (
          <li key={type}>
            <button type="button" onClick={() => onAdd(type)}>
              <strong>{t(`blocks.${type}.name`)}</strong>
              <span>{t(`blocks.${type}.hint`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
