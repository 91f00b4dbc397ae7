import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { AccountSection } from '../AccountForms.tsx'
import { useSubmittedForm } from '../use-submitted-form.ts'
import { findShownCodes, NewRecoveryCodes } from './NewRecoveryCodes.tsx'
import { PasskeyForm } from './PasskeyForm.tsx'
import type { SecondStepView } from './second-step.schema.ts'
import { makePasskey } from './use-passkey.ts'

interface PasskeySetupPageProps extends Pick<SecondStepView, 'isOn' | 'isOwed'> {
  form: FormState | null
  /** Where to go on afterwards. */
  next: string | undefined
}

/** Adding a passkey: its name, and then the browser's own steps. */
export function PasskeySetupPage({ form, isOn, isOwed, next }: PasskeySetupPageProps) {
  const { t } = useTranslation('account')
  const { errors, error, typed } = useSubmittedForm(form, { name: t('two-step-passkey.name') })
  const codes = findShownCodes(form)
  if (codes) return <NewRecoveryCodes codes={codes} next={next} />
  return (
    <AccountSection title={t('two-step-passkey.title')} lead={t('two-step.passkeys-text')}>
      {isOwed && <Notice>{t('two-step.owed')}</Notice>}
      <ErrorSummary title={t('problem')} errors={errors} />
      <PasskeyForm button={t(isOn ? 'two-step-passkey.add' : 'two-step-passkey.button')} ask={makePasskey}>
        <TextField
          name="name"
          label={t('two-step-passkey.name')}
          hint={t('two-step-passkey.name-hint')}
          autoComplete="off"
          maxLength={60}
          defaultValue={typed('name')}
          error={error('name')}
          required
        />
      </PasskeyForm>
      {!isOn && <p className="meta">{t('two-step.others-end')}</p>}
    </AccountSection>
  )
}
