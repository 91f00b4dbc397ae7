import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#app/lib/languages.ts'
import { ReorderableList } from '#app/ui/admin/reorderable-list.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { type HomeBlock, newBlock } from '../homepage.schema.ts'
import { AddBlock } from './AddBlock.tsx'
import { firstWords } from './block-names.ts'
import { copyBlock, pasteBlock } from './clipboard.ts'
import { newBlockId } from './homepage-draft.ts'

interface OutlineProps {
  blocks: readonly HomeBlock[]
  selected: string | undefined
  language: Language
  onSelect: (id: string | undefined) => void
  onChange: (next: (now: readonly HomeBlock[]) => readonly HomeBlock[]) => void
}

/** The page as a list of its blocks: chosen, moved, added, copied and removed, all by keyboard. */
export function Outline({ blocks, selected, language, onSelect, onChange }: OutlineProps) {
  const { t } = useTranslation('editor')
  const [isAdding, setAdding] = useState(false)
  const insert = (block: HomeBlock) => {
    onChange((now) => {
      const at = now.findIndex(({ id }) => id === selected)
      return [...now.slice(0, at + 1), block, ...now.slice(at + 1)]
    })
    onSelect(block.id)
  }
  const paste = async () => {
    const block = await pasteBlock(newBlockId())
    if (block) insert(block)
    else showToast({ kind: 'error', text: t('paste-nothing') })
  }
  const items = blocks.map((block) => ({ id: block.id, name: nameOf(block), block }))
  return (
    <>
      {blocks.length === 0 ? (
        <EmptyState level={2} title={t('no-blocks')}>
          {t('no-blocks-text')}
        </EmptyState>
      ) : (
        <ReorderableList
          label={t('blocks-label')}
          items={items}
          selected={selected}
          onSelect={onSelect}
          onReorder={(ids) => onChange((now) => ids.flatMap((id) => now.find((block) => block.id === id) ?? []))}
          actions={({ block }) => [
            {
              id: 'duplicate',
              label: t('duplicate'),
              icon: 'copy' as const,
              onAction: () => {
                const id = newBlockId()
                onChange((now) => now.flatMap((one) => (one.id === block.id ? [one, { ...one, id }] : [one])))
                onSelect(id)
              },
            },
            {
              id: 'copy',
              label: t('copy'),
              onAction: () => {
                copyBlock(block)
                showToast({ text: t('copied') })
              },
            },
            {
              id: 'remove',
              label: t('remove'),
              icon: 'trash' as const,
              danger: true,
              onAction: () => {
                const at = blocks.indexOf(block)
                onChange((now) => now.filter(({ id }) => id !== block.id))
                onSelect((blocks[at + 1] ?? blocks[at - 1])?.id)
              },
            },
          ]}
          words={{
            drag: (name) => t('list.drag', { name }),
            menu: (name) => t('list.menu', { name }),
            up: t('list.up'),
            down: t('list.down'),
            to: t('list.to'),
            toTitle: (name) => t('list.to-title', { name }),
            position: t('list.position'),
            place: (position, total) => t('list.place', { position, total }),
            move: t('list.move'),
            cancel: t('cancel'),
            close: t('close'),
            moved: (name, position, total) => t('list.moved', { name, position, total }),
          }}
        >
          {({ block }) => (
            <>
              <strong>{t(`blocks.${block.type}.name`)}</strong>
              <span>{firstWords(block, language)}</span>
            </>
          )}
        </ReorderableList>
      )}
      <div className="row">
        <Button kind="secondary" size="small" type="button" onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
        <Button kind="plain" size="small" type="button" onClick={() => void paste()}>
          {t('paste')}
        </Button>
      </div>
      {isAdding && (
        <AddBlock
          onClose={() => setAdding(false)}
          onAdd={(type) => {
            setAdding(false)
            insert(newBlock(type, newBlockId()))
          }}
        />
      )}
    </>
  )

  function nameOf(block: HomeBlock): string {
    const words = firstWords(block, language)
    const kind = t(`blocks.${block.type}.name`)
    return words ? t('named', { kind, words }) : kind
  }
}
