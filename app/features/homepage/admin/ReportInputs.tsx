import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckInput, SelectInput } from '#app/ui/admin/inputs.tsx'
import type { ThemeChoice } from '../block-fields.ts'
import { ReportChoicesContext } from './report-choices.ts'

const NO_CHOICE = ''

interface ChoiceProps<Value> {
  name: string
  label: string
  value: Value | null
  onChange: (value: Value | null) => void
  error: string | undefined
}

/** Chooses a question with figures from the surveys of the project, or one whose answers are groups that another is compared by. */
export function QuestionInput({ name, label, isGrouping, value, onChange, error }: ChoiceProps<string> & { isGrouping: boolean }) {
  const { t } = useTranslation('editor')
  const choices = useContext(ReportChoicesContext)
  const questions = isGrouping ? choices.questions.filter(({ isGroup }) => isGroup) : choices.questions
  const isKnown = value === null || questions.some(({ key }) => key === value)
  return (
    <SelectInput
      name={name}
      label={label}
      hint={isGrouping ? t('hints.comparedBy') : undefined}
      value={value ?? NO_CHOICE}
      error={error}
      onChange={(key) => onChange(key === NO_CHOICE ? null : key)}
      options={[
        { value: NO_CHOICE, label: t('none-chosen') },
        ...questions.map(({ key, title, within }) => ({ value: key, label: t('named', { kind: within, words: title }) })),
        ...(isKnown ? [] : [{ value, label: t('not-seen') }]),
      ]}
    />
  )
}

/** Chooses a theme of the project, and which of its passages are quoted. */
export function ThemeInput({ name, label, value, onChange, error }: ChoiceProps<ThemeChoice>) {
  const { t } = useTranslation('editor')
  const { themes } = useContext(ReportChoicesContext)
  const theme = themes.find(({ id }) => id === value?.theme)
  return (
    <>
      <SelectInput
        name={name}
        label={label}
        value={value?.theme ?? NO_CHOICE}
        error={error}
        onChange={(id) => onChange(id === NO_CHOICE ? null : { theme: id, quotes: [] })}
        options={[
          { value: NO_CHOICE, label: t('none-chosen') },
          ...themes.map(({ id, title }) => ({ value: id, label: title })),
          ...(value && !theme ? [{ value: value.theme, label: t('not-seen') }] : []),
        ]}
      />
      {value && theme && (
        <fieldset className="editor-group">
          <legend>{t('fields.quotes')}</legend>
          <p className="field-hint">{t(theme.quotes.length > 0 ? 'hints.quotes' : 'hints.no-quotes')}</p>
          {theme.quotes.map(({ id, text }) => (
            <CheckInput
              key={id}
              name={`${name}.${id}`}
              label={text}
              value={value.quotes.includes(id)}
              onChange={(on) => onChange({ ...value, quotes: on ? [...value.quotes, id] : value.quotes.filter((one) => one !== id) })}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
