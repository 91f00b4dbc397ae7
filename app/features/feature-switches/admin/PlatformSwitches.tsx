import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { SwitchInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { useOptimisticSave } from '#app/shell/admin/use-optimistic-save.ts'
import { Notice } from '#app/ui/notice.tsx'
import type { SwitchableFeature } from '../feature-switches.schema.ts'
import { platformSwitchesQuery } from '../switches-admin.queries.ts'
import { useSetSwitch } from './use-set-switch.ts'

/** Every feature with the platform's default, and a link to the sites' switches. */
export function PlatformSwitches() {
  const { t } = useTranslation('switches')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { data, isError, isPending } = useQuery(platformSwitchesQuery)
  return (
    <>
      <PageHeader title={t('title')} meta={t('text')} />
      <DataTable
        caption={t('caption')}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={null}
        error={<Notice kind="error" title={admin('load-failed')} />}
        columns={[
          {
            id: 'feature',
            head: t('feature'),
            names: true,
            cell: ({ feature }) => (
              <>
                <Link to="/admin/features/$name" params={{ name: feature }}>
                  {t(`names.${feature}.name`)}
                </Link>
                <small>{t(`names.${feature}.text`)}</small>
              </>
            ),
          },
          {
            id: 'everywhere',
            head: t('everywhere'),
            cell: ({ id, feature, enabled }) => <PlatformSwitch id={id} feature={feature} enabled={enabled} />,
          },
        ]}
      />
    </>
  )
}

function PlatformSwitch({ id, feature, enabled }: { id: string; feature: SwitchableFeature; enabled: boolean }) {
  const { t } = useTranslation('switches')
  const set = useSetSwitch()
  const [shown, choose] = useOptimisticSave(enabled, (on) => set.mutateAsync({ id, feature, setting: on ? 'on' : 'off' }))
  return (
    <SwitchInput name={id} label={<span className="visually-hidden">{t(`names.${feature}.name`)}</span>} value={shown} onChange={choose} />
  )
}
