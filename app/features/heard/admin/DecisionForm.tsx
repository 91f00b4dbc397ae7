import { useTranslation } from 'react-i18next'
import type { Translated } from '#app/lib/translated.ts'
import { DELIVERIES, type Delivery, OUTCOMES, type Outcome } from '#app/lib/vocabulary/heard.ts'
import { useSite } from '#app/shell/page-state.tsx'
import type { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { SelectInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { buildControlProps, Field, type FieldProps } from '#app/ui/field.tsx'
import type { Theme } from './EditTheme.tsx'

export interface DecisionFields {
  titleTranslations: Translated
  textTranslations: Translated
  reasonTranslations: Translated
  bodyTranslations: Translated
  deliveryNoteTranslations: Translated
  outcome: Outcome
  decidedOn: string
  delivery: Delivery
  dueOn: string | null
  themes: readonly string[]
}

interface DecisionFormProps {
  fields: DecisionFields
  themes: readonly Theme[]
  words: ReturnType<typeof useEditorTexts>
  onChange: (next: Partial<DecisionFields>) => void
  /** Asked for once a promised day that people know changes. */
  delay?: { value: string; onChange: (reason: string) => void }
}

/** Everything about one decision: what, why, about which themes, and what became of it. */
export function DecisionForm({ fields, themes, words, onChange, delay }: DecisionFormProps) {
  const { t } = useTranslation('heard-admin')
  const { t: heard } = useTranslation('heard')
  const site = useSite()
  return (
    <>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[
          { name: 'titleTranslations', label: t('decisions.name') },
          { name: 'textTranslations', label: t('decisions.text'), rows: 3 },
          { name: 'reasonTranslations', label: t('decisions.reason'), hint: t('decisions.reason-hint'), rows: 4 },
          { name: 'bodyTranslations', label: t('decisions.body'), hint: t('decisions.body-hint') },
          { name: 'deliveryNoteTranslations', label: t('decisions.note'), rows: 2 },
        ]}
        values={fields}
        onChange={(name, text) => onChange({ [name]: text })}
        messageOf={words.messageOf}
        words={words.texts}
      />
      <div className="admin-panel admin-form">
        <SelectInput
          name="outcome"
          label={t('decisions.outcome')}
          value={fields.outcome}
          options={OUTCOMES.map((value) => ({ value, label: heard(`outcomes.${value}`) }))}
          onChange={(outcome) => onChange({ outcome })}
        />
        <DayInput
          name="decidedOn"
          label={t('decisions.decided-on')}
          error={words.messageOf('decidedOn')}
          value={fields.decidedOn}
          onChange={(decidedOn) => onChange({ decidedOn })}
        />
        <fieldset className="heard-passages">
          <legend>{t('decisions.themes')}</legend>
          {themes.length === 0 && <p className="meta">{t('themes.none')}</p>}
          {themes.map(({ id, title }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={fields.themes.includes(id)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange({ themes: checked ? [...fields.themes, id] : fields.themes.filter((each) => each !== id) })
                }
              />
              <span>{title}</span>
            </label>
          ))}
        </fieldset>
        <SelectInput
          name="delivery"
          label={t('decisions.delivery')}
          value={fields.delivery}
          options={DELIVERIES.map((value) => ({ value, label: heard(`deliveries.${value}`) }))}
          onChange={(delivery) => onChange({ delivery })}
        />
        <DayInput
          name="dueOn"
          label={t('decisions.due-on')}
          hint={t('decisions.due-hint')}
          error={words.messageOf('dueOn')}
          value={fields.dueOn ?? ''}
          onChange={(day) => onChange({ dueOn: day || null })}
        />
        {delay && (
          <TextAreaInput
            name="delayReason"
            label={t('decisions.delay')}
            hint={t('decisions.delay-hint')}
            error={words.messageOf('delayReason')}
            value={delay.value}
            onChange={delay.onChange}
          />
        )}
      </div>
    </>
  )
}

/** A calendar day, as `2026-03-27`; empty without one. */
function DayInput({ value, onChange, ...field }: FieldProps & { value: string; onChange: (day: string) => void }) {
  return (
    <Field field={field}>
      <input
        {...buildControlProps(field)}
        className="input"
        type="date"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}
