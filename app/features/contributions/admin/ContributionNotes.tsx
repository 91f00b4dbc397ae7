import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TeamNotes } from '#app/shell/admin/team-notes.tsx'
import { api } from '#app/shell/api.ts'
import { forgetContributions, notesQuery } from '../contributions.queries.ts'

/** What the team notes about a contribution, for itself. Needs `notesQuery`. */
export function ContributionNotes({ contribution }: { contribution: string }) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const notes = useSuspenseQuery(notesQuery(contribution)).data.data
  return (
    <TeamNotes
      notes={notes}
      about={t('notes.about')}
      blank={{ body: '' }}
      save={({ body }, before) =>
        before
          ? api.update('contribution-notes', before.id, { attributes: { body } }, { lockVersion: before.meta.lockVersion })
          : api.create('contribution-notes', {
              attributes: { body },
              relationships: { contribution: { type: 'contributions', id: contribution } },
            })
      }
      remove={(id) => api.remove('contribution-notes', id)}
      refresh={() => forgetContributions(queryClient)}
    />
  )
}
