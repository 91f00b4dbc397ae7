import { useTranslation } from 'react-i18next'
import { PasswordField } from '#app/ui/password-field.tsx'
import { TextField } from '#app/ui/text-field.tsx'

interface AccountFieldProps {
  name?: string
  label?: string
  error: string | undefined
}

interface PasswordProps extends AccountFieldProps {
  /** The form was refused. What was typed here is gone, since no password is sent back to a page. */
  isRefused: boolean
}

/** Says that the password has to be typed again, unless its own error says what to type. */
function usePasswordAgain({ isRefused, error }: PasswordProps): string | undefined {
  const { t } = useTranslation('account')
  return isRefused && !error ? t('fields.password-again') : undefined
}

/**
 * An email address. `username` is the autocomplete value under which password managers store the password.
 * @param offersPasskeys the browser may offer passkeys beside addresses
 */
export function EmailField({
  name = 'email',
  label,
  error,
  value,
  own = false,
  offersPasskeys = false,
}: AccountFieldProps & { value: string | undefined; own?: boolean; offersPasskeys?: boolean }) {
  const { t } = useTranslation('account')
  return (
    <TextField
      name={name}
      label={label ?? t('fields.email')}
      type="email"
      inputMode="email"
      autoComplete={offersPasskeys ? 'username webauthn' : own ? 'username' : 'email'}
      error={error}
      defaultValue={value}
      required
    />
  )
}

/** Current password. */
export function KnownPasswordField(props: PasswordProps) {
  const { name = 'password', label, error } = props
  const { t } = useTranslation('account')
  const again = usePasswordAgain(props)
  return (
    <PasswordField
      name={name}
      label={label ?? t('fields.password')}
      hint={again}
      autoComplete="current-password"
      show={t('fields.show')}
      hide={t('fields.hide')}
      error={error}
      required
    />
  )
}

/** New password. There is no second field: it can be made visible to check it. */
export function ChosenPasswordField(props: PasswordProps) {
  const { name = 'password', label, error } = props
  const { t } = useTranslation('account')
  const again = usePasswordAgain(props)
  return (
    <PasswordField
      name={name}
      label={label ?? t('fields.password')}
      hint={again ? `${again} ${t('fields.password-hint')}` : t('fields.password-hint')}
      autoComplete="new-password"
      show={t('fields.show')}
      hide={t('fields.hide')}
      error={error}
      required
    />
  )
}
