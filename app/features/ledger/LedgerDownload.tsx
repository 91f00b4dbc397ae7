import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getButtonClass } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** The file of a ledger. */
export interface LedgerFile {
  path: string
  name: string
  /** Names of further files that are checked with it. */
  others?: readonly string[]
}

/** The command that checks a ledger, and the file that it needs. @param children buttons before the one that downloads it */
export function LedgerDownload({ file: { path, name, others = [] }, children }: { file: LedgerFile; children?: ReactNode }) {
  const { t } = useTranslation('ledger')
  return (
    <>
      <p>{t('machine')}</p>
      <code className="ledger-command">{['parley verify', name, ...others].join(' ')}</code>
      <p className="row">
        {children}
        <a className={getButtonClass({ kind: 'secondary' })} href={path} download={name}>
          <Icon name="download" /> {t('download')}
        </a>
      </p>
    </>
  )
}
