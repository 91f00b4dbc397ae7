import { memo, type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft } from '#app/shell/admin/drafts/draft.ts'
import type { Palette } from '#app/lib/contrast.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { useKeptLanguage } from '#app/ui/admin/use-kept-tab.ts'
import { PictureInput } from '#app/ui/admin/picture-input.tsx'
import { FONT_PAIRS, SCHEMES } from '#app/ui/theme.ts'
import { findMissingLookTexts } from '../appearance-checks.ts'
import { type Appearance, HEADER_STYLES } from '../appearance.schema.ts'
import { findCornerName, CORNER_STEPS } from './corner-steps.ts'
import { PaletteInput } from './PaletteInput.tsx'
import { WordsInput } from './WordsInput.tsx'

interface AppearanceEditorProps {
  draft: Draft<Appearance>
  /** Save state, and who else is editing. */
  status: ReactNode
  /** Differences from another person's version. */
  conflict: ReactNode
  /** Version actions. */
  tools: ReactNode
  preview: (tokens: Appearance, language: ContentLanguage) => ReactNode
}

/** Edits a site's look beside a live preview of its homepage. Contrast failures show at once, with the nearest colour that passes. */
export function AppearanceEditor({ draft, status, conflict, tools, preview }: AppearanceEditorProps) {
  const { t } = useTranslation('editor')
  const { contentLanguages, locale } = useSite()
  const [language, setLanguage] = useKeptLanguage(contentLanguages, locale)
  const { content: tokens, change: replace } = draft
  const { primary: _primary, accent: _accent, paper: _paper, ink: _ink, ...look } = tokens
  const change = useCallback((next: Partial<Appearance>) => replace((now) => ({ ...now, ...next }), Object.keys(next).join(' ')), [replace])
  return (
    <div className="editor">
      <section className="editor-side" aria-label={t('look.title')}>
        <header className="editor-head">
          <h1>{t('look.title')}</h1>
          {status}
        </header>
        <div className="editor-body">
          {draft.conflict && conflict}
          <PaletteInput tokens={tokens} onChange={change} />
          <LookForm {...look} problem={draft.problem} language={language} onLanguage={setLanguage} onChange={change} />
        </div>
        {tools}
      </section>
      {preview(tokens, language)}
    </div>
  )
}

interface LookFormProps extends Omit<Appearance, keyof Palette> {
  problem: Draft<Appearance>['problem']
  language: ContentLanguage
  onLanguage: (language: ContentLanguage) => void
  onChange: (next: Partial<Appearance>) => void
}

/** Everything in the look except colours. Memoised, because the preview must update first while someone drags a colour. */
const LookForm = memo(function LookForm({ problem, language, onLanguage, onChange, ...look }: LookFormProps) {
  const { t } = useTranslation('editor')
  const { t: errors } = useTranslation('errors')
  const { contentLanguages: languages } = useSite()
  const missing = findMissingLookTexts(look, languages)
  const errorOf = (name: string) => {
    const fault = problem !== 'offline' && problem?.faults.find(({ pointer }) => pointer?.endsWith(`/tokens/${name}`))
    return fault ? errors(...toFaultTitle(fault)) : undefined
  }
  return (
    <>
      <SelectInput
        name="corner"
        label={t('look.corner')}
        value={findCornerName(look.corner)}
        onChange={(chosen) => onChange({ corner: CORNER_STEPS.find(({ name }) => name === chosen)?.value ?? look.corner })}
        options={CORNER_STEPS.map(({ name }) => ({ value: name, label: t(`look.corners.${name}`) }))}
      />
      <SelectInput
        name="fonts"
        label={t('look.fonts')}
        value={look.fonts}
        onChange={(fonts) => onChange({ fonts })}
        options={FONT_PAIRS.map((value) => ({ value, label: t(`look.font.${value}`) }))}
      />
      <SelectInput
        name="scheme"
        label={t('look.scheme')}
        value={look.scheme}
        onChange={(scheme) => onChange({ scheme })}
        options={SCHEMES.map((value) => ({ value, label: t(`look.schemes.${value}`) }))}
      />
      <SelectInput
        name="header"
        label={t('look.header')}
        value={look.header}
        onChange={(header) => onChange({ header })}
        options={HEADER_STYLES.map((value) => ({ value, label: t(`look.headers.${value}`) }))}
      />
      {(['mark', 'favicon'] as const).map((name) => (
        <PictureInput
          key={name}
          name={name}
          label={t(`look.${name}`)}
          value={look[name]}
          onChange={(picture) => onChange({ [name]: picture?.address ?? null })}
          error={errorOf(name)}
        />
      ))}
      <LanguageTabs
        label={t('languages')}
        languages={languages}
        missing={(code) => missing.filter((one) => one.language === code).length}
        missingLabel={(count) => t('missing', { count })}
        selected={language}
        onSelect={onLanguage}
      >
        <WordsInput navigation={look.navigation} footer={look.footer} language={language} onChange={onChange} />
      </LanguageTabs>
    </>
  )
})
