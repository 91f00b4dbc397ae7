import { useTranslation } from 'react-i18next'
import { TextField } from '#app/ui/text-field.tsx'
import { OneTimeCodeField } from '../OneTimeCodeField.tsx'
import type { SecondStepMethod } from './second-step-methods.ts'

interface CodeFieldsProps {
  methods: readonly SecondStepMethod[]
  error: string | undefined
}

/** The app's code; a recovery code has a field of its own, because phones show only digits for the first. */
export function CodeFields({ methods, error }: CodeFieldsProps) {
  const { t } = useTranslation('account')
  if (!methods.includes('app')) return <RecoveryCodeField error={error} />
  return (
    <>
      <OneTimeCodeField label={t('second-step.code')} hint={t('second-step.code-hint')} error={error} />
      <details className="other-step">
        <summary>{t('second-step.recovery')}</summary>
        <RecoveryCodeField />
      </details>
    </>
  )
}

function RecoveryCodeField({ error }: { error?: string | undefined }) {
  const { t } = useTranslation('account')
  return (
    <TextField
      name="recoveryCode"
      label={t('second-step.recovery-code')}
      hint={t('second-step.recovery-hint')}
      autoComplete="off"
      spellCheck={false}
      width={20}
      maxLength={40}
      error={error}
    />
  )
}
