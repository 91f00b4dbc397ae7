import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import type { CommonSettings } from '../../kinds/define-kind.ts'

type Category = CommonSettings['categories'][number]

interface CategoryInputsProps {
  label: string
  hint: string
  categories: readonly Category[]
  onChange: (categories: Category[]) => void
  messageOf: (name: string) => string | undefined
}

/** The categories that people can choose; those that are no longer offered are not shown. */
export function CategoryInputs({ label, hint, categories, onChange, messageOf }: CategoryInputsProps) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  const shown = categories.filter(({ archived }) => !archived)
  const replace = (id: string, change: Partial<Category>) =>
    onChange(categories.map((category) => (category.id === id ? { ...category, ...change } : category)))
  return (
    <fieldset>
      <legend>{label}</legend>
      <p className="field-hint">{hint}</p>
      {shown.map((category, at) => (
        <div key={category.id} className="admin-form">
          {site.contentLanguages.map((language) => (
            <TextInput
              key={language}
              name={`category.${category.id}.${language}`}
              label={`${t('activities.category', { number: at + 1 })} (${getLanguageName(language)})`}
              language={language}
              value={category.title[language] ?? ''}
              onChange={(text) => replace(category.id, { title: { ...category.title, [language]: text } })}
              error={messageOf(`${categories.indexOf(category)}.title`)}
              maxLength={80}
            />
          ))}
          <div className="row">
            <Button kind="plain" size="small" onClick={() => onChange(categories.filter(({ id }) => id !== category.id))}>
              {t('activities.remove-category', { name: getTranslation(category.title, site.locale) || String(at + 1) })}
            </Button>
          </div>
        </div>
      ))}
      <div className="row">
        <Button kind="secondary" size="small" onClick={() => onChange([...categories, { id: crypto.randomUUID().slice(0, 8), title: {} }])}>
          {t('activities.add-category')}
        </Button>
      </div>
    </fieldset>
  )
}
