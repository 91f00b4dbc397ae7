import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { EligibilityField } from '#app/lib/vocabulary/verifications.ts'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { OfferedList, OwnVerification, VerifyView } from './verifications.schema.ts'

/** Where people show that they may take part, and see what they have shown. Works without JavaScript. */
export function VerifyPage({ next, activity, lists, own, form }: VerifyView & { form: FormState | null }) {
  const { t } = useTranslation('verifications')
  const { t: account } = useTranslation('account')
  const viewer = useViewer()
  const isDone = activity ? activity.isAllowed : own.length > 0
  return (
    <div className="page wrap-narrow stack verify-page">
      <PageTitle
        title={account('verify.title')}
        eyebrow={activity ? <Text words={activity.title} /> : undefined}
        lead={isDone ? undefined : t('lead')}
      />
      {isDone && (
        <Notice kind="success" title={t('done')}>
          {next && (
            <p>
              <a href={next} className={getButtonClass()}>
                {t('go-on')}
              </a>
            </p>
          )}
        </Notice>
      )}
      {own.length > 0 && <OwnVerifications own={own} />}
      {!isDone && lists.length > 0 && (
        <>
          {lists.map((list) => (
            <ListForm key={list.id} list={list} form={form?.form === list.id ? form : null} />
          ))}
          <p className="form-promise">{t('promise')}</p>
        </>
      )}
      {!isDone && (
        <section className="stack" aria-labelledby="in-person">
          <h2 id="in-person">{t('in-person.title')}</h2>
          {lists.length === 0 && <p>{t('no-list')}</p>}
          <p>{t(viewer ? 'in-person.signed-in' : 'in-person.visitor')}</p>
          {!viewer && (
            <p>
              <Link to="/sign-in" search={{ next: toLocalHref(`/verify?${new URLSearchParams({ next })}`) }}>
                {t('in-person.sign-in')}
              </Link>
            </p>
          )}
        </section>
      )}
      {!isDone && next && (
        <p>
          <a href={next.replace(/\/new$/, '')}>{t('back')}</a>
        </p>
      )}
    </div>
  )
}

const AUTOFILL = { 'card-number': 'off', surname: 'family-name', 'birth-date': 'bday', postcode: 'postal-code' } as const

function ListForm({ list, form }: { list: OfferedList; form: FormState | null }) {
  const { t } = useTranslation('verifications')
  const action = useFormAction()
  const { errors, error, typed } = useVerifyFaults(form, list.fields)
  return (
    <section className="stack" aria-labelledby={`list-${list.id}`}>
      <h2 id={`list-${list.id}`}>
        <Text words={list.name} />
      </h2>
      <form method="post" action={action} className="form" noValidate>
        <ErrorSummary title={t('problem')} errors={errors} />
        <input type="hidden" name="form" value={list.id} />
        {list.fields.map((field) => (
          <TextField
            key={field}
            id={`${field}-${list.id}`}
            name={field}
            label={t(`fields.${field}`)}
            hint={field === 'birth-date' || field === 'card-number' ? t(`hints.${field}`) : undefined}
            autoComplete={AUTOFILL[field]}
            spellCheck={false}
            maxLength={100}
            defaultValue={typed(field)}
            error={error(field)}
            width={20}
            required
          />
        ))}
        <div className="form-actions">
          <Button type="submit">{t('check')}</Button>
        </div>
      </form>
    </section>
  )
}

/** What is wrong with what was typed. Nothing ever says which field differs from the list. */
function useVerifyFaults(form: FormState | null, fields: readonly EligibilityField[]) {
  const { t } = useTranslation('verifications')
  const { t: general } = useTranslation('errors')
  const describe = ({ code, field, values }: FormState['faults'][number]): string => {
    const named = fields.find((one) => one === field)
    if (code === 'required' && named) return t(`required.${named}`)
    if (code === 'not-a-date') return t('not-a-date')
    if (code === 'too-many-requests' && typeof values?.['minutes'] === 'number') return t('wait', { count: values['minutes'] })
    return general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) }))
  }
  const faults = (form?.faults ?? []).map((fault) => ({ field: fields.find((one) => one === fault.field), message: describe(fault) }))
  return {
    errors: faults.map(({ field, message }) => ({ message, ...(field && { id: `${field}-${form?.form ?? ''}` }) })),
    error: (field: EligibilityField): string | undefined => faults.find((fault) => fault.field === field)?.message,
    typed: (field: EligibilityField): string | undefined => {
      const value = form?.values[field]
      return typeof value === 'string' ? value : undefined
    },
  }
}

function OwnVerifications({ own }: { own: readonly OwnVerification[] }) {
  const { t } = useTranslation('verifications')
  const action = useFormAction()
  const format = useFormat()
  return (
    <section className="stack" aria-labelledby="own">
      <h2 id="own">{t('own.title')}</h2>
      <ul>
        {own.map(({ id, method, list, level, validUntil }) => (
          <li key={id}>
            {method === 'list' && list ? <Text words={list} /> : t('own.in-person')} · {t(`levels.${level}`)} ·{' '}
            {t('own.until', { date: format.date(validUntil) })}
            <form method="post" action={action}>
              <input type="hidden" name="end" value={id} />
              <Button type="submit" kind="plain" size="small">
                {t('own.end')}
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
