import { useState } from 'react'
import { buildControlProps, Field, type FieldProps } from './field.tsx'
import { useHydrated } from './use-hydrated.ts'
import { Icon } from './icon.tsx'

interface PasswordFieldProps extends FieldProps {
  autoComplete: 'current-password' | 'new-password'
  show: string
  hide: string
}

/** The button that reveals the password keeps its space until scripts run. A password is never sent back to the page. */
export function PasswordField({ autoComplete, show, hide, ...field }: PasswordFieldProps) {
  const ready = useHydrated()
  const [shown, setShown] = useState(false)
  return (
    <Field field={field}>
      <span className="input-with-button">
        <input
          {...buildControlProps(field)}
          className="input"
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
        />
        <button
          type="button"
          aria-controls={buildControlProps(field).id}
          data-waiting={ready ? undefined : true}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
          {shown ? hide : show}
        </button>
      </span>
    </Field>
  )
}
