import { useTranslation } from 'react-i18next'
import { PasswordField } from '#app/ui/password-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'

interface AccountFieldProps {
  name?: string
  label?: string
  error: string | undefined
}

/** An e-mail address; `username` is what password managers keep the password under. */
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

/** The password somebody has. */
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

/** A password to be chosen. It is asked for once: who wants to check it can look at it. */
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
