import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ListFind } from '#app/shell/admin/list-filters.tsx'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useOptimisticSave } from '#app/shell/admin/use-optimistic-save.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { platformSwitchesQuery, siteSwitchesQuery, SITES_PER_TABLE, type SwitchesSearch } from '../switches-admin.queries.ts'
import { SWITCH_SETTINGS, type SwitchableFeature, type SwitchSetting } from '../feature-switches.schema.ts'
import { useSetSwitch } from './use-set-switch.ts'

/** One feature's switch on each site: on, off, or the platform's default. */
export function SiteSwitches({ feature, search }: { feature: SwitchableFeature; search: SwitchesSearch }) {
  const { t } = useTranslation('switches')
  const { t: admin } = useTranslation('admin')
  const platform = useSuspenseQuery(platformSwitchesQuery).data.data.find((row) => row.feature === feature)
  const list = useList(search, (next: SwitchesSearch) =>
    linkOptions({ to: '/admin/features/$name', params: { name: feature }, search: next }),
  )
  const name = t(`names.${feature}.name`)
  return (
    <>
      <PageHeader
        title={t('sites-of', { name })}
        meta={t('platform-of', { setting: t(`settings.${platform?.enabled ? 'on' : 'off'}`) })}
        actions={<Link to="/admin/features">{t('back')}</Link>}
      />
      <ListScreen
        list={list}
        caption={t('sites-caption')}
        query={useQuery(siteSwitchesQuery(feature, search))}
        pageSize={SITES_PER_TABLE}
        filters={
          <FilterBar>
            <ListFind list={list} name="q" label={t('search')} button={admin('projects.find')} />
          </FilterBar>
        }
        none={<EmptyState title={t('none')} />}
        noMatch={{ title: t('none-match'), all: t('all-sites'), filters: ['q'] }}
        columns={[
          { id: 'site', head: t('site'), names: true, cell: ({ site }) => site?.name },
          {
            id: 'setting',
            head: t('setting'),
            cell: ({ id, site, setting }) => (
              <div className="min-w-44 max-w-72">
                <SiteSwitch id={id} feature={feature} setting={setting} label={t('setting-of', { name, site: site?.name ?? '' })} />
              </div>
            ),
          },
          {
            id: 'result',
            head: t('result'),
            secondary: true,
            cell: ({ enabled }) => (enabled ? <Badge tone="ok">{t('settings.on')}</Badge> : <Badge hollow>{t('settings.off')}</Badge>),
          },
        ]}
      />
    </>
  )
}

function SiteSwitch({ id, feature, setting, label }: { id: string; feature: SwitchableFeature; setting: SwitchSetting; label: string }) {
  const { t } = useTranslation('switches')
  const set = useSetSwitch()
  const [shown, choose] = useOptimisticSave(setting, (chosen) => set.mutateAsync({ id, feature, setting: chosen }))
  return (
    <SelectInput
      name={id}
      label={<span className="visually-hidden">{label}</span>}
      options={SWITCH_SETTINGS.map((value) => ({ value, label: t(`settings.${value}`) }))}
      value={shown}
      onChange={choose}
    />
  )
}
