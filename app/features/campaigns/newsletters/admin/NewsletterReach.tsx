import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { CampaignReach } from '../../admin/CampaignReach.tsx'
import { RecipientTable } from '../../admin/RecipientTable.tsx'
import { newsletterEstimateQuery, newsletterRecipientsQuery } from '../../campaigns.queries.ts'
import { type NewsletterGap, findNewsletterGaps, readNewsletterBlocks } from '../newsletters.schema.ts'
import type { Newsletter } from './newsletter-type.ts'

/** A newsletter's reach, and the translations it lacks. */
export function NewsletterReach({ letter }: { letter: Newsletter }) {
  const { t } = useTranslation('letters')
  const ofSite = useViewer()?.roleName === 'site_admin'
  const format = useFormat()
  const navigate = useNavigate()
  const { id, meta } = letter
  const estimate = useQuery(newsletterEstimateQuery(id, meta.lockVersion)).data?.data
  const unreachable = estimate?.unreachable ?? 0
  const relationships = { campaign: { type: 'newsletters', id } } as const
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
        confirm: t('reach.confirm-text'),
      }}
      notices={
        <>
          {estimate && !estimate.delivers && <Notice kind="info" title={t('reach.no-service')} />}
          <TranslationGaps letter={letter} />
        </>
      }
      describeTotal={
        unreachable > 0 && (
          <>
            {t('reach.unreachable', { count: unreachable, number: format.number(unreachable) })}{' '}
            {ofSite && <Link to="/admin/outbox/addresses">{t('reach.unreachable-which')}</Link>}
          </>
        )
      }
      describeLanguage={({ gets, language }) => gets !== language && t('reach.gets', { language: getLanguageName(gets) })}
      recipients={
        <RecipientTable
          toQuery={(page) => newsletterRecipientsQuery(id, meta.lockVersion, page)}
          columns={[
            {
              id: 'email',
              head: t('reach.address'),
              underName: (row) => <span className="breaks-anywhere">{row.email}</span>,
              cell: (row) => row.email,
            },
            { id: 'language', head: t('reach.in'), cell: (row) => getLanguageName(row.language) },
          ]}
          nobodyText={t('reach.nobody-text')}
        />
      }
      sendTest={(language) => api.create('newsletter-tests', { attributes: { language }, relationships })}
      send={(sendAt, waived) => api.create('newsletter-sendings', { attributes: { sendAt, ...(waived ? { waived } : {}) }, relationships })}
      remove={async () => {
        await api.remove('newsletters', id)
        await navigate({ to: '/admin/newsletters' })
      }}
    />
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
              language: getLanguageName(gap.language),
              other: getLanguageName(locale),
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
