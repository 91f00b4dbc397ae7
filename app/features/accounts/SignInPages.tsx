import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import { useContentLanguage } from '#app/shell/use-content-language.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Select } from '#app/ui/select.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { CompletedAction } from './accounts.search.ts'
import { ChosenPasswordField, EmailField, KnownPasswordField } from './account-fields.tsx'
import { findPendingSignIn } from './second-step/pending-sign-in.ts'
import { PasskeySignIn } from './second-step/PasskeySignIn.tsx'
import { SecondStepForm } from './second-step/SecondStepForm.tsx'
import { useSubmittedForm } from './use-submitted-form.ts'

export function SignInPage({
  form,
  next,
  done,
  providers,
}: {
  form: FormState | null
  next?: string | undefined
  done?: CompletedAction | undefined
  /** Other ways to sign in, above the form. */
  providers?: ReactNode
}) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, isRefused, error, typed } = useSubmittedForm(form, { email: t('fields.email'), password: t('fields.password') })
  const pending = findPendingSignIn(form)
  if (pending) return <SecondStepForm {...pending} form={form} />
  return (
    <div className="page wrap-narrow stack">
      {done && !form && <Notice kind="success">{t(`done.${done}`)}</Notice>}
      <PageTitle title={t('sign-in.title')} lead={t('sign-in.lead')} />
      <ErrorSummary title={t('problem')} errors={errors} />
      {providers}
      <form method="post" action={action} className="form" noValidate>
        <EmailField value={typed('email')} error={error('email')} own offersPasskeys />
        <KnownPasswordField error={error('password')} isRefused={isRefused} />
        <div className="form-actions">
          <Button type="submit">{t('sign-in.button')}</Button>
          <Link to="/forgot-password">{t('sign-in.forgotten')}</Link>
        </div>
      </form>
      <PasskeySignIn wasRefused={form?.values['form'] === 'passkey'} />
      <p>
        {t('sign-in.no-account')}{' '}
        <Link to="/register" search={next ? { next } : {}}>
          {t('sign-in.register')}
        </Link>
      </p>
    </div>
  )
}

export function SignOutPage() {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const viewer = useViewer()
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('sign-out.title')} lead={viewer ? t('sign-out.text', { name: viewer.login }) : t('sign-out.nobody')} />
      {viewer ? (
        <form method="post" action={action}>
          <Button type="submit">{t('sign-out.button')}</Button>
        </form>
      ) : (
        <p>
          <Link to="/sign-in" className={getButtonClass()}>
            {t('sign-out.to-sign-in')}
          </Link>
        </p>
      )}
    </div>
  )
}

interface RegisterPageProps {
  form: FormState | null
  next?: string | undefined
  /** Pages such as privacy and terms of use. */
  legal: readonly { slug: string; title: LocalisedText }[]
  /** Questions about the person: the labels of their fields, and the fields with their errors. */
  about?: { labels: Record<string, string>; render: (errors: ReadonlyMap<string, string>) => ReactNode }
}

export function RegisterPage({ form, next, legal, about }: RegisterPageProps) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { contentLanguages, languageNames } = useSite()
  const language = useContentLanguage()
  const own = { login: t('fields.login'), email: t('fields.email'), password: t('fields.password') }
  const labels = { ...own, ...about?.labels, locale: t('fields.locale') }
  const { errors, isRefused, error, typed, ticked } = useSubmittedForm(form, labels)
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('register.title')} lead={t('register.lead')} />
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        <TextField
          name="login"
          label={own.login}
          hint={t('fields.login-hint')}
          autoComplete="name"
          maxLength={80}
          defaultValue={typed('login')}
          error={error('login')}
          required
        />
        <EmailField value={typed('email')} error={error('email')} own />
        <ChosenPasswordField error={error('password')} isRefused={isRefused} />
        {about?.render(
          new Map(
            Object.keys(about.labels).flatMap((field) => {
              const text = error(field)
              return text === undefined ? [] : [[field, text] as const]
            }),
          ),
        )}
        {contentLanguages.length > 1 ? (
          <Select
            name="locale"
            label={labels.locale}
            options={contentLanguages.map((code) => ({ value: code, label: languageNames[code] ?? code }))}
            defaultValue={typed('locale') ?? language}
            error={error('locale')}
          />
        ) : null}
        <Checkbox
          name="marketingConsent"
          label={t('fields.marketing')}
          hint={t('fields.marketing-hint')}
          defaultChecked={ticked('marketingConsent') ?? false}
        />
        <div className="form-actions">
          <Button type="submit">{t('register.button')}</Button>
        </div>
        <p className="form-promise">{t('register.promise')}</p>
        {legal.length > 0 && (
          <div className="form-promise">
            <p>{t('register.legal')}</p>
            <ul className="row">
              {legal.map(({ slug, title }) => (
                <li key={slug}>
                  <Link to="/pages/$slug" params={{ slug }}>
                    <Text words={title} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )}
      </form>
      <p>
        {t('register.have-account')}{' '}
        <Link to="/sign-in" search={next ? { next } : {}}>
          {t('register.sign-in')}
        </Link>
      </p>
    </div>
  )
}
