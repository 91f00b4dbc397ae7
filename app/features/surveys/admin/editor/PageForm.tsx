import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import type { Page } from '../../surveys.schema.ts'
import { WordsField } from '../question-types/WordsField.tsx'
import type { PlacedFault } from './draft-faults.ts'

interface PageFormProps {
  page: Page
  change: (edit: (page: Page) => Page, key?: string) => void
  faults: readonly PlacedFault[]
  messageOf: (field: string) => string | undefined
  language: Language
  onLanguage: (language: Language) => void
}

/** A page's own words: its heading and what stands below it. */
export function PageForm({ page, change, faults, messageOf, language, onLanguage }: PageFormProps) {
  const { t } = useTranslation('survey-admin')
  const { languages } = useSite()
  return (
    <LanguageTabs
      label={t('languages')}
      languages={languages.map((code) => ({
        code,
        name: LANGUAGE_NAMES[code],
        missing: faults.filter((each) => each.language === code).length,
      }))}
      missingLabel={(count) => t('missing', { count })}
      selected={language}
      onSelect={onLanguage}
    >
      <div className="admin-form">
        <WordsField
          name="title"
          label={t('page.title')}
          hint={t('page.title-hint')}
          values={page.title ?? {}}
          language={language}
          onChange={(title, key) => change((now) => ({ ...now, title }), `${page.id}.${key}`)}
          messageOf={messageOf}
        />
        <WordsField
          name="intro"
          label={t('page.intro')}
          values={page.intro ?? {}}
          language={language}
          onChange={(intro, key) => change((now) => ({ ...now, intro }), `${page.id}.${key}`)}
          messageOf={messageOf}
          rows={4}
        />
      </div>
    </LanguageTabs>
  )
}
