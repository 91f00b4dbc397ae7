import { type ReactNode, Suspense } from 'react'
import { Link } from '@tanstack/react-router'
import type { FormState } from '#app/server/request-context.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { LastReceipts } from '#app/features/participation/lazy-last-receipts.ts'
import type { LastReceipt } from '#app/features/participation/last-receipts.schema.ts'
import { ReceiptSlip } from './lazy-receipt-slip.ts'
import { SurveyBar } from './SurveyBar.tsx'
import type { Contribution } from '../surveys.views.ts'
import { useForgetAnswers } from './use-forget-answers.ts'
import { useSurveyWords } from '../questionnaire/use-survey-words.ts'

interface ReceiptProps {
  contribution: Contribution | null
  /** Where to look up a receipt. */
  address: string
  form: FormState | null
  /** The receipt was emailed just now. */
  sent: boolean
  /** What people can do next. */
  onward: ReactNode
}

/** Shown right after sending: thanks, and the receipt. */
export function ThanksPage({ contribution, address, form, sent, onward }: ReceiptProps) {
  const { t } = useSurveyWords()
  useForgetAnswers(contribution?.survey.id)
  if (!contribution) return <ReceiptGone />
  const { ending } = contribution
  const thanks = ending ? ending.text : contribution.survey.thanks
  return (
    <div className="page wrap-narrow stack survey-receipt">
      <SurveyBar project={contribution.project} />
      {contribution.withdrawnAt === null && (
        // The survey's own words say thank you.
        <PageTitle
          title={ending ? <Text words={ending.title} /> : t(thanks.text ? 'receipt.received' : 'receipt.title')}
          lead={thanks.text ? undefined : t('receipt.lead')}
        >
          {thanks.text && <RichText text={thanks.text} lang={thanks.lang} className="lead" />}
        </PageTitle>
      )}
      <Suspense>
        <ReceiptSlip contribution={contribution} address={address} form={form} sent={sent} />
        {contribution.project.reachable && onward}
      </Suspense>
    </div>
  )
}

function ReceiptGone() {
  const { t } = useSurveyWords()
  return (
    <div className="page wrap-narrow">
      <h1 className="visually-hidden">{t('receipt.heading')}</h1>
      <EmptyState
        title={t('receipt.gone')}
        action={
          <Link to="/receipt" className={getButtonClass()}>
            {t('find.find')}
          </Link>
        }
      >
        {t('receipt.gone-text')}
      </EmptyState>
    </div>
  )
}

const CODE_FAULTS = ['required', 'wrong-format', 'not-found'] as const

interface FindReceiptProps extends ReceiptProps {
  /** Others that the browser holds. */
  lastReceipts: readonly LastReceipt[]
}

/** Looks up a contribution by its receipt code. */
export function FindReceiptPage({ contribution, lastReceipts, address, form: refused, sent, onward }: FindReceiptProps) {
  const { t } = useSurveyWords()
  const mailing = refused?.form === 'mail' ? refused : null
  const form = mailing ? null : refused
  const code = form?.faults[0]?.code
  const fault = CODE_FAULTS.find((each) => each === code)
  const error = code ? t(fault ? `find.fault-${fault}` : 'find.fault-too-many') : undefined
  const typed = form?.values['code']
  return (
    <div className="page wrap-narrow stack survey-receipt">
      <PageTitle title={t('find.title')} lead={contribution ? undefined : t('find.lead')} />
      {error && <ErrorSummary title={t('problem')} errors={[{ id: 'code', message: error }]} />}
      {contribution && !form ? (
        <>
          <Suspense>
            <ReceiptSlip contribution={contribution} address={address} form={mailing} sent={sent} />
            {contribution.project.reachable && onward}
          </Suspense>
        </>
      ) : (
        <form method="post" className="form" noValidate>
          <TextField
            name="code"
            label={t('find.label')}
            hint={t('find.hint')}
            error={error}
            defaultValue={typeof typed === 'string' ? typed : undefined}
            autoComplete="off"
            spellCheck={false}
            width={20}
          />
          <div className="form-actions">
            <Button type="submit">{t('find.find')}</Button>
          </div>
        </form>
      )}
      {lastReceipts.length > 0 && <LastReceipts receipts={lastReceipts} />}
      {(lastReceipts.length > 0 || (contribution && !form)) && (
        <form method="post" className="receipt-done no-print">
          <input type="hidden" name="form" value="done" />
          <Button type="submit" kind="secondary">
            {t(lastReceipts.length > 0 ? 'find.all-done' : 'find.done')}
          </Button>
        </form>
      )}
    </div>
  )
}
