import { useTranslation } from 'react-i18next'
import { ReceiptCode } from '#app/features/participation/ReceiptCode.tsx'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { BallotReceiptView } from '../budgets.schema.ts'
import { BallotProof } from './RoundLedger.tsx'
import { NamedReasons } from './NamedReasons.tsx'
import { buildRoundPath, RoundBreadcrumbs } from './round-parts.tsx'

/** That a ballot was cast and, once the result is certified, that it was counted; never what it says. */
export function BallotReceiptPage({ round, receipt, withdrawn, address, form }: BallotReceiptView & { form: FormState | null }) {
  const { t } = useTranslation('budgets')
  const format = useFormat()
  return (
    <div className="page wrap-narrow stack">
      <RoundBreadcrumbs round={round} current={t('receipt.heading')} />
      {receipt ? (
        <>
          <PageTitle
            title={t(receipt.isCounted ? 'receipt.counted' : 'receipt.title')}
            eyebrow={<Text words={round.title} />}
            lead={t('receipt.lead')}
          />
          <article className="receipt" aria-labelledby="receipt-heading">
            <header className="receipt-head">
              <h2 id="receipt-heading">{t('receipt.heading')}</h2>
              <p className="meta">{t('receipt.cast-on', { date: format.date(receipt.castAt) })}</p>
              <ReceiptCode code={receipt.code} keep={t('receipt.keep')} address={address} />
            </header>
          </article>
          {withdrawn.length > 0 && (
            <Notice title={t('receipt.withdrawn')}>
              <NamedReasons options={withdrawn.map(({ number, title, withdrawnReason: reason }) => ({ number, title, reason }))} />
              <p>{t('receipt.withdrawn-text')}</p>
            </Notice>
          )}
          {receipt.proof && <BallotProof round={round} proof={receipt.proof} isCounted={receipt.isCounted} />}
          <div className="row">
            {round.phase === 'voting' && (
              <a className={getButtonClass()} href={toLocalHref(buildRoundPath(round))}>
                {t('receipt.change')}
              </a>
            )}
            {round.phase === 'decided' && (
              <a className={getButtonClass()} href={toLocalHref(buildRoundPath(round, '/results'))}>
                {t('notices.see-results')}
              </a>
            )}
            <a className={getButtonClass({ kind: 'secondary' })} href={toLocalHref(`/projects/${round.project.slug}`)}>
              {t('receipt.project')}
            </a>
          </div>
          <Notice title={t('receipt.shared')}>
            <a href={toLocalHref('/verify')}>{t('receipt.shared-link')}</a>
          </Notice>
        </>
      ) : (
        <FindReceipt form={form} />
      )}
    </div>
  )
}

const CODE_FAULTS = ['required', 'wrong-format', 'not-found'] as const

function FindReceipt({ form }: { form: FormState | null }) {
  const { t } = useTranslation('budgets')
  const fault = CODE_FAULTS.find((code) => form?.faults.some((one) => one.code === code))
  const typed = form?.values['code']
  return (
    <>
      <PageTitle title={t('receipt.find')} lead={t('receipt.find-text')} />
      {form?.faults.some(({ code }) => code === 'too-many-requests') && <Notice kind="error" title={t('receipt.too-many')} />}
      <form method="post" className="stack">
        <TextField
          id="code"
          name="code"
          label={t('receipt.code')}
          defaultValue={typeof typed === 'string' ? typed : ''}
          error={fault && t(`receipt.faults.${fault}`)}
          autoComplete="off"
          spellCheck={false}
        />
        <p>
          <Button type="submit">{t('receipt.look-up')}</Button>
        </p>
      </form>
    </>
  )
}
