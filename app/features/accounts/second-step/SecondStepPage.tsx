import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { AccountSection } from '../AccountForms.tsx'
import type { CompletedAction } from '../accounts.search.ts'
import { useSubmittedForm } from '../use-submitted-form.ts'
import { findShownCodes, NewRecoveryCodes } from './NewRecoveryCodes.tsx'
import type { SecondStepView } from './second-step.schema.ts'

interface SecondStepPageProps {
  secondStep: SecondStepView
  form: FormState | null
  done?: CompletedAction | undefined
}

/** Two-step sign-in: what is set up, and how to change it. */
export function SecondStepPage({ secondStep, form, done }: SecondStepPageProps) {
  const { t } = useTranslation('account')
  const { errors } = useSubmittedForm(form, {})
  const codes = findShownCodes(form)
  if (codes) return <NewRecoveryCodes codes={codes} />
  return (
    <AccountSection title={t('two-step.title')} lead={t('two-step.lead')}>
      {done && !form && <Notice kind="success">{t(`done.${done}`)}</Notice>}
      <ErrorSummary title={t('problem')} errors={errors} />
      <p>
        <strong>{t(secondStep.isOn ? 'two-step.on' : 'two-step.off')}.</strong>{' '}
        {t(secondStep.isOn ? 'two-step.on-text' : 'two-step.off-text')}
      </p>
      {secondStep.isOwed && <Notice kind="warning">{t('two-step.owed')}</Notice>}
      {!secondStep.mayChange && <ConfirmFirst />}
      <App {...secondStep} />
      {secondStep.isOn && <Codes {...secondStep} />}
    </AccountSection>
  )
}

function ConfirmFirst() {
  const { t } = useTranslation('account')
  return (
    <Notice>
      <p>{t('two-step.confirm-first')}</p>
      <p>
        <Link to="/account/confirm" search={{ next: '/account/two-step' }} className={getButtonClass({ size: 'small' })}>
          {t('two-step.confirm-link')}
        </Link>
      </p>
    </Notice>
  )
}

function App({ app, mayChange, isOn }: SecondStepView) {
  const { t } = useTranslation('account')
  const format = useFormat()
  return (
    <Part title={t('two-step.app')}>
      <p>{app ? t('two-step.app-since', { date: format.date(app.since) }) : t('two-step.app-text')}</p>
      {!app && !isOn && <p className="meta">{t('two-step.others-end')}</p>}
      {mayChange && !app && (
        <p>
          <Link to="/account/two-step/app" className={getButtonClass({ kind: isOn ? 'secondary' : 'primary' })}>
            {t('two-step.app-set-up')}
          </Link>
        </p>
      )}
      {mayChange && app && <SmallForm name="remove-app" button={t('two-step.app-remove')} />}
    </Part>
  )
}

function Codes({ codesLeft, mayChange }: SecondStepView) {
  const { t } = useTranslation('account')
  return (
    <Part title={t('two-step.codes')}>
      <p>{t('two-step.codes-text')}</p>
      <p>{t('two-step.codes-left', { count: codesLeft })}</p>
      {mayChange && (
        <>
          <SmallForm name="renew-codes" button={t('two-step.codes-renew')} />
          <p className="meta">{t('two-step.codes-renew-hint')}</p>
        </>
      )}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack mt-6">
      <h2 className="text-step-2">{title}</h2>
      {children}
    </section>
  )
}

function SmallForm({ name, button }: { name: string; button: string }) {
  const action = useFormAction()
  return (
    <form method="post" action={action}>
      <input type="hidden" name="form" value={name} />
      <Button type="submit" kind="secondary">
        {button}
      </Button>
    </form>
  )
}
