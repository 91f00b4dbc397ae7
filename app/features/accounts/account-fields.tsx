import { useTranslation } from 'react-i18next'
import { PasswordField } from '#app/ui/password-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'

interface AccountFieldProps {
  name?: string
  label?: string
  error: string | undefined
}

/** An email address. `username` is the autocomplete value under which password managers store the password. */
export function EmailField({
  name = 'email',
  label,
  error,
  value,
  own = false,
}: AccountFieldProps & { value: string | undefined; own?: boolean }) {
  const { t } = useTranslation('account')
  return (
    <TextField
      name={name}
      label={label ?? t('fields.email')}
      type="email"
      inputMode="email"
      autoComplete={own ? 'username' : 'email'}
      error={error}
      defaultValue={value}
      required
    />
  )
}

/** Current password. */
export function KnownPasswordField({ name = 'password', label, error }: AccountFieldProps) {
  const { t } = useTranslation('account')
  return (
    <PasswordField
      name={name}
      label={label ?? t('fields.password')}
      autoComplete="current-password"
      show={t('fields.show')}
      hide={t('fields.hide')}
      error={error}
      required
    />
  )
}

/** New password. There is no second field: it can be made visible to check it. */
export function ChosenPasswordField({ name = 'password', label, error }: AccountFieldProps) {
  const { t } = useTranslation('account')
  return (
    <PasswordField
      name={name}
      label={label ?? t('fields.password')}
      hint={t('fields.password-hint')}
      autoComplete="new-password"
      show={t('fields.show')}
      hide={t('fields.hide')}
      error={error}
      required
    />
  )
}
