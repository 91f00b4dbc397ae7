import type { FieldProps } from '../field.tsx'
import { TextAreaInput, TextInput } from './inputs.tsx'

interface TranslatedFieldProps<Code extends string> extends Omit<FieldProps, 'name' | 'id'> {
  name: string
  /** The text in each language that has it. */
  values: Partial<Record<Code, string>>
  /** The language in hand. */
  language: Code
  /** The language the text is first written in. */
  source: Code
  onChange: (language: Code, text: string) => void
  /** More than a line. */
  rows?: number
  /** "In English": above the text that is to be translated. */
  sourceLabel: string
  copyLabel: string
}

/** One text in the language in hand. While that is not the first language, the original stands below it, to translate from. */
export function TranslatedField<Code extends string>({
  values,
  language,
  source,
  onChange,
  rows,
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
      {rows ? <TextAreaInput {...controlled} rows={rows} /> : <TextInput {...controlled} />}
      {language !== source && original && (
        <div className="translated-source">
          <span className="translated-source-label">{sourceLabel}</span>
          <p lang={source}>{original}</p>
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
