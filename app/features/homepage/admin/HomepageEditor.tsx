import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft } from '#app/shell/admin/drafts/draft.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { useKeptLanguage } from '#app/ui/admin/use-kept-tab.ts'
import { useDebouncedValue } from '#app/ui/admin/use-debounced-value.ts'
import { groupBlockFaults } from '../block-faults.schema.ts'
import { findMissingTexts } from '../missing-texts.schema.ts'
import type { BlockType, HomeBlock } from '../homepage.schema.ts'
import { replaceText } from '../draft-blocks.ts'
import { BlockForm } from './BlockForm.tsx'
import { Outline } from './Outline.tsx'

export interface PreviewInput {
  blocks: readonly HomeBlock[]
  selected: string | undefined
  language: ContentLanguage
  onSelect: (block: string) => void
  /** Text edited in the preview itself. */
  onEdit: (block: string, path: string[], text: string) => void
}

interface HomepageEditorProps {
  hubId: string | null
  /** Kinds of block that can be added; those of homepages by default. */
  types?: readonly BlockType[]
  /** Page title, and a page selector if the viewer edits several. */
  title: ReactNode
  draft: Draft<readonly HomeBlock[]>
  /** Save state, and who else is editing. */
  status: ReactNode
  /** Differences from another person's version. */
  conflict: (language: ContentLanguage) => ReactNode
  /** Version actions; `show` selects a block. */
  tools: (show: (block: string) => void, language: ContentLanguage) => ReactNode
  preview: (input: PreviewInput) => ReactNode
}

/** The page's outline and the form of the selected block, beside a live preview. */
export function HomepageEditor({ hubId, types, title, draft, status, conflict, tools, preview }: HomepageEditorProps) {
  const { t } = useTranslation('editor')
  const { t: errors } = useTranslation('errors')
  const { contentLanguages: languages, locale } = useSite()
  const { content: blocks, change } = draft
  const [selected, setSelected] = useState<string | undefined>(blocks[0]?.id)
  const [language, setLanguage] = useKeptLanguage(languages, locale)
  const block = blocks.find(({ id }) => id === selected)
  const outlined = useDebouncedBlocks(blocks)
  const missing = findMissingTexts(blocks, languages)
  const faults = groupBlockFaults(draft.problem === 'offline' ? [] : (draft.problem?.faults ?? []), blocks)
  const errorOf = (name: string) => {
    const fault = faults.get(name)
    return fault && errors(...toFaultTitle(fault))
  }

  return (
    <div className="editor">
      <section className="editor-side" aria-label={t('edit')}>
        <header className="editor-head">
          {title}
          {status}
        </header>
        <div className="editor-body">
          {draft.conflict && conflict(language)}
          <Outline
            {...(types && { types })}
            hubId={hubId}
            blocks={outlined}
            selected={selected}
            language={language}
            onSelect={setSelected}
            onChange={change}
          />
          {block && (
            <section className="editor-form" aria-label={t(`blocks.${block.type}.name`)}>
              <h2>{t(`blocks.${block.type}.name`)}</h2>
              <LanguageTabs
                label={t('languages')}
                languages={languages}
                missing={(code) => missing.filter((one) => one.language === code).length}
                missingLabel={(count) => t('missing', { count })}
                selected={language}
                onSelect={setLanguage}
              >
                <BlockForm
                  key={block.id}
                  block={block}
                  language={language}
                  errorOf={errorOf}
                  onChange={(next, place) => change((now) => now.map((one) => (one.id === next.id ? next : one)), place)}
                />
              </LanguageTabs>
            </section>
          )}
        </div>
        {tools(setSelected, language)}
      </section>
      {preview({
        blocks,
        selected,
        language,
        onSelect: setSelected,
        onEdit: (id, path, text) =>
          change((now) => now.map((one) => (one.id === id ? replaceText(one, path, language, text) : one)), `${id}.${path.join('.')}`),
      })}
    </div>
  )
}

const DEBOUNCE_MS = 300

/**
 * Debounces text changes, so that a long outline does not re-render on every keystroke and the preview updates first. Adding, removing or
 * moving a block takes effect at once.
 */
function useDebouncedBlocks(blocks: readonly HomeBlock[]): readonly HomeBlock[] {
  const settled = useDebouncedValue(blocks, DEBOUNCE_MS)
  const isSameOrder = blocks.length === settled.length && blocks.every(({ id }, at) => id === settled[at]?.id)
  return isSameOrder ? settled : blocks
}
