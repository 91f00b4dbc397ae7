import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { useSubmittedForm } from '../use-submitted-form.ts'
import { CodeFields } from './CodeFields.tsx'

/** Signing in, second page: the code. */
export function SecondStepForm({ pending, form }: { pending: string; form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const { errors, error } = useSubmittedForm(form, { code: t('second-step.code') })
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('second-step.title')} lead={t('second-step.lead')} />
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        <input type="hidden" name="form" value="second-step" />
        <input type="hidden" name="pending" value={pending} />
        <CodeFields error={error('code')} />
        <div className="form-actions">
          <Button type="submit">{t('second-step.button')}</Button>
          <a href={toLocalHref('/sign-in')}>{t('second-step.again')}</a>
        </div>
      </form>
    </div>
  )
}
