import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SendMomentField, useSendMoment } from '../../admin/SendMoment.tsx'
import { smsEstimateQuery, invalidateCampaigns, RECIPIENTS_PER_PAGE, smsRecipientsQuery } from '../../campaigns.queries.ts'
import type { SmsCampaign } from './sms-campaign-type.ts'

/** The last step before sending: exact recipients, the number of text messages, a test to oneself, and the send button. */
export function SmsCampaignReach({ campaign }: { campaign: SmsCampaign }) {
  const { t, i18n } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = useFormat()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { id, meta } = campaign
  const estimate = useQuery(smsEstimateQuery(id, meta.lockVersion)).data?.data
  const recipients = estimate?.recipients ?? 0
  const moment = useSendMoment(recipients)
  const [language, setLanguage] = useState<Language>(site.locale)
  const [asking, setAsking] = useState(false)
  const relationships = { campaign: { type: 'sms-campaigns', id } } as const
  const test = useMutation({
    mutationFn: () => api.create('sms-tests', { attributes: { language }, relationships }),
    onSuccess: () => showToast({ kind: 'success', text: t('reach.tested') }),
  })
  const send = useMutation({
    mutationFn: () => api.create('sms-sendings', { attributes: { sendAt: moment.sendAt ?? null }, relationships }),
    onSettled: () => invalidateCampaigns(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('sms-campaigns', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/campaigns' })
      await invalidateCampaigns(queryClient)
    },
  })
  const words = useEditorTexts(send.error ?? test.error ?? remove.error)
  const cost = estimate?.cost ? formatMoney(i18n.language, estimate.cost) : undefined
  const left = estimate?.credit ? Math.max(0, estimate.credit.limit - estimate.credit.used) : undefined
  const over = estimate !== undefined && left !== undefined && estimate.segments > left
  return (
    <section className="admin-panel">
      <h2>{t('reach.title')}</h2>
      <ErrorSummary title={admin('editor.problem')} errors={words.faults} />
      {estimate && (
        <>
          <p>
            <strong>{t('reach.recipients', { count: recipients, number: format.number(recipients) })}</strong>{' '}
            {t('reach.texts', { count: estimate.segments, number: format.number(estimate.segments) })}
          </p>
          {estimate.withoutArea ? (
            <p>{t('reach.without-area', { count: estimate.withoutArea, number: format.number(estimate.withoutArea) })}</p>
          ) : null}
          <ul>
            {estimate.languages.map((one) => (
              <li key={one.language}>
                {LANGUAGE_NAMES[one.language]}: {t('reach.recipients', { count: one.recipients, number: format.number(one.recipients) })}{' '}
                {t('reach.texts', { count: one.segments, number: format.number(one.segments) })}
              </li>
            ))}
          </ul>
          {cost && <p>{t('reach.cost', { cost })}</p>}
          {estimate.credit && left !== undefined && (
            <p>
              {t('reach.credit', {
                used: format.number(estimate.credit.used),
                limit: format.number(estimate.credit.limit),
                left: format.number(left),
              })}
            </p>
          )}
          {over && (
            <Notice kind="warning" title={t('reach.over')}>
              {t('reach.over-text', { texts: format.number(estimate.segments), left: format.number(left) })}
            </Notice>
          )}
        </>
      )}
      <Recipients campaign={campaign} />
      <div className="sms-test">
        <SelectInput<Language>
          name="test-language"
          label={t('reach.test-language')}
          value={language}
          onChange={setLanguage}
          options={site.languages.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        />
        <Button kind="secondary" pending={test.isPending} onClick={() => test.mutate()}>
          {t('reach.test')}
        </Button>
      </div>
      {meta.can.send ? (
        <SendMomentField moment={moment} hint={t('reach.when-hint')} error={words.messageOf('sendAt')} />
      ) : (
        <p>{t('reach.drafts-only')}</p>
      )}
      <div className="row">
        {meta.can.send && (
          <Button disabled={recipients === 0 || (over && !moment.sendAt)} onClick={() => moment.askFor(() => setAsking(true))}>
            {moment.label}…
          </Button>
        )}
        {meta.can.update && (
          <Button kind="plain" pending={remove.isPending} onClick={() => remove.mutate()}>
            {t('reach.remove')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        title={moment.title}
        isOpen={asking}
        onClose={() => setAsking(false)}
        onConfirm={() =>
          send.mutateAsync().then(
            () => setAsking(false),
            () => setAsking(false),
          )
        }
        confirmLabel={moment.label}
        cancelLabel={admin('confirm.cancel')}
      >
        <p>
          {t('reach.confirm-text', { number: format.number(estimate?.segments ?? 0) })} {cost && t('reach.confirm-cost', { cost })}
        </p>
      </ConfirmDialog>
    </section>
  )
}

/** Everybody the campaign would reach, in pages, with the text they would get. */
function Recipients({ campaign: { id, meta } }: { campaign: SmsCampaign }) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const [page, setPage] = useState(1)
  const { data, isPending } = useQuery(smsRecipientsQuery(id, meta.lockVersion, page))
  const total = typeof data?.meta['total'] === 'number' ? data.meta['total'] : 0
  return (
    <DataTable
      caption={t('reach.list')}
      rows={data?.data ?? []}
      rowKey={(row) => row.id}
      state={isPending ? 'loading' : 'ready'}
      loadingLabel={common('loading')}
      empty={
        <EmptyState level={3} title={t('reach.nobody')}>
          {t('reach.nobody-text')}
        </EmptyState>
      }
      columns={[
        { id: 'login', head: t('reach.who'), names: true, cell: (row) => row.login },
        { id: 'phone', head: t('messages.phone'), secondary: true, cell: (row) => row.phone },
        {
          id: 'body',
          head: t('messages.body'),
          cell: (row) => (
            <span lang={row.language} className="sms-body">
              {row.body}
            </span>
          ),
        },
      ]}
      foot={
        total > RECIPIENTS_PER_PAGE && (
          <div className="row">
            <Button kind="secondary" size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {admin('pages.previous')}
            </Button>
            <Button kind="secondary" size="small" disabled={page * RECIPIENTS_PER_PAGE >= total} onClick={() => setPage(page + 1)}>
              {admin('pages.next')}
            </Button>
          </div>
        )
      }
    />
  )
}

/** Formats an amount for a language: $1.90, 1,90 $. */
const formatMoney = (language: string, { amount, currency }: { amount: number; currency: string }): string =>
  // Browsers lack Welsh, which formats amounts like British English.
  new Intl.NumberFormat(language === 'cy' ? 'en-GB' : language, { style: 'currency', currency }).format(amount)
