import { type ComponentProps, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CampaignStatus } from '#app/lib/vocabulary/campaigns.ts'
import { type ListQuery, ListScreen } from '#app/shell/admin/list-screen.tsx'
import type { List, ListSearch } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { CAMPAIGNS_PER_PAGE } from '../campaigns.queries.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { NewCampaign } from './NewCampaign.tsx'
import { type CampaignDocument, type Placed, usePlaceName } from './use-place-name.ts'

interface Campaign extends Placed {
  id: string
  status: CampaignStatus
  counts: { prepared: number }
  sendAt: string | null
  createdAt: string
}

interface CampaignListProps<Row extends Campaign> {
  list: List<ListSearch>
  query: ListQuery<Row> & { data: CampaignDocument | undefined }
  words: { title: string; text: string; new: string; placeHint: string; sent: string; none: string; noneText: string }
  renderName: (row: Row) => ReactNode
  make: ComponentProps<typeof NewCampaign>['make']
  /** Beside the button for a new one. */
  beside?: ReactNode
  tabs?: ReactNode
}

/** The campaigns of one channel that the viewer may send or draft. */
export function CampaignList<Row extends Campaign>({ list, query, words, renderName, make, beside, tabs }: CampaignListProps<Row>) {
  const { t } = useTranslation('sms')
  const format = useFormat()
  const nameOf = usePlaceName()
  const [making, setMaking] = useState(false)
  return (
    <div className="admin-stack">
      <PageHeader
        title={words.title}
        meta={words.text}
        actions={
          <>
            {beside}
            <Button onClick={() => setMaking(true)}>{words.new}</Button>
          </>
        }
        tabs={tabs}
      />
      <ListScreen
        list={list}
        caption={words.title}
        query={query}
        pageSize={CAMPAIGNS_PER_PAGE}
        none={<EmptyState title={words.none}>{words.noneText}</EmptyState>}
        columns={[
          { id: 'name', head: t('campaigns.name'), names: true, cell: renderName },
          { id: 'to', head: t('campaigns.to'), secondary: true, cell: (row) => query.data && nameOf(query.data, row) },
          { id: 'sent', head: words.sent, align: 'end', cell: (row) => format.number(row.counts.prepared) },
          { id: 'at', head: t('campaigns.at'), secondary: true, cell: (row) => format.dateTime(row.sendAt ?? row.createdAt) },
          { id: 'status', head: t('messages.status'), underName: true, cell: (row) => <CampaignBadge status={row.status} /> },
        ]}
      />
      {making && <NewCampaign title={words.new} placeHint={words.placeHint} make={make} onClose={() => setMaking(false)} />}
    </div>
  )
}
