import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { contrastFaults } from '#app/lib/contrast.ts'
import { faultTitle } from '#app/lib/fault-title.ts'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { FONT_PAIRS, SCHEMES } from '#app/ui/theme.ts'
import { appearanceHistoryQuery } from '../appearance.queries.ts'
import { type Appearance, HEADERS, readAppearance } from '../appearance.schema.ts'
import { nearestPalette } from '../nearest-palette.ts'
import { PaletteInput } from './PaletteInput.tsx'
import { useAppearanceDraft } from './use-appearance-draft.ts'
import { WordsInput } from './WordsInput.tsx'

interface AppearanceEditorProps {
  draft: { id: string | null; tokens: Appearance }
  preview: (tokens: Appearance, language: Language) => ReactNode
}

const STEPS = ['0rem', '0.4rem', '0.8rem', '1.25rem', '1.6rem', '2rem'] as const

/** How the site looks, beside its homepage in that look. What cannot be read by everyone is shown at once, with the nearest that can. */
export function AppearanceEditor({ draft: first, preview }: AppearanceEditorProps) {
  const { t } = useTranslation('editor')
  const { t: errors } = useTranslation('errors')
  const { languages, locale } = useSite()
  const [language, setLanguage] = useState<Language>(locale)
  const draft = useAppearanceDraft(first)
  const { tokens, change } = draft
  const { primary, accent, paper, ink } = tokens
  const palette = { primary, accent, paper, ink }
  const faults = contrastFaults(palette)
  const nearest = faults.length ? nearestPalette(palette) : undefined
  const publish = usePublication(draft.save)
  const problem = draft.problem === 'offline' ? undefined : draft.problem
  const state = draft.theirs
    ? 'conflict'
    : draft.isSaving
      ? 'saving'
      : draft.problem
        ? problem
          ? 'refused'
          : 'offline'
        : draft.isChanged
          ? 'unsaved'
          : 'saved'
  const errorOf = (name: string) => {
    const fault = problem?.faults.find(({ pointer }) => pointer?.endsWith(`/tokens/${name}`))
    return fault && errors(...faultTitle(fault))
  }
  const corners = STEPS.some((step) => step === tokens.corner) ? STEPS : [...STEPS, tokens.corner]
  return (
    <div className="editor">
      <section className="editor-side" aria-label={t('look.title')}>
        <header className="editor-head">
          <h1>{t('look.title')}</h1>
          <div className="editor-state" data-state={state}>
            <p role={draft.problem || draft.theirs ? 'alert' : 'status'}>{t(`state.${state}`)}</p>
          </div>
        </header>
        <div className="editor-body">
          {draft.theirs && (
            <Notice kind="warning" title={t('look.conflict')}>
              <div className="row">
                <Button size="small" type="button" onClick={draft.keepMine}>
                  {t('conflict.keep-mine')}
                </Button>
                <Button kind="secondary" size="small" type="button" onClick={draft.keepTheirs}>
                  {t('conflict.keep-theirs')}
                </Button>
              </div>
            </Notice>
          )}
          <PaletteInput palette={palette} faults={faults} nearest={nearest} onChange={change} />
          <SelectInput
            name="corner"
            label={t('look.corner')}
            value={tokens.corner}
            onChange={(corner) => change({ corner })}
            options={corners.map((value) => ({ value, label: value === '0rem' ? t('look.square') : value.replace('rem', '') }))}
          />
          <SelectInput
            name="fonts"
            label={t('look.fonts')}
            value={tokens.fonts}
            onChange={(fonts) => change({ fonts })}
            options={FONT_PAIRS.map((value) => ({ value, label: t(`look.font.${value}`) }))}
          />
          <SelectInput
            name="scheme"
            label={t('look.scheme')}
            value={tokens.scheme}
            onChange={(scheme) => change({ scheme })}
            options={SCHEMES.map((value) => ({ value, label: t(`look.schemes.${value}`) }))}
          />
          <SelectInput
            name="header"
            label={t('look.header')}
            value={tokens.header}
            onChange={(header) => change({ header })}
            options={HEADERS.map((value) => ({ value, label: t(`look.headers.${value}`) }))}
          />
          {(['mark', 'favicon'] as const).map((name) => (
            <TextInput
              key={name}
              name={name}
              label={t(`look.${name}`)}
              hint={t('hints.file')}
              value={tokens[name] ?? ''}
              onChange={(file) => change({ [name]: file || null })}
              error={errorOf(name)}
            />
          ))}
          <LanguageTabs
            label={t('languages')}
            languages={languages.map((code) => ({ code, name: LANGUAGE_NAMES[code], missing: 0 }))}
            missingLabel={(count) => t('missing', { count })}
            selected={language}
            onSelect={setLanguage}
          >
            <WordsInput tokens={tokens} language={language} onChange={change} />
          </LanguageTabs>
          <History onRestore={(restored) => change(restored)} />
        </div>
        <footer className="editor-foot">
          <Button
            type="button"
            pending={publish.isPending}
            disabled={faults.length > 0 || Boolean(draft.theirs)}
            onClick={() => publish.mutate()}
          >
            {t('publish.now')}
          </Button>
          {faults.length > 0 && <p>{t('look.not-readable')}</p>}
          {publish.error && (
            <Notice
              kind="error"
              title={isAppError(publish.error) ? errors(...faultTitle(publish.error.faults[0] ?? publish.error)) : t('publish.failed')}
            />
          )}
        </footer>
      </section>
      {preview(tokens, language)}
    </div>
  )
}

/** Publishes what is drafted, and offers the way back. */
function usePublication(save: () => Promise<string | undefined>) {
  const { t } = useTranslation('editor')
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: appearanceHistoryQuery.queryKey })
  return useMutation({
    mutationFn: async () => {
      const id = await save()
      if (!id) throw new Error('The draft could not be saved')
      await api.createRelated('appearance-revisions', id, 'publications', { type: 'appearance-publications', attributes: {} })
      return id
    },
    onSuccess: async (id) => {
      const undo = async () => {
        await api.remove('appearance-publications', id)
        showToast({ text: t('publish.undone') })
        await refresh()
      }
      showToast({ text: t('publish.done'), action: { label: t('publish.undo'), onAction: () => void undo() } })
      await refresh()
    },
  })
}

function History({ onRestore }: { onRestore: (tokens: Appearance) => void }) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  const revisions = useQuery(appearanceHistoryQuery).data ?? []
  return (
    <details>
      <summary>{t('history.open')}</summary>
      <ol className="revisions">
        {revisions.map(({ id, createdAt, publishedAt, author, tokens }) => (
          <li key={id}>
            <span>
              {format.dateTime(createdAt)} {author} {publishedAt && t('history.was-published', { when: format.dateTime(publishedAt) })}
            </span>
            <span>
              <Button kind="secondary" size="small" type="button" onClick={() => onRestore(readAppearance(tokens))}>
                {t('history.restore')}
              </Button>
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
