import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { invalidateCampaigns } from '../campaigns.queries.ts'
import { SendMomentField, useSendMoment } from './SendMoment.tsx'

interface Estimate<InLanguage> {
  recipients: number
  withoutArea?: number | null
  languages: readonly InLanguage[]
}

interface CampaignReachProps<InLanguage> {
  /** Absent while it is being counted. */
  estimate: Estimate<InLanguage> | undefined
  can: { send?: boolean; update?: boolean }
  words: { testLanguage: string; test: string; tested: string; whenHint: string; draftsOnly: string; confirm: ReactNode }
  /** Above the figures: what to mend or know before sending. */
  notices?: ReactNode
  /** Beside the number of people, in all and in one language. */
  describeTotal: ReactNode
  describeLanguage: (one: InLanguage) => ReactNode
  /** Below the figures: what it costs. */
  costs?: ReactNode
  /** The table of recipients. */
  recipients: ReactNode
  /** Sending is refused; a campaign for a later time may still go. */
  refusesNow?: boolean
  sendTest: (language: ContentLanguage) => Promise<unknown>
  /** @param sendAt null for now */
  send: (sendAt: string | null, waived?: string[]) => Promise<unknown>
  /** Deletes the draft and leads back to the list. */
  remove: () => Promise<unknown>
}

/** The last step before sending: exact recipients by language, a test to oneself, and the send button. */
export function CampaignReach<InLanguage extends { language: ContentLanguage; recipients: number }>(props: CampaignReachProps<InLanguage>) {
  const { estimate, can, words, notices, describeTotal, describeLanguage, costs, refusesNow = false } = props
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = useFormat()
  const queryClient = useQueryClient()
  const recipients = estimate?.recipients ?? 0
  const moment = useSendMoment(recipients)
  const [language, setLanguage] = useState<ContentLanguage>(site.locale)
  const [asking, setAsking] = useState(false)
  const test = useMutation({
    mutationFn: () => props.sendTest(language),
    onSuccess: () => showToast({ kind: 'success', text: words.tested }),
  })
  const send = useMutation({
    mutationFn: (waived: string[] | void) => props.send(moment.sendAt ?? null, waived ?? undefined),
    onSettled: () => invalidateCampaigns(queryClient),
  })
  const remove = useMutation({ mutationFn: props.remove, onSuccess: () => invalidateCampaigns(queryClient) })
  const texts = useEditorTexts(send.error)
  return (
    <section className="admin-panel">
      <h2>{t('reach.title')}</h2>
      {notices}
      {estimate && (
        <>
          <p>
            <strong>{t('reach.recipients', { count: recipients, number: format.number(recipients) })}</strong> {describeTotal}
          </p>
          {estimate.withoutArea ? (
            <p>{t('reach.without-area', { count: estimate.withoutArea, number: format.number(estimate.withoutArea) })}</p>
          ) : null}
          <ul>
            {estimate.languages.map((one) => (
              <li key={one.language}>
                {getLanguageName(one.language)}
                {format.colon}
                {t('reach.recipients', { count: one.recipients, number: format.number(one.recipients) })} {describeLanguage(one)}
              </li>
            ))}
          </ul>
          {costs}
        </>
      )}
      {props.recipients}
      <div className="sms-test">
        <SelectInput<ContentLanguage>
          name="test-language"
          label={words.testLanguage}
          value={language}
          onChange={setLanguage}
          options={site.contentLanguages.map((value) => ({ value, label: getLanguageName(value) }))}
        />
        <Button kind="secondary" pending={test.isPending} onClick={() => test.mutate()}>
          {words.test}
        </Button>
      </div>
      <Refusal error={test.error} />
      {can.send ? <SendMomentField moment={moment} hint={words.whenHint} error={texts.messageOf('sendAt')} /> : <p>{words.draftsOnly}</p>}
      <div className="row">
        {can.send && (
          <Button disabled={recipients === 0 || (refusesNow && !moment.sendAt)} onClick={() => moment.askFor(() => setAsking(true))}>
            {moment.label}…
          </Button>
        )}
        {can.update && (
          <Button kind="plain" pending={remove.isPending} onClick={() => remove.mutate()}>
            {t('reach.remove')}
          </Button>
        )}
      </div>
      <Refusal error={send.error ?? remove.error} />
      <LanguageGapsDialog error={send.error} onPublish={send.mutateAsync} onClose={send.reset} publishLabel={admin('gaps.send')} />
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
        <p>{words.confirm}</p>
      </ConfirmDialog>
    </section>
  )
}
