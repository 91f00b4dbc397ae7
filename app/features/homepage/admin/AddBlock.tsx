import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { type BlockType, type HomeBlock, readBlocks } from '../homepage.schema.ts'
import { sectionsQuery } from '../homepage.queries.ts'

interface AddBlockProps {
  types: readonly BlockType[]
  onAdd: (type: BlockType) => void
  onInsert: (blocks: readonly HomeBlock[]) => void
  onClose: () => void
}

/** Saved sections, then every kind of block with a description. */
export function AddBlock({ types, onAdd, onInsert, onClose }: AddBlockProps) {
  const { t } = useTranslation('editor')
  const queryClient = useQueryClient()
  const { data: all = [] } = useQuery(sectionsQuery)
  const sections = all.filter(({ content }) => readBlocks(content).every(({ type }) => types.includes(type)))
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('saved-sections', id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sectionsQuery.queryKey }),
  })
  return (
    <Dialog title={t('add-title')} isOpen onClose={onClose} closeLabel={t('close')} size="large">
      {sections.length > 0 && (
        <section className="saved-sections" aria-labelledby="saved-sections">
          <h3 id="saved-sections">{t('sections.list')}</h3>
          <ul className="block-choice">
            {sections.map(({ id, name, content }) => {
              const blocks = readBlocks(content)
              return (
                <li key={id} className="saved-section">
                  <button type="button" onClick={() => onInsert(blocks)}>
                    <strong>{name}</strong>
                    <span>{blocks.map(({ type }) => t(`blocks.${type}.name`)).join(', ')}</span>
                  </button>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('sections.remove', { name })}
                    onClick={() => remove.mutate(id)}
                  >
                    <AdminIcon name="trash" />
                  </button>
                </li>
              )
            })}
          </ul>
          <h3>{t('sections.kinds')}</h3>
        </section>
      )}
      <ul className="block-choice">
        {types.map((type) => (
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
