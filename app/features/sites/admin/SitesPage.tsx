import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import type { SiteTableSearch } from '../site-table-search.ts'
import { deletedSitesQuery } from '../sites.queries.ts'
import { DeleteSite } from './DeleteSite.tsx'
import { NewSite } from './NewSite.tsx'
import { OpenSupportGrants } from './OpenSupportGrants.tsx'
import { SiteAddresses } from './SiteAddresses.tsx'
import { SiteDeletion } from './SiteDeletion.tsx'
import { SitesTabs } from './SitesTabs.tsx'
import { buildMenuId, type SiteAction, SiteTable } from './SiteTable.tsx'
import { SiteStatusDialog } from './SiteStatusDialog.tsx'

/** The platform administrators' page of all sites and the actions on them. */
export function SitesPage({ search }: { search: SiteTableSearch }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { meta } = useSuspenseQuery(deletedSitesQuery(1)).data
  const [making, setMaking] = useState(false)
  const [open, setOpen] = useState<{ act: SiteAction; site: { id: string; name: string } }>()
  const onClose = () => setOpen(undefined)
  // After two dialogs in a row, the element focused before the second is gone with the first; so focus returns to the site's menu button.
  const last = useRef<{ id: string }>(undefined)
  useEffect(() => {
    if (open) last.current = open.site
    else if (last.current) {
      document.getElementById(buildMenuId(last.current))?.focus()
      last.current = undefined
    }
  }, [open])
  return (
    <>
      <PageHeader
        title={admin('nav.sites')}
        meta={t('sites.text')}
        actions={<Button onClick={() => setMaking(true)}>{t('sites.new')}</Button>}
        tabs={<SitesTabs />}
      />
      <div className="admin-stack">
        <OpenSupportGrants />
        <SiteTable search={search} onAct={(act, { id, name }) => setOpen({ act, site: { id, name } })} />
      </div>
      {making && <NewSite onClose={() => setMaking(false)} />}
      {open?.act === 'addresses' && <SiteAddresses site={open.site} onClose={onClose} />}
      {(open?.act === 'suspend' || open?.act === 'resume') && <SiteStatusDialog site={open.site} act={open.act} onClose={onClose} />}
      {open?.act === 'delete' && (
        <DeleteSite
          site={open.site}
          waitingDays={Number(meta['waitingDays'])}
          onAsked={() => setOpen({ act: 'deletion', site: open.site })}
          onClose={onClose}
        />
      )}
      {open?.act === 'deletion' && <SiteDeletion site={open.site} onClose={onClose} />}
    </>
  )
}
