import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { deskEntryQuery } from '../contributions.queries.ts'
import type { DeskSearch } from '../desk/desk-search.ts'

/** Previous and next in the list from which a contribution was opened, also by the keys K and J, and its public page. */
export function DeskSteps({ id, search }: { id: string; search: DeskSearch }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const { neighbours, path } = useSuspenseQuery(deskEntryQuery(id, search)).data
  const { previous, next, place, total } = neighbours
  const look = getButtonClass({ kind: 'secondary' })
  return (
    <>
      {place !== null && <span className="meta">{t('desk.place', { number: format.number(place), all: format.number(total) })}</span>}
      {previous && (
        <Link className={look} to="/admin/contributions/$id" params={{ id: previous }} search={search} rel="prev" aria-keyshortcuts="k">
          {t('desk.previous')} <kbd aria-hidden="true">K</kbd>
        </Link>
      )}
      {next && (
        <Link className={look} to="/admin/contributions/$id" params={{ id: next }} search={search} rel="next" aria-keyshortcuts="j">
          {t('desk.next')} <kbd aria-hidden="true">J</kbd>
        </Link>
      )}
      {path && (
        <a className={look} href={toLocalHref(path)}>
          {t('desk.public-page')}
        </a>
      )}
    </>
  )
}
