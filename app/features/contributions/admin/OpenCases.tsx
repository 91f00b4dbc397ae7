import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { isOverdue, openCasesQuery } from '../contributions.queries.ts'

/** Why moderators should look at a contribution or at replies to it, and until when. Nothing if no case is open. */
export function OpenCases({ contribution }: { contribution: string }) {
  const { t } = useTranslation('moderation-admin')
  const format = useFormat()
  const cases = useSuspenseQuery(openCasesQuery(contribution)).data.data
  if (cases.length === 0) return null
  return (
    <section className="admin-panel" aria-labelledby="open-cases">
      <h2 id="open-cases">{t('cases.to-look-at')}</h2>
      {cases.map(({ id, openedBy, state, reports, heldUntil, dueAt, assigneeName, relationships: { reply } }) => (
        <DefinitionList
          key={id}
          items={[
            {
              term: t('cases.why'),
              value: (
                <>
                  <Badge tone={openedBy === 'before' ? 'neutral' : 'warn'}>{t(`cases.openings.${openedBy}`)}</Badge>
                  {reply && ` ${t('reports.reply')}`}
                  {reports > 0 && ` ${t('reports.count', { count: reports, number: format.number(reports) })}`}
                  {heldUntil && ` ${t('reports.held', { date: format.dateTime(heldUntil) })}`}
                </>
              ),
            },
            {
              term: t('cases.due'),
              value: (
                <>
                  {format.dateTime(dueAt)} {isOverdue({ dueAt, state }) && <Badge tone="bad">{t('cases.overdue')}</Badge>}
                </>
              ),
            },
            { term: t('cases.assignee'), value: assigneeName ?? t('cases.nobody') },
          ]}
        />
      ))}
    </section>
  )
}
