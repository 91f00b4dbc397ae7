import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft } from '#app/features/revisions/draft.schema.ts'
import { faultTitle } from '#app/lib/fault-title.ts'
import type { Language } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PictureInput } from '#app/ui/admin/picture-input.tsx'
import { FONT_PAIRS, SCHEMES } from '#app/ui/theme.ts'
import { missingLookTexts } from '../appearance-checks.ts'
import { type Appearance, HEADERS } from '../appearance.schema.ts'
import { cornerName, CORNERS } from './corners.ts'
import { PaletteInput } from './PaletteInput.tsx'
import { WordsInput } from './WordsInput.tsx'

interface AppearanceEditorProps {
  draft: Draft<Appearance>
  /** Whether the work is safe, and who else is at it. */
  status: ReactNode
  /** What differs from somebody else's version. */
  conflict: ReactNode
  /** What is done with the versions. */
  tools: ReactNode
  preview: (tokens: Appearance, language: Language) => ReactNode
}

/** How the site looks, beside its homepage in that look. What cannot be read by everyone is shown at once, with the nearest that can. */
export function AppearanceEditor({ draft, status, conflict, tools, preview }: AppearanceEditorProps) {
  const { t } = useTranslation('editor')
  const { t: errors } = useTranslation('errors')
  const { languages, locale } = useSite()
  const [language, setLanguage] = useState<Language>(locale)
  const { content: tokens } = draft
  const change = (next: Partial<Appearance>) => draft.change((now) => ({ ...now, ...next }), Object.keys(next).join(' '))
  const missing = missingLookTexts(tokens, languages)
  const errorOf = (name: string) => {
    const fault = draft.problem !== 'offline' && draft.problem?.faults.find(({ pointer }) => pointer?.endsWith(`/tokens/${name}`))
    return fault ? errors(...faultTitle(fault)) : undefined
  }
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
          <SelectInput
            name="corner"
            label={t('look.corner')}
            value={cornerName(tokens.corner)}
            onChange={(chosen) => change({ corner: CORNERS.find(({ name }) => name === chosen)?.value ?? tokens.corner })}
            options={CORNERS.map(({ name }) => ({ value: name, label: t(`look.corners.${name}`) }))}
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
            <PictureInput
              key={name}
              name={name}
              label={t(`look.${name}`)}
              value={tokens[name]}
              onChange={(picture) => change({ [name]: picture?.address ?? null })}
              error={errorOf(name)}
            />
          ))}
          <LanguageTabs
            label={t('languages')}
            languages={languages}
            missing={(code) => missing.filter((one) => one.language === code).length}
            missingLabel={(count) => t('missing', { count })}
            selected={language}
            onSelect={setLanguage}
          >
            <WordsInput tokens={tokens} language={language} onChange={change} />
          </LanguageTabs>
        </div>
        {tools}
      </section>
      {preview(tokens, language)}
    </div>
  )
}
