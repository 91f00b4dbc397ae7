import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { CampaignReach } from '../../admin/CampaignReach.tsx'
import { RecipientTable } from '../../admin/RecipientTable.tsx'
import { smsEstimateQuery, smsRecipientsQuery } from '../../campaigns.queries.ts'
import type { SmsCampaign } from './sms-campaign-type.ts'

/** A campaign's reach, the number of text messages, and what they cost. */
export function SmsCampaignReach({ campaign }: { campaign: SmsCampaign }) {
  const { t, i18n } = useTranslation('sms')
  const format = useFormat()
  const navigate = useNavigate()
  const { id, meta } = campaign
  const estimate = useQuery(smsEstimateQuery(id, meta.lockVersion)).data?.data
  const segments = estimate?.segments ?? 0
  const relationships = { campaign: { type: 'sms-campaigns', id } } as const
  const cost = estimate?.cost ? formatMoney(i18n.language, estimate.cost) : undefined
  const credit = estimate?.credit
  const left = credit ? Math.max(0, credit.limit - credit.used) : undefined
  const isOver = left !== undefined && segments > left
  const formatTexts = (count: number) => t('reach.texts', { count, number: format.number(count) })
  return (
    <CampaignReach
      estimate={estimate}
      can={meta.can}
      words={{
        testLanguage: t('reach.test-language'),
        test: t('reach.test'),
        tested: t('reach.tested'),
        whenHint: t('reach.when-hint'),
        draftsOnly: t('reach.drafts-only'),
        confirm: (
          <>
            {t('reach.confirm-text', { number: format.number(segments) })} {cost && t('reach.confirm-cost', { cost })}
          </>
        ),
      }}
      describeTotal={formatTexts(segments)}
      describeLanguage={(one) => formatTexts(one.segments)}
      costs={
        <>
          {cost && <p>{t('reach.cost', { cost })}</p>}
          {credit && left !== undefined && (
            <p>{t('reach.credit', { used: format.number(credit.used), limit: format.number(credit.limit), left: format.number(left) })}</p>
          )}
          {isOver && (
            <Notice kind="warning" title={t('reach.over')}>
              {t('reach.over-text', { texts: format.number(segments), left: format.number(left) })}
            </Notice>
          )}
        </>
      }
      recipients={
        <RecipientTable
          toQuery={(page) => smsRecipientsQuery(id, meta.lockVersion, page)}
          columns={[
            { id: 'phone', head: t('messages.phone'), secondary: true, cell: (row) => row.phone },
            {
              id: 'body',
              head: t('messages.body'),
              cell: (row) => (
                <span lang={row.language} dir={getDirection(row.language)} className="sms-body">
                  {row.body}
                </span>
              ),
            },
          ]}
          nobodyText={t('reach.nobody-text')}
        />
      }
      refusesNow={isOver}
      sendTest={(language) => api.create('sms-tests', { attributes: { language }, relationships })}
      send={(sendAt) => api.create('sms-sendings', { attributes: { sendAt }, relationships })}
      remove={async () => {
        await api.remove('sms-campaigns', id)
        await navigate({ to: '/admin/campaigns' })
      }}
    />
  )
}

/** Formats an amount for a language: $1.90, 1,90 $. */
const formatMoney = (language: string, { amount, currency }: { amount: number; currency: string }): string =>
  // Browsers lack Welsh, which formats amounts like British English.
  new Intl.NumberFormat(language === 'cy' ? 'en-GB' : language, { style: 'currency', currency }).format(amount)
