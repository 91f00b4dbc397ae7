import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatViewQuery } from '#app/features/saved-views/saved-views.schema.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { readReportSearch, type ReportSearch } from '../../report.search.ts'
import { reportViewsQuery } from '../report-views.queries.ts'
import { ReportLinksDialog } from './ReportLinksDialog.tsx'
import { ReportViewDialog } from './ReportViewDialog.tsx'

type View = Resource<'report-views'>
type Step = { do: 'save' } | { do: 'edit' | 'links' | 'remove'; view: View }

/** Saved reports: links to them, and saving, sharing, mailing and deleting one. */
export function ReportViews({ search }: { search: ReportSearch }) {
  const { t } = useTranslation('reports')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const queryClient = useQueryClient()
  const kept = useQuery(reportViewsQuery).data
  const views = kept?.data ?? []
  const shown = formatViewQuery(search)
  const [step, setStep] = useState<Step>()
  const act = useMutation({
    mutationFn: async (what: { do: 'remove' | 'replace'; id: string }) =>
      what.do === 'remove'
        ? api.remove('report-views', what.id)
        : void (await api.update('report-views', what.id, { attributes: { query: shown } })),
    onSuccess: async (_, what) => {
      setStep(undefined)
      showToast({ text: t(`views.done.${what.do}`) })
      await queryClient.invalidateQueries({ queryKey: reportViewsQuery.queryKey })
    },
  })
  const openStep = (next: Step) => {
    act.reset()
    setStep(next)
  }
  return (
    <div className="saved-views">
      {views.length > 0 && (
        <nav aria-label={t('views.label')}>
          <ul>
            {views.map((view) => (
              <li key={view.id}>
                <Link
                  to="/admin/reports"
                  search={readReportSearch(parseSearchParams(view.query))}
                  activeOptions={{ exact: true }}
                  aria-current={view.query === shown ? 'true' : undefined}
                >
                  {view.name}
                </Link>
                {view.audience !== 'self' && <span className="meta">{t('views.by', { maker: view.maker })}</span>}
                {view.schedule !== 'none' && <span className="meta">{t(`views.schedules.${view.schedule}`)}</span>}
                <ViewMenu
                  view={view}
                  isShown={view.query === shown}
                  onStep={openStep}
                  onReplace={() => act.mutate({ do: 'replace', id: view.id })}
                />
              </li>
            ))}
          </ul>
        </nav>
      )}
      {!step && <Refusal error={act.error} />}
      {kept && (
        <Button kind="plain" size="small" onClick={() => openStep({ do: 'save' })}>
          {t('views.save')}
        </Button>
      )}
      {step?.do === 'save' && <ReportViewDialog query={shown} onClose={() => setStep(undefined)} />}
      {step?.do === 'edit' && <ReportViewDialog view={step.view} query={step.view.query} onClose={() => setStep(undefined)} />}
      {step?.do === 'links' && <ReportLinksDialog view={step.view} onClose={() => setStep(undefined)} />}
      {step?.do === 'remove' && (
        <ConfirmDialog
          title={t('views.remove-title', { name: step.view.name })}
          isOpen
          danger
          onClose={() => setStep(undefined)}
          onConfirm={() => act.mutateAsync({ do: 'remove', id: step.view.id }).then(undefined, () => undefined)}
          confirmLabel={t('views.remove')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('views.remove-text')}</p>
          {act.error && <p role="alert">{describeError(act.error)}</p>}
        </ConfirmDialog>
      )}
    </div>
  )
}

interface ViewMenuProps {
  view: View
  isShown: boolean
  onStep: (step: Step) => void
  onReplace: () => void
}

/** What the viewer may do with a saved report; nothing with those of colleagues, unless they end shared ones. */
function ViewMenu({ view, isShown, onStep, onReplace }: ViewMenuProps) {
  const { t } = useTranslation('reports')
  const { can } = view.meta
  if (!can.update && !can.remove) return null
  return (
    <Menu
      label={t('views.manage', { name: view.name })}
      trigger={<Icon name="chevron-down" />}
      groups={[
        [
          ...(can.update
            ? [
                { id: 'edit', label: t('views.edit'), onAction: () => onStep({ do: 'edit', view }) },
                ...(isShown ? [] : [{ id: 'replace', label: t('views.replace'), onAction: onReplace }]),
                { id: 'links', label: t('views.links'), onAction: () => onStep({ do: 'links', view }) },
              ]
            : []),
          ...(can.remove
            ? [
                {
                  id: 'remove',
                  label: t('views.remove'),
                  icon: 'trash' as const,
                  danger: true,
                  onAction: () => onStep({ do: 'remove', view }),
                },
              ]
            : []),
        ],
      ]}
    />
  )
}
