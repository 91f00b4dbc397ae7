import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NOTE_READERS, type NoteReader } from '#app/lib/vocabulary/accounts.ts'
import { TeamNotes } from '#app/shell/admin/team-notes.tsx'
import { api } from '#app/shell/api.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PERSON_NOTES, personNotesQuery } from '../people.queries.ts'

interface NoteInput {
  body: string
  readBy: NoteReader
}

/** What the team notes about a person. Needs `personNotesQuery`. */
export function PersonNotes({ id }: { id: string }) {
  const { t } = useTranslation('people')
  const queryClient = useQueryClient()
  const notes = useSuspenseQuery(personNotesQuery(id)).data.data
  return (
    <TeamNotes<NoteInput>
      notes={notes}
      about={t('notes.about')}
      blank={{ body: '', readBy: 'people-managers' }}
      describe={({ readBy }) => t(`notes.readers.${readBy}`)}
      renderFields={(draft, change, name) => (
        <SelectInput<NoteReader>
          name={`${name}-readers`}
          label={t('notes.readBy')}
          value={draft.readBy}
          onChange={(readBy) => change({ ...draft, readBy })}
          options={NOTE_READERS.map((value) => ({ value, label: t(`notes.readers.${value}`) }))}
        />
      )}
      save={({ body, readBy }, before) =>
        before
          ? api.update('person-notes', before.id, { attributes: { body, readBy } }, { lockVersion: before.meta.lockVersion })
          : api.create('person-notes', { attributes: { body, readBy }, relationships: { user: { type: 'users', id } } })
      }
      remove={(note) => api.remove('person-notes', note)}
      refresh={() => queryClient.invalidateQueries({ queryKey: PERSON_NOTES })}
    />
  )
}
