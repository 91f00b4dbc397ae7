import { useTranslation } from 'react-i18next'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { LanguageTabs } from '#app/ui/admin/language-tabs.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Definition } from '../../../surveys.schema.ts'
import { WordsField } from '../../question-types/WordsField.tsx'
import type { PlacedFault } from '../draft-faults.ts'
import type { Ending } from './logic-edits.ts'
import { useConditionWords } from './use-condition-words.ts'

interface EndingFormProps {
  ending: Ending
  definition: Definition
  change: (edit: (ending: Ending) => Ending, key?: string) => void
  faults: readonly PlacedFault[]
  messageOf: (field: string) => string | undefined
  language: ContentLanguage
  onLanguage: (language: ContentLanguage) => void
  onRemove: () => void
  onSelect: (id: string) => void
}

/** A custom closing page, for people who finish early or find a quota full. */
export function EndingForm({ ending, definition, change, faults, messageOf, language, onLanguage, onRemove, onSelect }: EndingFormProps) {
  const { t } = useTranslation('survey-admin')
  const { contentLanguages: languages } = useSite()
  const words = useConditionWords()
  const at = `endings.${definition.endings?.findIndex((each) => each.id === ending.id)}`
  const pages = definition.pages.filter((page) => page.next?.some((rule) => rule.end === ending.id))
  const quotas = (definition.quotas ?? []).filter((quota) => quota.end === ending.id)
  return (
    <>
      <LanguageTabs
        label={t('languages')}
        languages={languages}
        missing={(code) => faults.filter((each) => each.language === code).length}
        missingLabel={(count) => t('missing', { count })}
        selected={language}
        onSelect={onLanguage}
      >
        <div className="admin-form">
          <WordsField
            name={`${at}.title`}
            label={t('ending.title')}
            hint={t('ending.hint')}
            values={ending.title}
            language={language}
            onChange={(title, key) => change((now) => ({ ...now, title }), `${ending.id}.${key}`)}
            messageOf={messageOf}
          />
          <WordsField
            name={`${at}.text`}
            label={t('ending.text')}
            values={ending.text ?? {}}
            language={language}
            onChange={(text, key) => change((now) => ({ ...now, text }), `${ending.id}.${key}`)}
            messageOf={messageOf}
            rows={4}
          />
        </div>
      </LanguageTabs>
      <section className="logic-part" aria-labelledby="led-here">
        <h2 id="led-here">{t('ending.used')}</h2>
        {pages.length + quotas.length === 0 && <p className="field-hint">{t('ending.unused')}</p>}
        <ul className="fault-list">
          {pages.map((page) => (
            <li key={page.id}>
              <button type="button" className="link-button" onClick={() => onSelect(page.id)}>
                {words.pageName(definition, page.id)}
              </button>
            </li>
          ))}
          {quotas.map((quota) => (
            <li key={quota.id}>
              <button type="button" className="link-button" onClick={() => onSelect(quota.id)}>
                {t('quota.when-full', { what: words.sentence(quota.when, definition) })}
              </button>
            </li>
          ))}
        </ul>
        <div>
          <Button type="button" kind="secondary" size="small" onClick={onRemove}>
            {t('ending.remove')}
          </Button>
        </div>
      </section>
    </>
  )
}
