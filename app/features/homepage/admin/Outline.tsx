import { memo, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { ReorderableList } from '#app/ui/admin/reorderable-list.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { BLOCK_TYPES, type BlockType, type HomeBlock, createBlock } from '../homepage.schema.ts'
import { AddBlock } from './AddBlock.tsx'
import { focusBlockForm } from './BlockForm.tsx'
import { findFirstWords } from './block-names.ts'
import { copyBlocks, pasteBlocks } from './block-clipboard.ts'
import { createBlockId } from './homepage-draft.ts'
import { SectionDialog } from './SectionDialog.tsx'

interface OutlineProps {
  /** Kinds of block that can be added; all of them by default. */
  types?: readonly BlockType[]
  hubId: string | null
  blocks: readonly HomeBlock[]
  selected: string | undefined
  language: ContentLanguage
  onSelect: (id: string | undefined) => void
  onChange: (next: (now: readonly HomeBlock[]) => readonly HomeBlock[]) => void
}

/** The page as a list of blocks. Selecting, moving, adding, copying and removing all work by keyboard. */
export const Outline = memo(function Outline({ types = BLOCK_TYPES, hubId, blocks, selected, language, onSelect, onChange }: OutlineProps) {
  const { t } = useTranslation('editor')
  const [isAdding, setAdding] = useState(false)
  const [isKeeping, setKeeping] = useState(false)
  const { id: site } = useSite()
  const insertBlocks = (fresh: readonly HomeBlock[]) => {
    onChange((now) => {
      const at = now.findIndex(({ id }) => id === selected)
      return [...now.slice(0, at + 1), ...fresh, ...now.slice(at + 1)]
    })
    onSelect(fresh[0]?.id)
    focusBlockForm()
  }
  const copyBlock = (block: HomeBlock) => {
    void copyBlocks([block], site)
    showToast({ text: t('copied') })
  }
  const pasteAfterSelected = async () => {
    const pasted = await pasteBlocks(site, createBlockId)
    const fitting = pasted?.blocks.filter(({ type }) => types.includes(type)) ?? []
    if (!pasted || fitting.length === 0) {
      showToast({ kind: 'error', text: t('paste-nothing') })
      return
    }
    insertBlocks(fitting)
    if (pasted.hasOmissions || fitting.length < pasted.blocks.length) showToast({ kind: 'info', text: t('paste-less') })
  }
  useCopyKeys(
    () => {
      const block = blocks.find(({ id }) => id === selected)
      if (block) copyBlock(block)
    },
    () => void pasteAfterSelected(),
  )
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
          onOpen={focusBlockForm}
          onReorder={(ids) => onChange((now) => ids.flatMap((id) => now.find((block) => block.id === id) ?? []))}
          actions={({ block }) => [
            {
              id: 'duplicate',
              label: t('duplicate'),
              icon: 'copy' as const,
              onAction: () => {
                const id = createBlockId()
                onChange((now) => now.flatMap((one) => (one.id === block.id ? [one, { ...one, id }] : [one])))
                onSelect(id)
                focusBlockForm()
              },
            },
            {
              id: 'copy',
              label: t('copy'),
              onAction: () => copyBlock(block),
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
              <span>{findFirstWords(block, language)}</span>
            </>
          )}
        </ReorderableList>
      )}
      <div className="row">
        <Button kind="secondary" size="small" type="button" onClick={() => setAdding(true)}>
          {t('add')}
        </Button>
        <Button kind="plain" size="small" type="button" onClick={() => void pasteAfterSelected()}>
          {t('paste')}
        </Button>
        {types === BLOCK_TYPES && blocks.length > 0 && (
          <Button kind="plain" size="small" type="button" onClick={() => setKeeping(true)}>
            {t('sections.open')}
          </Button>
        )}
      </div>
      {isAdding && (
        <AddBlock
          types={types}
          onClose={() => setAdding(false)}
          onAdd={(type) => {
            setAdding(false)
            insertBlocks([createBlock(type, createBlockId())])
          }}
          onInsert={(section) => {
            setAdding(false)
            insertBlocks(section.map((block) => ({ ...block, id: createBlockId() })))
          }}
        />
      )}
      {isKeeping && <SectionDialog hubId={hubId} blocks={blocks} selected={selected} nameOf={nameOf} onClose={() => setKeeping(false)} />}
    </>
  )

  function nameOf(block: HomeBlock): string {
    const words = findFirstWords(block, language)
    const kind = t(`blocks.${block.type}.name`)
    return words ? t('named', { kind, words }) : kind
  }
})

/** Ctrl or ⌘ with C and V, unless text is selected or a field has focus. */
function useCopyKeys(copy: () => void, paste: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    const { target } = event
    if (target instanceof HTMLElement && target.matches('input, textarea, select, [role="dialog"] *')) return
    const key = event.key.toLowerCase()
    if (key === 'c' && !window.getSelection()?.toString()) copy()
    else if (key === 'v') paste()
  })
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
