import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFaultTexts } from './use-fault-texts.ts'
import { ConfirmDialog, Dialog } from '#app/ui/admin/dialog.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import { useFormat } from './use-format.ts'

interface BulkDialogProps<Row> {
  rows: readonly Row[]
  nameOf: (row: Row) => string
  /** Why this row is known in advance to be impossible, if it is. */
  refuse: (row: Row) => string | undefined
  /** Performs the action on one row. A thrown error or a returned sentence says why it failed. */
  act: (row: Row) => Promise<string | void>
  /** "Publish 3 projects?" */
  title: (count: number) => string
  /** Explains the consequences. */
  text: string
  confirmLabel: string
  /** "3 projects published". Left out if `onEnd` tells the result. */
  done?: (count: number) => string
  danger?: boolean
  /** False as long as a choice is missing, for example. */
  ready?: boolean
  /** Called after the last row, with the rows that failed. */
  onEnd: (failed: readonly Row[]) => void
  onClose: () => void
  /** Extra fields. */
  children?: ReactNode
}

interface Outcome {
  done: number
  failed: readonly { name: string; why: string }[]
}

/**
 * Confirms a bulk action in an admin table and reports the result. Rows are sent through the API one by one, so that each is authorised and
 * audited on its own; failures are listed at the end and do not stop the others.
 */
export function BulkDialog<Row>(props: BulkDialogProps<Row>) {
  const { rows, nameOf, refuse, act, title, text, confirmLabel, done, danger = false, ready = true, onEnd, onClose, children } = props
  const { t } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const [progress, setProgress] = useState<{ at: number; of: number }>()
  const [outcome, setOutcome] = useState<Outcome>()
  const judged = rows.map((row) => ({ row, why: refuse(row) }))
  const fit = judged.flatMap(({ row, why }) => (why === undefined ? [row] : []))
  const unfit = judged.flatMap(({ row, why }) => (why === undefined ? [] : [{ name: nameOf(row), why }]))

  const actOnRows = async () => {
    const failed: { row: Row; why: string }[] = []
    for (const [at, row] of fit.entries()) {
      setProgress({ at, of: fit.length })
      try {
        const why = await act(row)
        if (why !== undefined) failed.push({ row, why })
      } catch (error) {
        failed.push({ row, why: describeError(error) })
      }
    }
    const count = fit.length - failed.length
    onEnd(failed.map(({ row }) => row))
    if (failed.length === 0) {
      if (done) showToast({ text: done(count) })
      onClose()
    } else setOutcome({ done: count, failed: failed.map(({ row, why }) => ({ name: nameOf(row), why })) })
  }

  if (outcome) {
    return (
      <Dialog
        title={t('bulk.partly', { done: format.number(outcome.done), total: format.number(outcome.done + outcome.failed.length) })}
        isOpen
        onClose={onClose}
        closeLabel={t('nav.close-dialog')}
        actions={<Button onClick={onClose}>{t('nav.close-dialog')}</Button>}
      >
        <Notice kind="warning" title={t('bulk.failed')}>
          <NamedReasons items={outcome.failed} />
        </Notice>
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={title(fit.length)}
      isOpen
      danger={danger}
      onClose={onClose}
      onConfirm={actOnRows}
      confirmLabel={confirmLabel}
      cancelLabel={t('confirm.cancel')}
      confirmDisabled={!ready || fit.length === 0}
    >
      <p>{text}</p>
      {fit.length > 0 && <p className="meta">{format.list(fit.map(nameOf))}</p>}
      {children}
      {unfit.length > 0 && (
        <Notice kind="warning" title={t('bulk.left-out')}>
          <NamedReasons items={unfit} />
        </Notice>
      )}
      {progress && (
        <ProgressBar
          label={t('bulk.progress', { at: format.number(progress.at), of: format.number(progress.of) })}
          value={progress.at}
          max={progress.of}
        />
      )}
    </ConfirmDialog>
  )
}

function NamedReasons({ items }: { items: readonly { name: string; why: string }[] }) {
  return (
    <ul>
      {items.map(({ name, why }, index) => (
        <li key={index}>
          <strong>{name}</strong> {why}
        </li>
      ))}
    </ul>
  )
}
