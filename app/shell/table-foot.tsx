import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Pagination } from '#app/ui/pagination.tsx'
import { useFormat } from './use-format.ts'

interface TableFootProps {
  total: number
  page: number
  size: number
  link: ComponentProps<typeof Pagination>['link']
}

/** Position and pagination below a long admin table. Renders nothing if all rows fit on one page. */
export function TableFoot({ total, page, size, link }: TableFootProps) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  if (total <= size) return null
  return (
    <Pagination
      label={t('pages.label')}
      page={page}
      pages={Math.ceil(total / size)}
      previous={t('pages.previous')}
      next={t('pages.next')}
      pageLabel={(number) => t('pages.page', { number })}
      count={t('pages.range', {
        from: format.number((page - 1) * size + 1),
        to: format.number(Math.min(total, page * size)),
        total: format.number(total),
      })}
      link={link}
    />
  )
}
