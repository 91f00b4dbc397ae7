import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultTitle } from '#app/lib/fault-title.ts'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { Button } from '#app/ui/button.tsx'
import { missingTexts } from '../content-checks.ts'
import type { HomeBlock } from '../homepage.schema.ts'
import { withText } from '../draft-blocks.ts'
import { BlockForm } from './BlockForm.tsx'
import { ConflictNotice } from './ConflictNotice.tsx'
import { HistoryDialog } from './HistoryDialog.tsx'
import { Outline } from './Outline.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { SaveState } from './SaveState.tsx'
import { useHomepageDraft } from './use-homepage-draft.ts'

export interface PreviewInput {
  blocks: readonly HomeBlock[]
  selected: string | undefined
  language: Language
  onSelect: (block: string) => void
  /** Words typed over in the preview itself. */
  onEdit: (block: string, path: string[], text: string) => void
}

interface HomepageEditorProps {
  hubId: string | null
  /** What the page is called, and a choice between the pages one edits. */
  title: ReactNode
  draft: { id: string | null; blocks: readonly HomeBlock[] }
  preview: (input: PreviewInput) => ReactNode
}

/** The outline of a page and the form of its selected block, beside the page itself. */
export function HomepageEditor({ hubId, title, draft: first, preview }: HomepageEditorProps) {
  const { t } = useTranslation('editor')
  const { t: errors } = useTranslation('errors')
  const { languages, locale } = useSite()
  const draft = useHomepageDraft(hubId, first)
  const { blocks, change } = draft
  const [selected, setSelected] = useState<string | undefined>(blocks[0]?.id)
  const [language, setLanguage] = useState<Language>(locale)
  const [dialog, setDialog] = useState<'publish' | 'history'>()
  const block = blocks.find(({ id }) => id === selected)
  const missing = missingTexts(blocks, languages)
  const errorOf = faultsByName(draft.problem === 'offline' ? [] : (draft.problem?.faults ?? []), blocks, (fault) =>
    errors(...faultTitle(fault)),
  )
  useUndoKeys(draft.undo, draft.redo)

  return (
    <div className="editor">
      <p id="leave-question" hidden>
        {t('leave')}
      </p>
      <section className="editor-side" aria-label={t('edit')}>
        <header className="editor-head">
          {title}
          <SaveState draft={draft} />
          <div className="row">
            <Button kind="plain" size="small" type="button" disabled={!draft.canUndo} onClick={draft.undo}>
              {t('undo')}
            </Button>
            <Button kind="plain" size="small" type="button" disabled={!draft.canRedo} onClick={draft.redo}>
              {t('redo')}
            </Button>
          </div>
        </header>
        <div className="editor-body">
          {draft.conflict && <ConflictNotice draft={draft} conflict={draft.conflict} language={language} />}
          <Outline blocks={blocks} selected={selected} language={language} onSelect={setSelected} onChange={change} />
          {block && (
            <section className="editor-form" aria-label={t(`blocks.${block.type}.name`)}>
              <h2>{t(`blocks.${block.type}.name`)}</h2>
              <LanguageTabs
                label={t('languages')}
                languages={languages.map((code) => ({
                  code,
                  name: LANGUAGE_NAMES[code],
                  missing: missing.filter((one) => one.language === code).length,
                }))}
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
        <footer className="editor-foot">
          <Button type="button" onClick={() => setDialog('publish')} disabled={Boolean(draft.conflict) || blocks.length === 0}>
            {t('publish.open')}
          </Button>
          <Button kind="secondary" type="button" onClick={() => setDialog('history')}>
            {t('history.open')}
          </Button>
        </footer>
      </section>
      {preview({
        blocks,
        selected,
        language,
        onSelect: setSelected,
        onEdit: (id, path, text) =>
          change((now) => now.map((one) => (one.id === id ? withText(one, path, language, text) : one)), `${id}.${path.join('.')}`),
      })}
      {dialog === 'publish' && (
        <PublishDialog hubId={hubId} draft={draft} missing={missing} onShow={setSelected} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'history' && (
        <HistoryDialog
          hubId={hubId}
          language={language}
          onClose={() => setDialog(undefined)}
          onRestore={(restored, note) => {
            draft.remark(note)
            change(restored)
            setDialog(undefined)
          }}
        />
      )}
    </div>
  )
}

/** `/data/attributes/content/blocks/2/action/href` as the name of its field: `b_1.action.href`. */
function faultsByName<Fault extends { pointer?: string }>(
  faults: readonly Fault[],
  blocks: readonly HomeBlock[],
  say: (fault: Fault) => string,
): (name: string) => string | undefined {
  const byName = new Map<string, string>()
  for (const fault of faults) {
    const [, at, path] = /\/content\/blocks\/(\d+)\/(.+)$/.exec(fault.pointer ?? '') ?? []
    const id = blocks[Number(at)]?.id
    if (id && path) byName.set(`${id}.${path.replaceAll('/', '.')}`, say(fault))
  }
  return (name) => byName.get(name)
}

/** Ctrl or ⌘ with Z and Y. A field that is being typed in keeps its own undo. */
function useUndoKeys(undo: () => void, redo: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || isTyping(event.target)) return
      const key = event.key.toLowerCase()
      if (key === 'y' || (key === 'z' && event.shiftKey)) redo()
      else if (key === 'z') undo()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [undo, redo])
}

const isTyping = (target: EventTarget | null) => target instanceof HTMLElement && target.matches('input, textarea, select')
