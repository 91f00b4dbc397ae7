import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { useKeptLanguage } from '#app/ui/admin/use-kept-tab.ts'
import { TranslatedField } from '#app/ui/admin/translated-field.tsx'
import type { DatasetDraft } from './dataset-draft.ts'

/** A dataset's title and description in each language, and its publisher. */
export function DatasetTexts({ draft, change }: { draft: DatasetDraft; change: (next: Partial<DatasetDraft>) => void }) {
  const { t } = useTranslation('city-admin')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const [language, setLanguage] = useKeptLanguage(site.contentLanguages, site.locale)
  const texts = ['titleTranslations', 'descriptionTranslations'] as const
  const countMissing = (code: ContentLanguage) => texts.filter((name) => !draft[name][code]?.trim()).length
  const renderField = (name: (typeof texts)[number], label: string, rows?: number) => (
    <TranslatedField
      name={name}
      label={label}
      values={draft[name]}
      language={language}
      source={site.locale}
      onChange={(code, text) => change({ [name]: { ...draft[name], [code]: text } })}
      {...(rows ? { rows } : {})}
      sourceLabel={admin('editor.in-language', { language: getLanguageName(site.locale) })}
      copyLabel={admin('editor.copy')}
    />
  )
  return (
    <section className="admin-form">
      <LanguageTabs
        label={admin('editor.languages')}
        languages={site.contentLanguages}
        missing={countMissing}
        missingLabel={(count) => admin('editor.missing', { count })}
        selected={language}
        onSelect={setLanguage}
      >
        <div className="admin-form">
          {renderField('titleTranslations', t('fields.title'))}
          {renderField('descriptionTranslations', t('fields.description'), 3)}
        </div>
      </LanguageTabs>
      <TextInput name="publisher" label={t('fields.publisher')} value={draft.publisher} onChange={(publisher) => change({ publisher })} />
      <TextInput
        name="licence"
        label={t('fields.licence')}
        hint={t('fields.licence-hint')}
        value={draft.licence}
        onChange={(licence) => change({ licence })}
      />
    </section>
  )
}
