import { useTranslation } from 'react-i18next'
import type { HomeArea } from '#app/features/areas/areas.schema.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/choice-group.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Select } from '#app/ui/select.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { AccountSection } from './AccountForms.tsx'
import type { CompletedAction } from './accounts.search.ts'
import { useSubmittedForm } from './use-submitted-form.ts'

/** The area where someone lives: optional, used for statistics and, with separate consent, for news. It can be withdrawn at any time. */
export function HomeAreaPage({ home, form, done }: { home: HomeArea; form: FormState | null; done?: CompletedAction | undefined }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const site = useSite()
  const { errors, error, typed, ticked } = useSubmittedForm(form, {
    postcode: t('area.postcode'),
    area: t('area.label'),
    consent: t('area.consent', { site: site.name }),
  })
  return (
    <AccountSection title={t('area.title')} lead={t('area.text')}>
      {done && !form && <Notice kind="success">{t(`done.${done}`)}</Notice>}
      <ErrorSummary title={t('problem')} errors={errors} />
      <form method="post" action={action} className="form" noValidate>
        {home.byPostcode && (
          <TextField
            name="postcode"
            label={t('area.postcode')}
            hint={t('area.postcode-hint')}
            autoComplete="postal-code"
            maxLength={20}
            defaultValue={typed('postcode') ?? ''}
            error={error('postcode')}
          />
        )}
        <Select
          name="area"
          label={t(home.byPostcode ? 'area.or' : 'area.label')}
          options={[{ value: '', label: t('area.choose') }, ...home.areas.map(({ id, name }) => ({ value: id, label: name }))]}
          defaultValue={typed('area') ?? home.chosen ?? ''}
          error={error('area')}
        />
        <Checkbox
          name="consent"
          value="yes"
          label={t('area.consent', { site: site.name })}
          hint={t('area.consent-hint')}
          defaultChecked={ticked('consent') ?? home.chosen !== null}
          error={error('consent')}
        />
        <Checkbox
          name="forNews"
          value="yes"
          label={t('area.news', { site: site.name })}
          hint={t('area.news-hint')}
          defaultChecked={ticked('forNews') ?? home.forNews}
        />
        <div className="form-actions">
          <Button type="submit">{t('area.save')}</Button>
        </div>
      </form>
      {home.chosen && (
        <form method="post" action={action}>
          <input type="hidden" name="form" value="forget" />
          <Button type="submit" kind="secondary">
            {t('area.forget')}
          </Button>
        </form>
      )}
    </AccountSection>
  )
}
