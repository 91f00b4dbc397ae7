import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Text } from '#app/ui/text.tsx'
import type { LastReceipt } from './last-receipts.schema.ts'

/** The receipts that the browser still holds: each opens by a form, so that its code is in no address. */
export function LastReceipts({ receipts }: { receipts: readonly LastReceipt[] }) {
  const { t } = useTranslation('receipt')
  const format = useFormat()
  return (
    <section aria-labelledby="last-receipts" className="stack no-print">
      <h2 id="last-receipts">{t('last.title')}</h2>
      <p>{t('last.text')}</p>
      <ul className="stack">
        {receipts.map(({ code, title, at }) => (
          <li key={code}>
            <form method="post" className="row">
              <input type="hidden" name="code" value={code} />
              <Button type="submit" kind="secondary">
                <Text words={title} />
              </Button>
              <span className="meta">{t('last.sent', { date: format.date(at) })}</span>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
