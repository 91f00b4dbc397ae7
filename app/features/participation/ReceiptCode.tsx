import { useHydrated } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

interface ReceiptCodeProps {
  /** Null on the page of an account, which needs none. */
  code: string | null
  /** What it is good for. */
  keep: string
  /** The full URL at which codes are looked up. */
  address: string
  /** Below it: emailing it. */
  children?: ReactNode
}

/** The code of a receipt, to be copied, printed or emailed. Copying and printing need a script and are hidden without one. */
export function ReceiptCode({ code, keep, address, children }: ReceiptCodeProps) {
  const { t } = useTranslation('receipt')
  if (code === null) return <p className="meta">{t('by-account')}</p>
  return (
    <>
      <p className="receipt-code">
        <span className="visually-hidden">{t('code')}: </span>
        <code>{code}</code>
      </p>
      <ReceiptTools code={code} />
      <p>{keep}</p>
      <p className="meta receipt-where">{t('where', { address: address.replace(/^https?:\/\//, '') })}</p>
      {children}
    </>
  )
}

function ReceiptTools({ code }: { code: string }) {
  const { t } = useTranslation('receipt')
  const ready = useHydrated()
  const [copied, setCopied] = useState(false)
  if (!ready) return null
  const copyCode = async () => {
    await navigator.clipboard.writeText(code)
    setCopied(true)
  }
  return (
    <p className="row receipt-tools no-print">
      {'clipboard' in navigator && (
        <Button type="button" kind="secondary" size="small" onClick={() => void copyCode()}>
          {t('copy')}
        </Button>
      )}
      <Button type="button" kind="secondary" size="small" onClick={() => window.print()}>
        {t('print')}
      </Button>
      <output>
        {copied && (
          <>
            <Icon name="check" /> {t('copied')}
          </>
        )}
      </output>
    </p>
  )
}
