import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { AccountSection } from '../AccountForms.tsx'
import { OneTimeCodeField } from '../OneTimeCodeField.tsx'
import { useSubmittedForm } from '../use-submitted-form.ts'
import { findShownCodes, NewRecoveryCodes } from './NewRecoveryCodes.tsx'
import type { AppSetup, SecondStepView } from './second-step.schema.ts'

interface AppSetupPageProps extends Pick<SecondStepView, 'isOn' | 'isOwed'> {
  setup: AppSetup | null
  form: FormState | null
  /** Where to go on afterwards. */
  next: string | undefined
}

/** Setting up an authenticator app: the key as a picture and as text, and a code that proves that the app has it. */
export function AppSetupPage({ setup, form, isOn, isOwed, next }: AppSetupPageProps) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, error } = useSubmittedForm(form, { code: t('two-step-app.code') })
  const codes = findShownCodes(form)
  if (codes) return <NewRecoveryCodes codes={codes} next={next} />
  if (!setup) return null
  const { size, path } = setup.qr
  return (
    <AccountSection title={t('two-step-app.title')} lead={t('two-step.app-text')}>
      {isOwed && <Notice>{t('two-step.owed')}</Notice>}
      <ErrorSummary title={t('problem')} errors={errors} />
      <section className="stack">
        <h2 className="text-step-1">{t('two-step-app.scan')}</h2>
        <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} aria-hidden="true" shapeRendering="crispEdges">
          <path className="qr-code-paper" d={`M0 0h${size}v${size}h-${size}z`} />
          <path className="qr-code-ink" d={path} />
        </svg>
        <p>{t('two-step-app.or-key')}</p>
        <p>
          <code className="app-key">{setup.key}</code>
        </p>
      </section>
      <form method="post" action={action} className="form" noValidate>
        <h2 className="text-step-1">{t('two-step-app.enter')}</h2>
        <input type="hidden" name="setup" value={setup.setup} />
        <OneTimeCodeField label={t('two-step-app.code')} hint={t('two-step-app.code-hint')} error={error('code')} />
        <div className="form-actions">
          <Button type="submit">{t(isOn ? 'two-step-app.add' : 'two-step-app.button')}</Button>
        </div>
      </form>
      {!isOn && (
        <p>
          <Link to="/account/two-step/passkey" search={next === undefined ? {} : { next }}>
            {t('two-step-app.passkey-instead')}
          </Link>
        </p>
      )}
    </AccountSection>
  )
}
