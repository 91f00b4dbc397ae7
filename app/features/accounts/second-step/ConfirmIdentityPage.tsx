import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { KnownPasswordField } from '../account-fields.tsx'
import { AccountSection } from '../AccountForms.tsx'
import { useSubmittedForm } from '../use-submitted-form.ts'
import { CodeFields } from './CodeFields.tsx'
import { PasskeyForm } from './PasskeyForm.tsx'
import type { SecondStepMethod } from './second-step-methods.ts'
import { askForPasskey } from './use-passkey.ts'

interface ConfirmIdentityPageProps {
  by: 'code' | 'password'
  methods: readonly SecondStepMethod[]
  form: FormState | null
}

/** Asks for the passkey, code or password again before something that a forgotten session must not do. */
export function ConfirmIdentityPage({ by, methods, form }: ConfirmIdentityPageProps) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, isRefused, error } = useSubmittedForm(form, { code: t('second-step.code'), password: t('fields.password') })
  const hasPasskey = methods.includes('passkey')
  return (
    <AccountSection title={t('confirm-identity.title')} lead={t(`confirm-identity.lead-${hasPasskey ? 'passkey' : by}`)}>
      <ErrorSummary title={t('problem')} errors={errors} />
      {hasPasskey && (
        <>
          <PasskeyForm button={t('passkeys.use')} ask={() => askForPasskey()} />
          <h2 className="text-step-1 mt-6">{t(methods.includes('app') ? 'passkeys.or-code' : 'passkeys.or-recovery')}</h2>
        </>
      )}
      <form method="post" action={action} className="form" noValidate>
        {by === 'code' ? (
          <CodeFields methods={methods} error={error('code')} />
        ) : (
          <KnownPasswordField error={error('password')} isRefused={isRefused} />
        )}
        <div className="form-actions">
          <Button type="submit" kind={hasPasskey ? 'secondary' : 'primary'}>
            {t('confirm-identity.button')}
          </Button>
        </div>
      </form>
    </AccountSection>
  )
}
