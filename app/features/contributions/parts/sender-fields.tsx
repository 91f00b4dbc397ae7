import { useTranslation } from 'react-i18next'
import { TextField } from '#app/ui/text-field.tsx'

interface ShownNameFieldProps {
  label: string
  hint: string
  value: string
  error: string | undefined
}

/** The name that is shown with a contribution or a reply, where its writer may choose one. */
export function ShownNameField({ label, hint, value, error }: ShownNameFieldProps) {
  const { t } = useTranslation('contributions')
  return (
    <TextField
      name="shownName"
      label={label}
      hint={hint}
      optional={t('write.optional')}
      autoComplete="name"
      defaultValue={value}
      error={error}
      width={20}
    />
  )
}

/** A field that people neither see nor reach. What fills it in is a program, and `refuseHiddenField` refuses it. */
export const TrapField = () => (
  <div className="visually-hidden" aria-hidden="true">
    <input type="text" name="website" tabIndex={-1} autoComplete="off" />
  </div>
)
