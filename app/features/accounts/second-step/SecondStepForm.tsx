import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { useSubmittedForm } from '../use-submitted-form.ts'
import { CodeFields } from './CodeFields.tsx'
import { PasskeyForm } from './PasskeyForm.tsx'
import type { PendingSignIn } from './pending-sign-in.ts'
import { askForPasskey } from './use-passkey.ts'

/** Signing in, second page: the passkey or the code. */
export function SecondStepForm({ pending, methods, form }: PendingSignIn & { form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, error } = useSubmittedForm(form, { code: t('second-step.code') })
  const hasPasskey = methods.includes('passkey')
  const hidden = (
    <>
      <input type="hidden" name="form" value="second-step" />
      <input type="hidden" name="pending" value={pending} />
      {methods.map((method) => (
        <input key={method} type="hidden" name="methods" value={method} />
      ))}
    </>
  )
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t(hasPasskey ? 'second-step.title-passkey' : 'second-step.title')} lead={t(findLead(methods))} />
      <ErrorSummary title={t('problem')} errors={errors} />
      {hasPasskey && (
        <>
          <PasskeyForm button={t('passkeys.use')} ask={() => askForPasskey({ pending })}>
            {hidden}
          </PasskeyForm>
          <h2 className="text-step-1 mt-6">{t(methods.includes('app') ? 'passkeys.or-code' : 'passkeys.or-recovery')}</h2>
        </>
      )}
      <form method="post" action={action} className="form" noValidate>
        {hidden}
        <CodeFields methods={methods} error={error('code')} />
        <div className="form-actions">
          <Button type="submit" kind={hasPasskey ? 'secondary' : 'primary'}>
            {t('second-step.button')}
          </Button>
          <a href={toLocalHref('/sign-in')}>{t('second-step.again')}</a>
        </div>
      </form>
    </div>
  )
}

function findLead(methods: PendingSignIn['methods']) {
  if (methods.includes('passkey')) return 'second-step.lead-passkey'
  return methods.includes('app') ? 'second-step.lead' : 'second-step.lead-recovery'
}
