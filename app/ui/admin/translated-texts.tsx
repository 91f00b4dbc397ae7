import { type ReactNode, useEffect } from 'react'
import { flushSync } from 'react-dom'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { LanguageTabs } from './language-tabs.tsx'
import { onShowField } from './show-field.ts'
import { TranslatedField } from './translated-field.tsx'
import { useKeptLanguage } from './use-kept-tab.ts'

interface TranslatedTextsProps<Name extends string> {
  /** The site's languages, its default first. */
  languages: readonly ContentLanguage[]
  source: ContentLanguage
  fields: readonly { name: Name; label: string; hint?: string; rows?: number; isRich?: boolean }[]
  values: Readonly<Record<Name, Translated>>
  onChange: (name: Name, text: Translated) => void
  messageOf: (name: string) => string | undefined
  /** Shown below the texts of the language being edited. */
  renderBelow?: (language: ContentLanguage) => ReactNode
  words: { languages: string; missing: (count: number) => string; source: string; copy: string }
}

/** Translated texts, one language at a time; each language shows how many are missing. */
export function TranslatedTexts<Name extends string>({
  languages,
  source,
  fields,
  values,
  onChange,
  messageOf,
  renderBelow,
  words,
}: TranslatedTextsProps<Name>) {
  const [language, setLanguage] = useKeptLanguage(languages, source)
  useEffect(
    () =>
      onShowField((id) => {
        const wanted = languages.find((code) => fields.some(({ name }) => id === `${name}.${code}`))
        // At once: the link that asked for it focuses the field next.
        if (wanted) flushSync(() => setLanguage(wanted))
      }),
    [languages, fields, setLanguage],
  )
  const countMissing = (code: ContentLanguage) =>
    fields.filter(({ name }) => values[name][source]?.trim() && !values[name][code]?.trim()).length
  return (
    <LanguageTabs
      label={words.languages}
      languages={languages}
      missing={countMissing}
      missingLabel={words.missing}
      selected={language}
      onSelect={setLanguage}
    >
      <div className="admin-form">
        {fields.map(({ name, label, hint, rows, isRich }) => (
          <TranslatedField
            key={name}
            name={name}
            label={label}
            hint={hint}
            values={values[name]}
            language={language}
            source={source}
            onChange={(code, text) => onChange(name, { ...values[name], [code]: text })}
            error={messageOf(name) ?? messageOf(`${name}.${language}`)}
            sourceLabel={words.source}
            copyLabel={words.copy}
            {...(rows ? { rows } : {})}
            {...(isRich ? { isRich } : {})}
          />
        ))}
      </div>
      {renderBelow?.(language)}
    </LanguageTabs>
  )
}
