import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useFigures } from '#app/shell/admin/use-figures.ts'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { Reach, ReachFigures, ReachPlace, ReachRow, ReachLength } from '../reach.schema.ts'
import { formatPlaceParam } from '../reach.search.ts'
import { useReachFormat } from './use-reach-format.ts'

interface ReachLine extends Omit<ReachFigures, 'engaged'> {
  key: string
  name: ReactNode
  engaged: number | null
}

/** The same figures by department, topic, language, source, campaign and project. */
export function ReachTables({ reach, days }: { reach: Reach; days: ReachLength | undefined }) {
  const { t } = useTranslation('reach')
  const createLineMapper = (name: (row: ReachRow) => ReactNode) => (row: ReachRow) => ({ ...row, key: row.id, name: name(row) })
  const createLinkedMapper = (kind: ReachPlace['kind']) =>
    createLineMapper((row) => (
      <Link to="/admin/reports/reach" search={{ place: formatPlaceParam({ kind, id: row.id }), ...(days ? { days } : {}) }}>
        {row.title}
      </Link>
    ))
  const sources: ReachLine[] = [
    ...reach.sources.map((row) => ({ ...row, key: row.source, name: t(`sources.${row.source}`), engaged: null })),
    ...(reach.uncounted > 0
      ? [
          {
            key: 'uncounted',
            name: t('sources.uncounted'),
            aware: reach.uncounted,
            informed: reach.totals.informed - reach.sources.reduce((sum, { informed }) => sum + informed, 0),
            engaged: null,
          },
        ]
      : []),
  ]
  return (
    <>
      {reach.hubs.length > 0 && <ReachLines title={t('by-hub')} head={t('hub')} lines={reach.hubs.map(createLinkedMapper('hub'))} />}
      <div className="reach-tables">
        {reach.topics.length > 0 && (
          <ReachLines title={t('by-topic')} head={t('topic')} lines={reach.topics.map(createLineMapper((row) => row.title))} />
        )}
        <ReachLines
          title={t('by-language')}
          head={t('language')}
          lines={reach.languages.map((row) => ({ ...row, key: row.language, name: getLanguageName(row.language) }))}
        />
        <ReachLines title={t('by-source')} note={t('source-note')} head={t('source')} lines={sources} withoutEngaged />
        <ReachLines
          title={t('by-campaign')}
          note={t('campaign-note')}
          head={t('campaign')}
          lines={reach.campaigns.map((row) => ({ ...row, key: row.campaign, name: row.campaign, engaged: null }))}
          withoutEngaged
        />
      </div>
      {reach.place.kind !== 'project' && (
        <ReachLines
          title={t('by-project')}
          head={t('project')}
          lines={reach.projects.map(createLinkedMapper('project'))}
          empty={<NoProjects />}
        />
      )}
    </>
  )
}

function NoProjects() {
  const { t } = useTranslation('reach')
  return <EmptyState title={t('none-projects')}>{t('none-projects-text')}</EmptyState>
}

interface ReachLinesProps {
  title: string
  note?: string
  head: string
  lines: readonly ReachLine[]
  withoutEngaged?: boolean
  empty?: ReactNode
}

function ReachLines({ title, note, head, lines, withoutEngaged = false, empty }: ReachLinesProps) {
  const { t } = useTranslation('reach')
  const describe = useFigures()
  const format = useReachFormat()
  const createColumn = (id: 'aware' | 'informed' | 'engaged'): Column<ReachLine> => ({
    id,
    head: describe(id).name,
    align: 'end',
    cell: (row) => (row[id] === null ? '–' : format.number(row[id])),
  })
  return (
    <section className="reach-lines">
      <h2>{title}</h2>
      {note && <p className="meta">{note}</p>}
      <DataTable
        caption={title}
        columns={[
          { id: 'name', head, names: true, cell: (row) => row.name },
          createColumn('aware'),
          createColumn('informed'),
          ...(withoutEngaged ? [] : [createColumn('engaged')]),
        ]}
        rows={lines}
        rowKey={(row) => row.key}
        loadingLabel={t('loading')}
        empty={empty ?? <p className="meta">{t('none')}</p>}
      />
    </section>
  )
}
