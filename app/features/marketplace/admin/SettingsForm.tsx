import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckInput, NumberInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import type { SettingField } from '../setting-fields.ts'
import type { Settings, SettingValue } from '../marketplace.schema.ts'

interface SettingsFormProps {
  fields: readonly SettingField[]
  /** Saved settings, without secrets. */
  settings: Settings
  secretsSet: readonly string[]
  errors: readonly { id?: string; message: string }[]
  saveLabel: string
  saving: boolean
  onSave: (changed: Record<string, SettingValue | null>) => void
}

/** Settings form generated from the integration's schema. A saved secret is kept unless a new one is typed. */
export function SettingsForm({ fields, settings, secretsSet, errors, saveLabel, saving, onSave }: SettingsFormProps) {
  const { t } = useTranslation('marketplace')
  const [typed, setTyped] = useState<Record<string, SettingValue | null>>({})
  const createChangeHandler = (name: string) => (value: SettingValue | undefined) =>
    setTyped((before) => ({ ...before, [name]: value ?? null }))
  return (
    <form
      noValidate
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(typed)
      }}
    >
      {fields.map(({ name, kind, label, hint, secret, required, preset, choices }) => {
        // A field that was cleared stays empty, instead of showing the saved value.
        const value = name in typed ? typed[name] : (settings[name] ?? preset)
        const field = {
          name,
          label,
          required,
          error: errors.find(({ id }) => id === name)?.message,
          ...(required || kind === 'yes-no' ? {} : { optional: t('form.optional') }),
          ...(hint ? { hint } : {}),
        }
        if (secret)
          return (
            <TextInput
              key={name}
              {...field}
              hint={secretsSet.includes(name) ? t('form.secret-kept') : (hint ?? t('form.secret'))}
              required={required && !secretsSet.includes(name)}
              value={formatSettingValue(typed[name])}
              onChange={createChangeHandler(name)}
            />
          )
        if (kind === 'yes-no') return <CheckInput key={name} {...field} value={value === true} onChange={createChangeHandler(name)} />
        if (kind === 'number')
          return (
            <NumberInput
              key={name}
              {...field}
              digits={10}
              value={typeof value === 'number' ? value : undefined}
              onChange={createChangeHandler(name)}
            />
          )
        if (kind === 'choice')
          return (
            <SelectInput
              key={name}
              {...field}
              value={formatSettingValue(value) || (choices[0]?.value ?? '')}
              onChange={createChangeHandler(name)}
              options={choices}
            />
          )
        return <TextInput key={name} {...field} value={formatSettingValue(value)} onChange={createChangeHandler(name)} />
      })}
      <div>
        <Button type="submit" pending={saving}>
          {saveLabel}
        </Button>
      </div>
    </form>
  )
}

const formatSettingValue = (value: SettingValue | null | undefined): string => (value === null || value === undefined ? '' : String(value))
