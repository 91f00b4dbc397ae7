import { TextField } from '#app/ui/text-field.tsx'

interface OneTimeCodeFieldProps {
  label: string
  hint: string
  error: string | undefined
}

/** For six digits of an app or a text message, which phones offer to fill in. */
export const OneTimeCodeField = ({ label, hint, error }: OneTimeCodeFieldProps) => (
  <TextField
    name="code"
    label={label}
    hint={hint}
    autoComplete="one-time-code"
    inputMode="numeric"
    width={10}
    maxLength={12}
    error={error}
    required
  />
)
