import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { AccountView } from './accounts.schema.ts'
import { ChosenPasswordField, EmailField, KnownPasswordField } from './account-fields.tsx'
import { useSubmittedForm } from './use-submitted-form.ts'

/** Each editable part of an account has its own page: one question at a time. */
export function AccountSection({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const { t } = useTranslation('account')
  const { t: site } = useTranslation('participant')
  return (
    <div className="page wrap-narrow stack">
      <Breadcrumbs
        label={site('site.breadcrumbs')}
        links={[
          <Link key="account" to="/account">
            {t('account.title')}
          </Link>,
        ]}
        current={title}
      />
      <PageTitle title={title} lead={lead} />
      {children}
    </div>
  )
}

export function ProfilePage({ account, form }: { account: AccountView; form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { contentLanguages, languageNames } = useSite()
  const { errors, error, typed, ticked } = useSubmittedForm(form, { login: t('fields.login'), locale: t('fields.locale') })
  return (
    <AccountSection title={t('profile.title')}>
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        <TextField
          name="login"
          label={t('fields.login')}
          hint={t('fields.login-hint')}
          autoComplete="name"
          maxLength={80}
          defaultValue={typed('login') ?? account.login}
          error={error('login')}
          required
        />
        {contentLanguages.length > 1 && (
          <Select
            name="locale"
            label={t('fields.locale')}
            options={contentLanguages.map((code) => ({ value: code, label: languageNames[code] ?? code }))}
            defaultValue={typed('locale') ?? account.locale}
            error={error('locale')}
          />
        )}
        <Checkbox
          name="marketingConsent"
          label={t('fields.marketing')}
          hint={t('fields.marketing-hint')}
          defaultChecked={ticked('marketingConsent') ?? account.marketingConsent}
        />
        <div className="form-actions">
          <Button type="submit">{t('profile.button')}</Button>
        </div>
      </form>
    </AccountSection>
  )
}

export function ChangeEmailPage({ account, form }: { account: AccountView; form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, isRefused, error, typed } = useSubmittedForm(form, { email: t('email.new'), password: t('email.password') })
  return (
    <AccountSection title={t('email.title')} lead={t('email.text', { email: account.email })}>
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        <EmailField label={t('email.new')} value={typed('email')} error={error('email')} />
        <KnownPasswordField label={t('email.password')} error={error('password')} isRefused={isRefused} />
        <div className="form-actions">
          <Button type="submit">{t('email.button')}</Button>
        </div>
      </form>
    </AccountSection>
  )
}

export function ChangePasswordPage({ form }: { form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, isRefused, error } = useSubmittedForm(form, {
    currentPassword: t('fields.current-password'),
    password: t('fields.new-password'),
  })
  return (
    <AccountSection title={t('password.title')} lead={t('password.text')}>
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        <HiddenUsername />
        <KnownPasswordField
          name="currentPassword"
          label={t('fields.current-password')}
          error={error('currentPassword')}
          isRefused={isRefused}
        />
        <ChosenPasswordField label={t('fields.new-password')} error={error('password')} isRefused={isRefused} />
        <div className="form-actions">
          <Button type="submit">{t('password.button')}</Button>
        </div>
      </form>
    </AccountSection>
  )
}

const DELETED_DATA = ['account', 'contributions', 'personal', 'follows', 'drafts', 'mails'] as const

export function DeleteAccountPage({ form }: { form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, isRefused, error } = useSubmittedForm(form, { password: t('delete.password') })
  return (
    <AccountSection title={t('delete.title')}>
      <ErrorSummary title={t('problem')} errors={errors} />
      <Notice kind="warning">{t('delete.warning')}</Notice>
      <div className="prose">
        <h2>{t('delete.goes')}</h2>
        <ul>
          {DELETED_DATA.map((what) => (
            <li key={what}>{t(`delete.goes-list.${what}`)}</li>
          ))}
        </ul>
        <h2>{t('delete.stays')}</h2>
        <p>{t('delete.stays-text')}</p>
      </div>
      <form method="post" action={action} className="form" noValidate>
        <HiddenUsername />
        <KnownPasswordField label={t('delete.password')} error={error('password')} isRefused={isRefused} />
        <div className="form-actions">
          <Button type="submit" kind="danger">
            {t('delete.button')}
          </Button>
          <Link to="/account">{t('account.back')}</Link>
        </div>
      </form>
    </AccountSection>
  )
}

/** Tells password managers which account the password belongs to. */
function HiddenUsername() {
  const viewer = useViewer()
  return <input type="text" name="username" autoComplete="username" defaultValue={viewer?.email} hidden readOnly />
}
