import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { assigneesQuery, forgetContributions } from '../contributions.queries.ts'

const NOBODY = ''

/** Where a question stands: who answers it and by when; and, once everybody can read the answer, the project's frequently asked questions. */
export function QuestionPanel({ question }: { question: Resource<'contributions'> }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const assignees = useSuspenseQuery(assigneesQuery(question.id)).data
  const { id, assigneeId, frequentlyAsked = false } = question
  const isOpen = question.question === 'asked' || question.question === 'assigned'
  const change = useMutation({
    mutationFn: ({ attributes }: { attributes: { assigneeId?: string | null; frequentlyAsked?: boolean }; done: string }) =>
      api.update('contributions', id, { attributes }),
    onSuccess: (_, { done }) => showToast({ text: done }),
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(change.error)
  const assign = (chosen: string) =>
    change.mutate({
      attributes: { assigneeId: chosen === NOBODY ? null : chosen },
      done: t(chosen === NOBODY ? 'question.unassigned' : 'question.assigned'),
    })
  return (
    <section className="admin-panel admin-stack">
      {faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <p className="row">
        {question.question && (
          <Badge hollow={isOpen} tone={isOpen ? 'neutral' : 'ok'}>
            {t(`question.states.${question.question}`)}
          </Badge>
        )}
        {question.overdue && <Badge tone="bad">{t('question.overdue')}</Badge>}
        {isOpen && question.dueAt && <span>{t('question.due-on', { date: format.date(question.dueAt) })}</span>}
        <span>{t('question.joined', { number: format.number(question.supports) })}</span>
      </p>
      {isOpen && (
        <SelectInput
          name="assigneeId"
          label={t('question.assignee')}
          value={assigneeId ?? NOBODY}
          onChange={assign}
          options={[
            { value: NOBODY, label: t('question.nobody') },
            ...assignees.map((person) => ({ value: person.id, label: person.name })),
          ]}
        />
      )}
      {question.question === 'answered_publicly' && question.state === 'published' && (
        <div className="admin-stack">
          <p>{t('question.faq-text')}</p>
          <div className="row">
            <Button
              kind="secondary"
              pending={change.isPending}
              onClick={() =>
                change.mutate({
                  attributes: { frequentlyAsked: !frequentlyAsked },
                  done: t(frequentlyAsked ? 'question.faq-removed' : 'question.faq-added'),
                })
              }
            >
              {t(frequentlyAsked ? 'question.faq-remove' : 'question.faq')}
            </Button>
          </div>
        </div>
      )}
    </section>
  )
}
