import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { KnownPasswordField } from '../account-fields.tsx'
import { AccountSection } from '../AccountForms.tsx'
import { useSubmittedForm } from '../use-submitted-form.ts'
import { CodeFields } from './CodeFields.tsx'

/** Asks for the code or the password again before something that a forgotten session must not do. */
export function ConfirmIdentityPage({ by, form }: { by: 'code' | 'password'; form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, error } = useSubmittedForm(form, { code: t('second-step.code'), password: t('fields.password') })
  return (
    <AccountSection title={t('confirm-identity.title')} lead={t(`confirm-identity.lead-${by}`)}>
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        {by === 'code' ? <CodeFields error={error('code')} /> : <KnownPasswordField error={error('password')} />}
        <div className="form-actions">
          <Button type="submit">{t('confirm-identity.button')}</Button>
        </div>
      </form>
    </AccountSection>
  )
}
