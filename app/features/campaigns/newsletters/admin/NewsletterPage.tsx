import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { CampaignBadge } from '../../admin/CampaignBadge.tsx'
import { CampaignProgress } from '../../admin/CampaignProgress.tsx'
import { usePlaceName } from '../../admin/use-place-name.ts'
import { newsletterQuery } from '../../campaigns.queries.ts'
import type { BlockEditing } from './newsletter-type.ts'
import { NewsletterDraft } from './NewsletterDraft.tsx'
import { NewsletterPreview } from './NewsletterPreview.tsx'
import { NewsletterReach } from './NewsletterReach.tsx'

/** One newsletter: a draft with its reach, or the progress of sending. */
export function NewsletterPage({ id, editing }: { id: string; editing: BlockEditing }) {
  const { t } = useTranslation('letters')
  const language = useLanguage()
  const format = useFormat()
  const document = useSuspenseQuery(newsletterQuery(id)).data
  const letter = document.data
  return (
    <div className="admin-stack">
      <PageHeader
        title={letter.name}
        status={<CampaignBadge status={letter.status} />}
        meta={usePlaceName()(document, letter)}
        actions={<Link to="/admin/newsletters">{t('all')}</Link>}
      />
      {letter.status === 'draft' ? (
        <>
          <NewsletterDraft letter={letter} editing={editing} />
          <NewsletterReach letter={letter} />
        </>
      ) : (
        <>
          <CampaignProgress
            campaign={letter}
            pause={(paused) => api.update('newsletter-sendings', id, { attributes: { paused } })}
            cancel={() => api.remove('newsletter-sendings', id)}
          >
            {letter.counts.returned > 0 && (
              <p>{t('returned', { count: letter.counts.returned, number: format.number(letter.counts.returned) })}</p>
            )}
          </CampaignProgress>
          <NewsletterPreview unsaved={{ campaign: id, subject: { [language]: letter.subject }, content: letter.content, language }} />
        </>
      )}
    </div>
  )
}
