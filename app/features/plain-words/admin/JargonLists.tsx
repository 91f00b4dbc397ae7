import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { jargonListsQuery } from '#app/shell/admin/plain-words/jargon-lists.queries.ts'
import { WordLists } from '#app/shell/admin/word-lists.tsx'
import { api } from '#app/shell/api.ts'

/** The words that editors point out in public texts, one list for each language of the site; site administrators change them. */
export function JargonLists() {
  const { t } = useTranslation('plain-words')
  const queryClient = useQueryClient()
  const lists = useSuspenseQuery(jargonListsQuery).data.data
  return (
    <section className="admin-stack jargon-lists" aria-labelledby="jargon-heading">
      <h2 id="jargon-heading">{t('lists.title')}</h2>
      <p>{t('lists.about')}</p>
      <WordLists
        lists={lists}
        describe={({ entries }) => t('lists.entries', { count: entries.length })}
        canEdit={({ meta }) => meta.can.update}
        fields={[{ name: 'entries', label: t('lists.words'), hint: t('lists.matching') }]}
        words={{
          edit: t('lists.change'),
          editTitle: (language) => t('lists.edit', { language }),
          save: t('lists.save'),
          saved: t('lists.saved'),
        }}
        save={(list, attributes) => api.update('jargon-lists', list.id, { attributes }, { lockVersion: list.meta.lockVersion })}
        refresh={() => queryClient.invalidateQueries({ queryKey: jargonListsQuery.queryKey })}
      />
    </section>
  )
}
