import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
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
import { invalidateCampaigns, newsletterEstimateQuery, newsletterRecipientsQuery, RECIPIENTS_PER_PAGE } from '../../campaigns.queries.ts'
import { type NewsletterGap, findNewsletterGaps, readNewsletterBlocks } from '../newsletters.schema.ts'
import type { Newsletter } from './newsletter-type.ts'

/** The last step before sending: exact recipients by language, missing translations, a test message to oneself, and the send button. */
export function NewsletterReach({ letter }: { letter: Newsletter }) {
  const { t } = useTranslation('letters')
  const { t: texts } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const ofSite = useViewer()?.roleName === 'site_admin'
  const format = useFormat()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { id, meta } = letter
  const estimate = useQuery(newsletterEstimateQuery(id, meta.lockVersion)).data?.data
  const recipients = estimate?.recipients ?? 0
  const moment = useSendMoment(recipients)
  const [language, setLanguage] = useState<Language>(site.locale)
  const [asking, setAsking] = useState(false)
  const relationships = { campaign: { type: 'newsletters', id } } as const
  const test = useMutation({
    mutationFn: () => api.create('newsletter-tests', { attributes: { language }, relationships }),
    onSuccess: () => showToast({ kind: 'success', text: t('reach.tested') }),
  })
  const send = useMutation({
    mutationFn: () => api.create('newsletter-sendings', { attributes: { sendAt: moment.sendAt ?? null }, relationships }),
    onSettled: () => invalidateCampaigns(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('newsletters', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/newsletters' })
      await invalidateCampaigns(queryClient)
    },
  })
  const words = useEditorTexts(send.error ?? test.error ?? remove.error)
  return (
    <section className="admin-panel">
      <h2>{texts('reach.title')}</h2>
      <ErrorSummary title={admin('editor.problem')} errors={words.faults} />
      {estimate && !estimate.delivers && <Notice kind="info" title={t('reach.no-service')} />}
      <TranslationGaps letter={letter} />
      {estimate && (
        <>
          <p>
            <strong>{texts('reach.recipients', { count: recipients, number: format.number(recipients) })}</strong>{' '}
            {estimate.unreachable > 0 &&
              t('reach.unreachable', { count: estimate.unreachable, number: format.number(estimate.unreachable) })}{' '}
            {estimate.unreachable > 0 && ofSite && <Link to="/admin/outbox/addresses">{t('reach.unreachable-which')}</Link>}
          </p>
          {estimate.withoutArea ? (
            <p>{texts('reach.without-area', { count: estimate.withoutArea, number: format.number(estimate.withoutArea) })}</p>
          ) : null}
          <ul>
            {estimate.languages.map((one) => (
              <li key={one.language}>
                {LANGUAGE_NAMES[one.language]}:{' '}
                {texts('reach.recipients', { count: one.recipients, number: format.number(one.recipients) })}
                {one.gets !== one.language && ` ${t('reach.gets', { language: LANGUAGE_NAMES[one.gets] })}`}
              </li>
            ))}
          </ul>
        </>
      )}
      <Recipients letter={letter} />
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
          <Button disabled={recipients === 0} onClick={() => moment.askFor(() => setAsking(true))}>
            {moment.label}…
          </Button>
        )}
        {meta.can.update && (
          <Button kind="plain" pending={remove.isPending} onClick={() => remove.mutate()}>
            {texts('reach.remove')}
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
        <p>{t('reach.confirm-text')}</p>
      </ConfirmDialog>
    </section>
  )
}

/** Missing translations of the saved newsletter, and what readers get instead. */
function TranslationGaps({ letter }: { letter: Newsletter }) {
  const { t } = useTranslation('letters')
  const { languages, locale } = useSite()
  const blocks = readNewsletterBlocks(letter.content)
  const gaps = findNewsletterGaps(letter.subjectTranslations ?? {}, blocks, languages)
  const nameOf = useTextNames(blocks)
  if (gaps.length === 0) return null
  return (
    <Notice kind="warning" title={t('gaps.title')}>
      <ul>
        {gaps.map((gap) => (
          <li key={gap.language}>
            {t(gap.language === locale ? 'gaps.needed' : 'gaps.falls-back', {
              language: LANGUAGE_NAMES[gap.language],
              other: LANGUAGE_NAMES[locale],
            })}{' '}
            {[...(gap.subject ? [t('subject')] : []), ...gap.texts.map(nameOf)].join(', ')}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function useTextNames(blocks: ReturnType<typeof readNewsletterBlocks>): (text: NewsletterGap['texts'][number]) => string {
  const { t } = useTranslation('editor')
  return ({ blockId, field }) => {
    const block = blocks.find(({ id }) => id === blockId)
    const name = t(`fields.${field}`, { defaultValue: field })
    return block ? t('named', { kind: t(`blocks.${block.type}.name`), words: name }) : name
  }
}

/** Everybody the newsletter would reach, in pages. */
function Recipients({ letter: { id, meta } }: { letter: Newsletter }) {
  const { t } = useTranslation('letters')
  const { t: texts } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const [page, setPage] = useState(1)
  const { data, isPending } = useQuery(newsletterRecipientsQuery(id, meta.lockVersion, page))
  const total = typeof data?.meta['total'] === 'number' ? data.meta['total'] : 0
  return (
    <DataTable
      caption={texts('reach.list')}
      rows={data?.data ?? []}
      rowKey={(row) => row.id}
      state={isPending ? 'loading' : 'ready'}
      loadingLabel={common('loading')}
      empty={
        <EmptyState level={3} title={texts('reach.nobody')}>
          {t('reach.nobody-text')}
        </EmptyState>
      }
      columns={[
        { id: 'login', head: texts('reach.who'), names: true, cell: (row) => row.login },
        { id: 'email', head: t('reach.address'), cell: (row) => row.email },
        { id: 'language', head: t('reach.in'), cell: (row) => LANGUAGE_NAMES[row.language] },
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
