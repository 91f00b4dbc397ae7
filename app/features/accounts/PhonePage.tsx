import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { AccountSection } from './AccountForms.tsx'
import type { CompletedAction } from './accounts.search.ts'
import { KnownPasswordField } from './account-fields.tsx'
import { OneTimeCodeField } from './OneTimeCodeField.tsx'
import { useSubmittedForm } from './use-submitted-form.ts'

interface Phone {
  phone: string | null
  waiting: string | null
  consent: boolean
}

/** Phone number for text messages: added, confirmed by a code, consented to and removed here. */
export function PhonePage({ phone, form, done }: { phone: Phone; form: FormState | null; done?: CompletedAction | undefined }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const site = useSite()
  const { errors, isRefused, error, typed } = useSubmittedForm(form, {
    code: t('phone.code'),
    phone: t('phone.number'),
    password: t('fields.password'),
  })
  return (
    <AccountSection title={t('phone.title')} lead={t('phone.text')}>
      {done && !form && <Notice kind="success">{t(`done.${done}`)}</Notice>}
      <ErrorSummary title={t('problem')} errors={errors} />
      {phone.waiting && (
        <form method="post" action={action} className="form" noValidate>
          <input type="hidden" name="form" value="code" />
          <OneTimeCodeField label={t('phone.code')} hint={t('phone.code-hint', { phone: phone.waiting })} error={error('code')} />
          <div className="form-actions">
            <Button type="submit">{t('phone.confirm')}</Button>
          </div>
        </form>
      )}
      {phone.phone && (
        <section className="stack">
          <h2 className="text-step-2">{phone.phone}</h2>
          <form method="post" action={action} className="form">
            <input type="hidden" name="form" value="consent" />
            <Checkbox
              name="consent"
              value="yes"
              label={t('phone.consent', { site: site.name })}
              hint={t('phone.consent-hint')}
              defaultChecked={phone.consent}
            />
            <div className="form-actions">
              <Button type="submit">{t('phone.save')}</Button>
            </div>
          </form>
          <form method="post" action={action}>
            <input type="hidden" name="form" value="remove" />
            <Button type="submit" kind="secondary">
              {t('phone.remove')}
            </Button>
          </form>
        </section>
      )}
      <form method="post" action={action} className="form" noValidate>
        <h2 className="text-step-2">{t(phone.phone ? 'phone.another' : 'phone.add')}</h2>
        <input type="hidden" name="form" value="number" />
        <TextField
          name="phone"
          type="tel"
          label={t('phone.number')}
          hint={t('phone.number-hint')}
          autoComplete="tel"
          width={20}
          defaultValue={typed('phone')}
          error={error('phone')}
          required
        />
        <KnownPasswordField error={error('password')} isRefused={isRefused} />
        <div className="form-actions">
          <Button type="submit" kind={phone.waiting ? 'secondary' : 'primary'}>
            {t('phone.send')}
          </Button>
        </div>
      </form>
    </AccountSection>
  )
}
