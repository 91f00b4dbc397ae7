import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { listFieldPassages } from '#app/lib/plain-words/plain-passage.ts'
import { hasText } from '#app/lib/translated.ts'
import { PlainPanel } from '#app/shell/admin/plain-words/PlainPanel.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { PictureInput } from '#app/ui/admin/picture-input.tsx'
import { TranslatedField } from '#app/ui/admin/translated-field.tsx'
import type { ProjectContent } from '../project-content.schema.ts'
import { type ChangeContent, TRANSLATED_FIELDS } from './project-draft.ts'

const ROWS: Record<(typeof TRANSLATED_FIELDS)[number], number | undefined> = {
  titleTranslations: undefined,
  summaryTranslations: 3,
  bodyTranslations: 14,
  outcomeTranslations: 6,
}

/** Those in light markup. */
const RICH: ReadonlySet<string> = new Set(['bodyTranslations', 'outcomeTranslations'])

type Text = keyof typeof ROWS | 'pictureAltTranslations'

interface ProjectTextsProps {
  content: ProjectContent
  change: ChangeContent
  language: ContentLanguage
  onLanguage: (language: ContentLanguage) => void
  messageOf: (field: string) => string | undefined
}

/** The project's texts, one language at a time. */
export function ProjectTexts({ content, change, language, onLanguage, messageOf }: ProjectTextsProps) {
  const { t } = useTranslation('admin')
  const { contentLanguages: languages, locale } = useSite()
  const texts: readonly Text[] = content.picture ? [...TRANSLATED_FIELDS, 'pictureAltTranslations'] : TRANSLATED_FIELDS
  const countMissing = (code: ContentLanguage) =>
    texts.filter((name) => content[name][locale]?.trim() && !content[name][code]?.trim()).length
  const renderField = (name: Text, rows?: number) => (
    <TranslatedField
      key={name}
      name={name}
      label={t(`fields.${name}`)}
      hint={RICH.has(name) ? t('editor.markup') : undefined}
      isRich={RICH.has(name)}
      values={content[name]}
      language={language}
      source={locale}
      onChange={(code, words) => change({ [name]: { ...content[name], [code]: words } })}
      error={messageOf(name) ?? messageOf(`${name}.${language}`)}
      sourceLabel={t('editor.in-language', { language: getLanguageName(locale) })}
      copyLabel={t('editor.copy')}
      {...(rows ? { rows } : {})}
    />
  )
  return (
    <LanguageTabs
      label={t('editor.languages')}
      languages={languages}
      missing={countMissing}
      missingLabel={(count) => t('editor.missing', { count })}
      selected={language}
      onSelect={onLanguage}
    >
      <div className="admin-form">
        {TRANSLATED_FIELDS.map((name) => renderField(name, ROWS[name]))}
        <PictureInput
          name="picture"
          label={t('fields.picture')}
          value={content.picture}
          error={messageOf('picture')}
          onChange={(picture) =>
            change({
              picture: picture?.address ?? null,
              // Keep alternative text written for this page; otherwise use the library's.
              ...(picture && !hasText(content.pictureAltTranslations) ? { pictureAltTranslations: picture.alt } : {}),
            })
          }
        >
          {content.picture && renderField('pictureAltTranslations')}
        </PictureInput>
      </div>
      <PlainPanel
        passages={listFieldPassages(Object.fromEntries(TRANSLATED_FIELDS.map((name) => [name, content[name]])), language)}
        language={language}
      />
    </LanguageTabs>
  )
}
