import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { useFormat } from '../use-format.ts'

interface PageButtonsProps {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
}

/** Turns the pages of a list inside a screen, where the page is not kept in the address. Renders nothing if all rows fit on one page. */
export function PageButtons({ page, size, total, onPage }: PageButtonsProps) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  if (total <= size) return null
  return (
    <div className="row">
      <Button type="button" kind="secondary" size="small" disabled={page === 1} onClick={() => onPage(page - 1)}>
        {t('pages.previous')}
      </Button>
      <span className="meta">
        {t('pages.range', {
          from: format.number((page - 1) * size + 1),
          to: format.number(Math.min(total, page * size)),
          total: format.number(total),
        })}
      </span>
      <Button type="button" kind="secondary" size="small" disabled={page * size >= total} onClick={() => onPage(page + 1)}>
        {t('pages.next')}
      </Button>
    </div>
  )
}
