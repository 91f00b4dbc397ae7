import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { WordLists as Lists } from '#app/shell/admin/word-lists.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { forgetContributions, wordListsQuery } from '../contributions.queries.ts'

const NAMES = ['held', 'flagged'] as const

/** The site's word lists, one for each of its languages; only its administrators see and change them. */
export function WordLists() {
  const { t } = useTranslation('moderation-admin')
  const { t: common } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const lists = useSuspenseQuery(wordListsQuery).data.data
  if (lists.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="words-heading">
      <h2 id="words-heading">{t('words.title')}</h2>
      <p>{t('words.about')}</p>
      <Lists
        lists={lists}
        describe={(list) => NAMES.map((name) => t(`words.${name}-count`, { number: format.number(list[name].length) })).join(' · ')}
        canEdit={() => true}
        fields={NAMES.map((name) => ({ name, label: t(`words.${name}`), hint: t(`words.${name}-hint`) }))}
        words={{
          about: t('words.matching'),
          edit: common('common.edit'),
          editTitle: (language) => t('words.edit', { language }),
          save: common('common.save'),
          saved: common('common.saved'),
        }}
        save={(list, attributes) => api.update('moderation-word-lists', list.id, { attributes }, { lockVersion: list.meta.lockVersion })}
        refresh={() => forgetContributions(queryClient)}
      />
    </section>
  )
}
