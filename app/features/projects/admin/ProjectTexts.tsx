import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { TranslatedField } from '#app/ui/admin/translated-field.tsx'
import { TRANSLATED_FIELDS, type ProjectDraft } from './project-draft.ts'

const ROWS: Record<(typeof TRANSLATED_FIELDS)[number], number | undefined> = {
  titleTranslations: undefined,
  summaryTranslations: 3,
  bodyTranslations: 14,
  outcomeTranslations: 6,
}

interface ProjectTextsProps {
  draft: ProjectDraft
  change: (next: Partial<ProjectDraft>) => void
  messageOf: (field: string) => string | undefined
}

/** What the project says, a language at a time. */
export function ProjectTexts({ draft, change, messageOf }: ProjectTextsProps) {
  const { t } = useTranslation('admin')
  const { languages, locale } = useSite()
  const [language, setLanguage] = useState<Language>(locale)
  const missing = (code: Language) => TRANSLATED_FIELDS.filter((name) => draft[name][locale]?.trim() && !draft[name][code]?.trim()).length
  return (
    <LanguageTabs
      label={t('editor.languages')}
      languages={languages}
      missing={missing}
      missingLabel={(count) => t('editor.missing', { count })}
      selected={language}
      onSelect={setLanguage}
    >
      <div className="admin-form">
        {TRANSLATED_FIELDS.map((name) => (
          <TranslatedField
            key={name}
            name={name}
            label={t(`fields.${name}`)}
            hint={name === 'bodyTranslations' ? t('editor.markup') : undefined}
            values={draft[name]}
            language={language}
            source={locale}
            onChange={(code, text) => change({ [name]: { ...draft[name], [code]: text } })}
            error={messageOf(name) ?? messageOf(`${name}.${language}`)}
            sourceLabel={t('editor.in-language', { language: LANGUAGE_NAMES[locale] })}
            copyLabel={t('editor.copy')}
            {...(ROWS[name] ? { rows: ROWS[name] } : {})}
          />
        ))}
      </div>
    </LanguageTabs>
  )
}
