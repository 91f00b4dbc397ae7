import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ImportPopulation } from './ImportPopulation.tsx'
import { populationsQuery } from './populations.queries.ts'

export type PopulationDocument = Resource<'reference-populations'>

/** Census tables, one for each question about people that has one answer. */
export function PopulationsPage() {
  const { t } = useTranslation('populations')
  const queryClient = useQueryClient()
  const populations = useSuspenseQuery(populationsQuery).data
  const [importing, setImporting] = useState<PopulationDocument>()
  const remove = useMutation({
    mutationFn: ({ id, meta }: PopulationDocument) =>
      api.update('reference-populations', id, { attributes: { cells: [] } }, { lockVersion: meta.lockVersion }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: populationsQuery.queryKey }),
  })
  const { faults } = useEditorTexts(remove.error)
  return (
    <>
      <PageHeader title={t('title')} meta={<Link to="/admin/people/questions">{t('questions')}</Link>} />
      <div className="admin-stack">
        <p>{t('about')}</p>
        {faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        {populations.length === 0 && <EmptyState title={t('none')}>{t('none-text')}</EmptyState>}
        <ul className="admin-list">
          {populations.map((population) => {
            const { id, label, cells, source, year, licence, meta } = population
            const hasTable = cells.length > 0
            return (
              <li key={id} className="admin-panel">
                <div className="grid w-full gap-2">
                  <strong>{label}</strong>
                  <p className="meta">
                    {hasTable ? [t('rows', { count: cells.length }), source, year, licence].join(' · ') : t('no-table')}
                  </p>
                  {meta.can.update && (
                    <div className="row">
                      <Button
                        kind="plain"
                        size="small"
                        aria-label={t(hasTable ? 'replace-named' : 'upload-named', { name: label })}
                        onClick={() => setImporting(population)}
                      >
                        {t(hasTable ? 'replace' : 'upload')}
                      </Button>
                      {hasTable && (
                        <Button
                          kind="plain"
                          size="small"
                          pending={remove.isPending}
                          aria-label={t('remove-named', { name: label })}
                          onClick={() => remove.mutate(population)}
                        >
                          {t('remove')}
                        </Button>
                      )}
                    </div>
                  )}
                </div>
              </li>
            )
          })}
        </ul>
      </div>
      {importing && <ImportPopulation population={importing} onClose={() => setImporting(undefined)} />}
    </>
  )
}
