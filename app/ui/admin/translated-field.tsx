import type { FieldProps } from '../field.tsx'
import { RichText } from '../RichText.tsx'
import { TextAreaInput, TextInput } from './inputs.tsx'
import { RichTextInput } from './rich-text-input.tsx'
import { getDirection } from '#app/lib/added-languages.ts'

interface TranslatedFieldProps<Code extends string> extends Omit<FieldProps, 'name' | 'id'> {
  name: string
  /** The text in each language that has it. */
  values: Partial<Record<Code, string>>
  /** The language being edited. */
  language: Code
  /** The original language. */
  source: Code
  onChange: (language: Code, text: string) => void
  /** For a multi-line text. */
  rows?: number
  /** Written in an editor, stored as light markup. */
  isRich?: boolean
  /** "Original text (English)": above it. */
  sourceLabel: string
  copyLabel: string
}

/** A text in the language being edited. If that is a translation, the original is shown below it. */
export function TranslatedField<Code extends string>({
  values,
  language,
  source,
  onChange,
  rows,
  isRich = false,
  sourceLabel,
  copyLabel,
  name,
  ...field
}: TranslatedFieldProps<Code>) {
  const original = values[source]?.trim()
  const controlled = {
    ...field,
    name: `${name}.${language}`,
    language,
    value: values[language] ?? '',
    onChange: (text: string) => onChange(language, text),
  }
  return (
    <div className="translated" data-missing={original && !values[language]?.trim() ? true : undefined}>
      {isRich ? (
        <RichTextInput {...controlled} {...(rows ? { rows } : {})} />
      ) : rows ? (
        <TextAreaInput {...controlled} rows={rows} />
      ) : (
        <TextInput {...controlled} />
      )}
      {language !== source && original && (
        <div className="translated-source">
          <span className="translated-source-label">{sourceLabel}</span>
          {isRich ? (
            <RichText text={original} lang={source} />
          ) : (
            <p lang={source} dir={getDirection(source)}>
              {original}
            </p>
          )}
          {!values[language]?.trim() && (
            <button type="button" className="link-button" onClick={() => onChange(language, original)}>
              {copyLabel}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
