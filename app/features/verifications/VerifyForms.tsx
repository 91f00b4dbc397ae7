import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import type { FormState } from '#app/server/request-context.ts'
import { useSendWithBrowserToken } from '#app/shell/browser-token.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { OfferedList } from './verifications.schema.ts'

interface FormProps {
  /** What was sent and what is wrong with it, if this form was. */
  form: FormState | null
}

/** One way to be verified: what it asks, and a button. */
function VerifyForm({
  name,
  title,
  children,
  errors,
  button,
}: {
  name: string
  title: ReactNode
  children: ReactNode
  errors: readonly { message: string; id?: string }[]
  button: string
}) {
  const { t } = useTranslation('verifications')
  return (
    <section className="stack" aria-labelledby={`by-${name}`}>
      <h2 id={`by-${name}`}>{title}</h2>
      <form method="post" action={useFormAction()} className="form" noValidate onSubmit={useSendWithBrowserToken()}>
        <ErrorSummary title={t('problem')} errors={errors} />
        <input type="hidden" name="form" value={name} />
        {children}
        <div className="form-actions">
          <Button type="submit">{button}</Button>
        </div>
      </form>
    </section>
  )
}

const AUTOFILL = { 'card-number': 'off', surname: 'family-name', 'birth-date': 'bday', postcode: 'postal-code' } as const

/** Being looked up in a list of the organisation. */
export function ListForm({ list, form }: FormProps & { list: OfferedList }) {
  const { t } = useTranslation('verifications')
  const { errors, findError, findTyped } = useVerifyFaults(form, list.id, list.fields, ({ code, field }) => {
    const named = list.fields.find((one) => one === field)
    if (code === 'required' && named) return t(`required.${named}`)
    return code === 'not-a-date' ? t('not-a-date') : undefined
  })
  return (
    <VerifyForm name={list.id} title={<Text words={list.name} />} errors={errors} button={t('check')}>
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
          defaultValue={findTyped(field)}
          error={findError(field)}
          width={20}
          required
        />
      ))}
    </VerifyForm>
  )
}

/** A code from a letter, typed or brought by the letter's link. */
export function CodeForm({ form, code }: FormProps & { code: string | undefined }) {
  const { t } = useTranslation('verifications')
  const { errors, findError, findTyped } = useVerifyFaults(form, 'code', ['code'], (fault) => {
    if (fault.code === 'required' || fault.code === 'wrong-format') return t('code.wrong-format')
    if (fault.code === 'not-found') return t('code.not-found')
    return fault.code === 'taken' ? t('code.taken') : undefined
  })
  return (
    <VerifyForm name="code" title={t('code.title')} errors={errors} button={t('code.use')}>
      <TextField
        id="code-code"
        name="code"
        label={t('code.label')}
        hint={t('code.hint')}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        defaultValue={findTyped('code') ?? code}
        error={findError('code')}
        width={20}
        required
      />
    </VerifyForm>
  )
}

/** A phone number, which a code is texted to. */
export function PhoneForm({ form }: FormProps) {
  const { t } = useTranslation('verifications')
  const { errors, findError, findTyped } = useVerifyFaults(form, 'text', ['phone'], ({ code }) =>
    code === 'required' || code === 'not-a-phone' ? t('text.not-a-phone') : undefined,
  )
  return (
    <VerifyForm name="text" title={t('text.title')} errors={errors} button={t('text.send')}>
      <TextField
        id="phone-text"
        name="phone"
        type="tel"
        label={t('text.phone')}
        hint={t('text.hint')}
        autoComplete="tel"
        maxLength={100}
        defaultValue={findTyped('phone')}
        error={findError('phone')}
        width={20}
        required
      />
    </VerifyForm>
  )
}

/** The code of the text that was sent. */
export function TextedCodeForm({ form, text, next }: FormProps & { text: string; next: string }) {
  const { t } = useTranslation('verifications')
  const { errors, findError } = useVerifyFaults(form, 'texted-code', ['code'], ({ code }) =>
    code === 'required' ? t('text.code-required') : undefined,
  )
  return (
    <VerifyForm name="texted-code" title={t('text.title')} errors={errors} button={t('text.confirm')}>
      <input type="hidden" name="text" value={text} />
      <TextField
        id="code-texted-code"
        name="code"
        label={t('text.code')}
        hint={t('text.code-hint')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={12}
        error={findError('code')}
        width={10}
        required
      />
      <p>
        <Link to="/verify" search={next ? { next } : {}}>
          {t('text.again')}
        </Link>
      </p>
    </VerifyForm>
  )
}

/** A postcode that the person says is theirs. */
export function PostcodeForm({ form }: FormProps) {
  const { t } = useTranslation('verifications')
  const { errors, findError, findTyped } = useVerifyFaults(form, 'postcode', ['postcode'], ({ code }) => {
    if (code === 'required') return t('required.postcode')
    if (code === 'wrong-format') return t('postcode.wrong-format')
    return code === 'postcode-unknown' ? t('postcode.unknown') : undefined
  })
  return (
    <VerifyForm name="postcode" title={t('postcode.title')} errors={errors} button={t('postcode.use')}>
      <TextField
        id="postcode-postcode"
        name="postcode"
        label={t('fields.postcode')}
        autoComplete="postal-code"
        spellCheck={false}
        maxLength={100}
        defaultValue={findTyped('postcode')}
        error={findError('postcode')}
        width={10}
        required
      />
    </VerifyForm>
  )
}

/**
 * What is wrong with what was typed.
 * @param describe the page's own words for a fault, if it has any
 */
function useVerifyFaults<Field extends string>(
  form: FormState | null,
  name: string,
  fields: readonly Field[],
  describe: (fault: FormState['faults'][number]) => string | undefined,
) {
  const { t } = useTranslation('verifications')
  const { t: general } = useTranslation('errors')
  const toMessage = (fault: FormState['faults'][number]): string => {
    const { code, values } = fault
    if (code === 'too-many-requests' && typeof values?.['seconds'] === 'number') return t('wait-seconds', { count: values['seconds'] })
    if (code === 'too-many-requests' && typeof values?.['minutes'] === 'number') return t('wait', { count: values['minutes'] })
    return describe(fault) ?? general(...toFaultTitle({ code: code as ErrorCode, ...(values ? { values } : {}) }))
  }
  const faults = (form?.faults ?? []).map((fault) => ({ field: fields.find((one) => one === fault.field), message: toMessage(fault) }))
  return {
    errors: faults.map(({ field, message }) => ({ message, ...(field && { id: `${field}-${name}` }) })),
    findError: (field: Field): string | undefined => faults.find((fault) => fault.field === field)?.message,
    findTyped: (field: Field): string | undefined => {
      const value = form?.values[field]
      return typeof value === 'string' ? value : undefined
    },
  }
}
