import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CampaignStatus } from '#app/lib/vocabulary/campaigns.ts'
import { FigureCard } from '#app/shell/admin/figure-card.tsx'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { invalidateCampaigns } from '../campaigns.queries.ts'
import { CampaignClicks } from './CampaignClicks.tsx'
import { CampaignFailures } from './CampaignFailures.tsx'

const FIGURES = { prepared: 'messagesPrepared', accepted: 'messagesSent', failed: 'messagesFailed', skipped: 'messagesSkipped' } as const
const COUNTS = ['prepared', 'accepted', 'failed', 'skipped'] as const

interface CampaignProgressProps {
  campaign: {
    id: string
    status: CampaignStatus
    sendAt: string | null
    counts: Record<keyof typeof FIGURES, number> & { returned?: number }
    meta: { can: { send?: boolean } }
  }
  pause: (paused: boolean) => Promise<unknown>
  cancel: () => Promise<unknown>
  /** Content of the message, and details about it. */
  children?: ReactNode
}

/** Progress of a campaign, with buttons to pause and cancel it. */
export function CampaignProgress({ campaign, children, ...acts }: CampaignProgressProps) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [stopping, setStopping] = useState(false)
  const { counts, status, sendAt, meta } = campaign
  const onSettled = () => invalidateCampaigns(queryClient)
  const pause = useMutation({
    mutationFn: acts.pause,
    onSettled,
  })
  const cancel = useMutation({ mutationFn: acts.cancel, onSettled })
  const settled = counts.accepted + counts.failed + counts.skipped
  const over = status === 'done' || status === 'cancelled'
  const unreached = counts.failed + counts.skipped + (counts.returned ?? 0)
  return (
    <>
      <section className="admin-panel">
        <h2>{t('progress.title')}</h2>
        {status === 'scheduled' && sendAt ? (
          <p>{t('progress.at', { when: format.dateTime(sendAt) })}</p>
        ) : (
          <ProgressBar
            label={t('progress.of', { done: format.number(settled), total: format.number(counts.prepared) })}
            value={settled}
            max={counts.prepared || 1}
          />
        )}
        <div className="stat-cards">
          {COUNTS.map((name) => (
            <FigureCard key={name} figure={FIGURES[name]} value={format.number(counts[name])} />
          ))}
        </div>
        {children}
        {!over && meta.can.send && (
          <div className="row">
            {status !== 'scheduled' && (
              <Button kind="secondary" pending={pause.isPending} onClick={() => pause.mutate(status !== 'paused')}>
                {t(status === 'paused' ? 'progress.resume' : 'progress.pause')}
              </Button>
            )}
            <Button kind="plain" onClick={() => setStopping(true)}>
              {t('progress.cancel')}
            </Button>
          </div>
        )}
        <Refusal error={pause.error ?? cancel.error} />
        <ConfirmDialog
          title={t('progress.cancel-title')}
          isOpen={stopping}
          danger
          onClose={() => setStopping(false)}
          onConfirm={() =>
            cancel.mutateAsync().then(
              () => setStopping(false),
              () => setStopping(false),
            )
          }
          confirmLabel={t('progress.cancel-yes')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('progress.cancel-text')}</p>
        </ConfirmDialog>
      </section>
      {counts.prepared > 0 && <CampaignClicks campaign={campaign.id} />}
      {unreached > 0 && <CampaignFailures campaign={campaign.id} />}
    </>
  )
}
