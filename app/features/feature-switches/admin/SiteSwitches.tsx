import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { omitUndefined } from '#app/lib/search-params.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { platformSwitchesQuery, siteSwitchesQuery, SITES_PER_TABLE, type SwitchesSearch } from '../switches-admin.queries.ts'
import { SWITCH_SETTINGS, type SwitchableFeature } from '../feature-switches.schema.ts'
import { useSetSwitch } from './use-set-switch.ts'
import { TableFoot } from '#app/shell/table-foot.tsx'

/** One feature's switch on each site: on, off, or the platform's default. */
export function SiteSwitches({ feature, search }: { feature: SwitchableFeature; search: SwitchesSearch }) {
  const { t } = useTranslation('switches')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const platform = useSuspenseQuery(platformSwitchesQuery).data.data.find((row) => row.feature === feature)
  const { data, isError, isPending, isPlaceholderData } = useQuery(siteSwitchesQuery(feature, search))
  const { q, page = 1 } = search
  const navigate = useNavigate()
  const set = useSetSwitch()
  const name = t(`names.${feature}.name`)
  const total = data?.meta.total ?? 0
  const options = SWITCH_SETTINGS.map((value) => ({ value, label: t(`settings.${value}`) }))
  return (
    <>
      <PageHeader
        title={t('sites-of', { name })}
        meta={t('platform-of', { setting: t(`settings.${platform?.enabled ? 'on' : 'off'}`) })}
        actions={<Link to="/admin/features">{t('back')}</Link>}
      />
      <FilterBar>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const typed = new FormData(event.currentTarget).get('q')
              const words = typeof typed === 'string' ? typed.trim() : ''
              void navigate({ to: '/admin/features/$name', params: { name: feature }, search: words ? { q: words } : {} })
            }}
          >
            <SearchField key={q ?? ''} name="q" label={t('search')} button={admin('projects.find')} defaultValue={q ?? ''} />
          </form>
        </search>
      </FilterBar>
      <DataTable
        caption={t('sites-caption')}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          q === undefined ? (
            <EmptyState title={t('none')} />
          ) : (
            <EmptyState
              title={t('none-match')}
              action={
                <Link to="/admin/features/$name" params={{ name: feature }}>
                  {t('all-sites')}
                </Link>
              }
            />
          )
        }
        error={<Notice kind="error" title={admin('load-failed')} />}
        columns={[
          { id: 'site', head: t('site'), names: true, cell: ({ site }) => site?.name },
          {
            id: 'setting',
            head: t('setting'),
            cell: ({ id, site, setting }) => (
              <div className="min-w-44 max-w-72">
                <SelectInput
                  name={id}
                  label={<span className="visually-hidden">{t('setting-of', { name, site: site?.name ?? '' })}</span>}
                  options={options}
                  value={set.isPending && set.variables.id === id ? set.variables.setting : setting}
                  onChange={(chosen) => set.mutate({ id, feature, setting: chosen })}
                />
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
        foot={
          <TableFoot
            total={total}
            page={page}
            size={SITES_PER_TABLE}
            link={(number, children, attributes) => (
              <Link
                to="/admin/features/$name"
                params={{ name: feature }}
                search={omitUndefined({ q, page: number === 1 ? undefined : number })}
                {...attributes}
              >
                {children}
              </Link>
            )}
          />
        }
      />
    </>
  )
}
