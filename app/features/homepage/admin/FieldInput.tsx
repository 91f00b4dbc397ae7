import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { publishedDatasetsQuery } from '#app/features/opencities/reading.queries.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { LANGUAGES, type ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { RecordChoice, RecordChoices } from '#app/shell/admin/record-choice.tsx'
import { projectSource, surveySource } from '#app/shell/admin/record-sources.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { CheckInput, NumberInput, SelectInput, TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PictureInput } from '#app/ui/admin/picture-input.tsx'
import { TranslatedField } from '#app/ui/admin/translated-field.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Action, AnyField, Picture, ThemeChoice } from '../block-fields.ts'
import type { BlockType } from '../homepage.schema.ts'
import { ListInput } from './ListInput.tsx'
import { QuestionInput, ThemeInput } from './ReportInputs.tsx'

export interface FieldInputProps {
  type: BlockType
  /** `field` is the declared name; `name` is its full path, unique on the page. */
  field: string
  name: string
  declared: AnyField
  value: unknown
  language: ContentLanguage
  onChange: (value: unknown) => void
  errorOf: (name: string) => string | undefined
}

const SOURCES = { project: projectSource(), survey: surveySource() }
const NO_CHOICE = ''

/** The input for one field of a block, chosen by its kind. */
export function FieldInput({ type, field, name, declared, value, language, onChange, errorOf }: FieldInputProps) {
  const { t } = useTranslation('editor')
  const { locale } = useSite()
  const label = t(`fields.${field}`, { defaultValue: field })
  const error = errorOf(name)
  const renderTextField = (key: string, text: Translated, said: string, change: (text: Translated) => void, rows = 1, isRich = false) => (
    <TranslatedField
      name={key}
      label={said}
      hint={isRich ? t('markup') : undefined}
      isRich={isRich}
      values={text}
      language={language}
      source={locale}
      onChange={(code, next) => change({ ...text, [code]: next })}
      sourceLabel={t('in-language', { language: getLanguageName(locale) })}
      copyLabel={t('copy-text')}
      error={errorOf(`${key}.${language}`)}
      {...(rows > 1 ? { rows } : {})}
    />
  )
  switch (declared.kind) {
    case 'line':
    case 'text':
    case 'rich':
      return renderTextField(name, value as Translated, label, onChange, declared.rows, declared.kind === 'rich')
    case 'picture':
      return (
        <PictureField
          label={label}
          name={name}
          value={value as Picture | null}
          onChange={onChange}
          errorOf={errorOf}
          words={renderTextField}
        />
      )
    case 'action': {
      const action = value as Action | null
      return (
        <fieldset className="editor-group">
          <legend>{label}</legend>
          {renderTextField(`${name}.label`, action?.label ?? {}, t('fields.label'), (text) =>
            onChange({ href: action?.href ?? '/projects', label: text }),
          )}
          {action && (
            <>
              <TextInput
                name={`${name}.href`}
                label={t('fields.href')}
                hint={t('href-hint')}
                value={action.href}
                onChange={(href) => onChange({ ...action, href })}
                error={errorOf(`${name}.href`)}
              />
              <Button kind="plain" size="small" type="button" onClick={() => onChange(null)}>
                {t('remove-button')}
              </Button>
            </>
          )}
        </fieldset>
      )
    }
    case 'choice':
      return (
        <SelectInput
          name={name}
          label={label}
          value={String(value)}
          onChange={onChange}
          options={declared.options.map((option) => ({ value: option, label: t(`options.${option}` as 'options.open') }))}
        />
      )
    case 'choices': {
      const chosen = value as string[]
      return (
        <fieldset className="editor-group">
          <legend>{label}</legend>
          {declared.options.map((option) => (
            <CheckInput
              key={option}
              name={`${name}.${option}`}
              label={t(`options.${option}` as 'options.open')}
              value={chosen.includes(option)}
              onChange={(on) => onChange(on ? [...chosen, option] : chosen.filter((one) => one !== option))}
            />
          ))}
        </fieldset>
      )
    }
    case 'number':
      return (
        <NumberInput
          name={name}
          label={label}
          min={declared.min}
          max={declared.max}
          value={value as number}
          onChange={(next) => onChange(next ?? declared.min)}
          error={error}
        />
      )
    case 'project':
    case 'survey':
      return <ReferenceInput kind={declared.kind} name={name} label={label} value={value as string | null} onChange={onChange} />
    case 'dataset':
      return <DatasetInput name={name} label={label} value={value as string | null} onChange={onChange} />
    case 'question':
      return (
        <QuestionInput
          name={name}
          label={label}
          isGrouping={declared.isGrouping}
          value={value as string | null}
          onChange={onChange}
          error={error}
        />
      )
    case 'theme':
      return <ThemeInput name={name} label={label} value={value as ThemeChoice | null} onChange={onChange} error={error} />
    case 'projects':
      return <RecordChoices source={SOURCES.project} name={name} label={label} value={value as string[]} onChange={onChange} />
    case 'language':
      return (
        <SelectInput
          name={name}
          label={label}
          value={String(value)}
          onChange={onChange}
          options={LANGUAGES.map((code) => ({ value: code, label: getLanguageName(code) }))}
        />
      )
    case 'list':
      return (
        <ListInput
          label={label}
          name={name}
          declared={declared}
          value={value as { id: string }[]}
          onChange={onChange}
          renderField={(item) => (
            <FieldInput
              type={type}
              field={item.key}
              name={item.name}
              declared={item.field}
              value={item.value}
              language={language}
              onChange={item.onChange}
              errorOf={errorOf}
            />
          )}
        />
      )
    case 'day':
      return (
        <div className="field">
          <label htmlFor={name}>{label}</label>
          <input id={name} className="input" type="date" value={String(value)} onChange={(event) => onChange(event.currentTarget.value)} />
        </div>
      )
    case 'address':
      return (
        <TextInput
          name={name}
          label={label}
          hint={t(`hints.${type === 'video' ? 'video' : 'embed'}`)}
          type="url"
          value={String(value)}
          onChange={onChange}
          error={error}
        />
      )
    case 'email':
    case 'phone':
      return (
        <TextInput
          name={name}
          label={label}
          type={declared.kind === 'email' ? 'email' : 'tel'}
          value={String(value)}
          onChange={onChange}
          error={error}
        />
      )
    case 'plain':
      return <TextAreaInput name={name} label={label} value={String(value)} onChange={onChange} error={error} />
  }
}

interface PictureFieldProps {
  label: string
  name: string
  value: Picture | null
  onChange: (value: Picture | null) => void
  errorOf: (name: string) => string | undefined
  words: (key: string, text: Translated, said: string, change: (text: Translated) => void) => React.ReactNode
}

/** Alternative text written here is kept when another picture is chosen; if there is none, the library's is used. */
function PictureField({ label, name, value, onChange, errorOf, words }: PictureFieldProps) {
  const { t } = useTranslation('editor')
  const isSaid = Object.values(value?.alt ?? {}).some((text) => text.trim())
  return (
    <PictureInput
      name={`${name}.file`}
      label={label}
      value={value?.file ?? null}
      onChange={(chosen) =>
        onChange(chosen && { file: chosen.address, alt: isSaid && value ? value.alt : chosen.alt, decorative: value?.decorative ?? false })
      }
      error={errorOf(`${name}.file`)}
    >
      {value && (
        <>
          <CheckInput
            name={`${name}.decorative`}
            label={t('fields.decorative')}
            hint={t('hints.decorative')}
            value={value.decorative}
            onChange={(decorative) => onChange({ ...value, decorative })}
          />
          {!value.decorative && words(`${name}.alt`, value.alt, t('fields.alt'), (alt) => onChange({ ...value, alt }))}
        </>
      )}
    </PictureInput>
  )
}

interface ThingChoiceProps {
  name: string
  label: string
  value: string | null
  onChange: (value: string | null) => void
}

function ReferenceInput({ kind, ...props }: ThingChoiceProps & { kind: 'project' | 'survey' }) {
  const { t } = useTranslation('editor')
  return <RecordChoice source={SOURCES[kind]} none={t('none-chosen')} unknown={t('not-seen')} {...props} />
}

/** Only published datasets can be shown. */
function DatasetInput(props: ThingChoiceProps) {
  const { t } = useTranslation('editor')
  const datasets = useQuery(publishedDatasetsQuery).data
  const isGone = datasets !== undefined && props.value !== null && !datasets.some(({ id }) => id === props.value)
  return (
    <ThingInput
      things={(datasets ?? []).map(({ id, title }) => ({ id, title: title.text }))}
      {...(isGone ? { unknown: t('data-gone'), error: t('data-gone-text') } : {})}
      {...props}
    />
  )
}

interface ThingInputProps extends ThingChoiceProps {
  things: readonly { id: string; title: string }[]
  /** Label for a selected item that is no longer in the list. */
  unknown?: string
  error?: string
}

function ThingInput({ things, unknown, name, label, value, error, onChange }: ThingInputProps) {
  const { t } = useTranslation('editor')
  const isKnown = value === null || things.some(({ id }) => id === value)
  return (
    <SelectInput
      name={name}
      label={label}
      value={value ?? NO_CHOICE}
      error={error}
      onChange={(id) => onChange(id === NO_CHOICE ? null : id)}
      options={[
        { value: NO_CHOICE, label: t('none-chosen') },
        ...things.map(({ id, title }) => ({ value: id, label: title })),
        ...(isKnown ? [] : [{ value, label: unknown ?? t('not-seen') }]),
      ]}
    />
  )
}
