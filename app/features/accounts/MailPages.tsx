import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { ChosenPasswordField, EmailField } from './account-fields.tsx'
import type { PasswordReset } from './accounts.schema.ts'
import { useSubmittedForm } from './use-submitted-form.ts'

/** Shown after requesting an email. It does not reveal whether one was sent. @param email where to, if this browser asked for it just now */
export function CheckMailPage({ after, email }: { after: 'register' | 'forgot'; email: string | null }) {
  const { t } = useTranslation('account')
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('check-mail.title')} lead={email ? t(`check-mail.${after}-to`, { email }) : t(`check-mail.${after}`)} />
      <p>{t('check-mail.nothing')}</p>
      <p className="form-actions">
        <Link to="/sign-in" className={getButtonClass()}>
          {t('check-mail.to-sign-in')}
        </Link>
        <Link to={after === 'register' ? '/register' : '/forgot-password'}>{t('check-mail.again')}</Link>
      </p>
    </div>
  )
}

/** Target of a link in an email. It asks before it acts, because mail scanners open links too. */
export function ConfirmEmailPage({
  found,
  token,
  form,
}: {
  found: { kind: 'confirm-email' | 'change-email'; email: string } | null
  token: string
  form: FormState | null
}) {
  const { t } = useTranslation('account')
  const formAction = useFormAction()
  const { errors } = useSubmittedForm(form, {})
  const taken = form?.faults.some(({ code }) => code === 'taken')
  if (!found) return <ExpiredLinkPage text={t('confirm.expired')} action={<SignInLink />} />
  return (
    <div className="page wrap-narrow stack">
      <PageTitle
        title={t('confirm.title')}
        lead={t(found.kind === 'change-email' ? 'confirm.change-text' : 'confirm.text', { email: found.email })}
      />
      <ErrorSummary title={t('problem')} errors={taken ? [{ message: t('confirm.taken') }] : errors} />
      <form method="post" action={formAction}>
        <input type="hidden" name="token" value={token} />
        <Button type="submit">{t('confirm.button')}</Button>
      </form>
    </div>
  )
}

export function ForgotPasswordPage({ form }: { form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, error, typed } = useSubmittedForm(form, { email: t('fields.email') })
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('forgot.title')} lead={t('forgot.lead')} />
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        <EmailField value={typed('email')} error={error('email')} own />
        <div className="form-actions">
          <Button type="submit">{t('forgot.button')}</Button>
        </div>
      </form>
    </div>
  )
}

export function ResetPasswordPage({ found, token, form }: { found: PasswordReset | null; token: string; form: FormState | null }) {
  const { t } = useTranslation('account')
  const site = useSite()
  const formAction = useFormAction()
  const passwordLabel = t(found?.invited ? 'fields.password' : 'fields.new-password')
  const { errors, isRefused, error, typed } = useSubmittedForm(form, { login: t('fields.login'), password: passwordLabel })
  if (!found) {
    const ask = (
      <Link to="/forgot-password" className={getButtonClass()}>
        {t('reset.ask')}
      </Link>
    )
    return <ExpiredLinkPage text={t('reset.expired')} action={ask} />
  }
  return (
    <div className="page wrap-narrow stack">
      {found.invited ? (
        <PageTitle title={t('welcome.title', { site: site.name })} lead={t('welcome.for', { email: found.email })} />
      ) : (
        <PageTitle title={t('reset.title')} lead={t('reset.for', { email: found.email })} />
      )}
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={formAction} className="form" noValidate>
        <input type="hidden" name="token" value={token} />
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" defaultValue={found.email} hidden readOnly />
        {found.invited && (
          <TextField
            name="login"
            label={t('fields.login')}
            autoComplete="name"
            maxLength={80}
            defaultValue={typed('login')}
            error={error('login')}
            required
          />
        )}
        <ChosenPasswordField label={passwordLabel} error={error('password')} isRefused={isRefused} />
        <div className="form-actions">
          <Button type="submit">{t(found.invited ? 'welcome.button' : 'reset.button')}</Button>
        </div>
      </form>
    </div>
  )
}

export function ExpiredLinkPage({ text, action }: { text: string; action?: ReactNode }) {
  const { t } = useTranslation('account')
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('confirm.expired-title')} lead={text} />
      {action && <p>{action}</p>}
    </div>
  )
}

function SignInLink() {
  const { t } = useTranslation('account')
  return (
    <Link to="/sign-in" className={getButtonClass()}>
      {t('sign-out.to-sign-in')}
    </Link>
  )
}
