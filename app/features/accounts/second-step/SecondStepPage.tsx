import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useViewer } from '#app/shell/page-state.tsx'
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
      {!secondStep.isOn && <p className="meta">{t('two-step.others-end')}</p>}
      {secondStep.isOwed && <Notice kind="warning">{t('two-step.owed')}</Notice>}
      {!secondStep.mayChange && <ConfirmFirst />}
      <Passkeys {...secondStep} />
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

function Passkeys({ passkeys, mayChange, isOn }: SecondStepView) {
  const { t } = useTranslation('account')
  const viewer = useViewer()
  const format = useFormat()
  return (
    <Part title={t('two-step.passkeys')}>
      <p>
        {t('two-step.passkeys-text')} {viewer?.type === 'participant' && t('two-step.passkeys-alone')}
      </p>
      {passkeys.length > 0 && (
        <ul className="passkeys">
          {passkeys.map(({ id, name, host, createdAt, lastUsedAt }) => (
            <li key={id}>
              <div>
                <strong>{name}</strong>
                <p className="meta">
                  {t('two-step.passkey-added', { date: format.date(createdAt), host })}{' '}
                  {lastUsedAt && t('two-step.passkey-used', { date: format.date(lastUsedAt) })}
                </p>
              </div>
              {mayChange && (
                <SmallForm name="remove-passkey" button={t('two-step.passkey-remove')} label={t('two-step.passkey-remove-named', { name })}>
                  <input type="hidden" name="passkey" value={id} />
                </SmallForm>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <p>
          <Link to="/account/two-step/passkey" className={getButtonClass({ kind: isOn ? 'secondary' : 'primary' })}>
            {t('two-step.passkey-add')}
          </Link>
        </p>
      )}
    </Part>
  )
}

function App({ app, mayChange }: SecondStepView) {
  const { t } = useTranslation('account')
  const format = useFormat()
  return (
    <Part title={t('two-step.app')}>
      <p>{app ? t('two-step.app-since', { date: format.date(app.since) }) : t('two-step.app-text')}</p>
      {mayChange && !app && (
        <p>
          <Link to="/account/two-step/app" className={getButtonClass({ kind: 'secondary' })}>
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

interface SmallFormProps {
  name: string
  button: string
  /** What the button is called where its text is not enough. */
  label?: string
  children?: ReactNode
}

function SmallForm({ name, button, label, children }: SmallFormProps) {
  const action = useFormAction()
  return (
    <form method="post" action={action}>
      <input type="hidden" name="form" value={name} />
      {children}
      <Button type="submit" kind="secondary" aria-label={label}>
        {button}
      </Button>
    </form>
  )
}
