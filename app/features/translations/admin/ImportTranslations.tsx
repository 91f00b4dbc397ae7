import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useTextNames } from '#app/shell/admin/use-text-names.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { FileField } from '#app/ui/admin/file-field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { IMPORT_OUTCOMES, type ImportedText, type ImportReport, LARGEST_TRANSLATIONS } from '../translation-file.ts'
import { forgetTexts } from '../translations.queries.ts'

class UploadRefusedError extends Error {}

/** Takes in a file from translators: first shows what it would change, then writes it. */
export function ImportTranslations({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('translations')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [file, setFile] = useState<File>()
  const [report, setReport] = useState<ImportReport>()
  const send = useMutation({
    mutationFn: async (write: boolean) => {
      if (!file) throw new UploadRefusedError(t('import.choose'))
      const body = new FormData()
      if (write) body.set('write', '1')
      body.set('file', file)
      const answer = await fetch('/admin/languages/import.json', { method: 'POST', body })
      const result = (await answer.json()) as ImportReport | { error: { title: string } }
      if ('error' in result) throw new UploadRefusedError(result.error.title)
      return result
    },
    onSuccess: async (result) => {
      setReport(result)
      if (result.written) await forgetTexts(queryClient)
    },
  })
  const problem = send.error && (send.error instanceof UploadRefusedError ? send.error.message : t('import.unreachable'))
  const changes = report?.counts.changes ?? 0
  const isOver = report?.written === true
  const submit =
    report && !isOver
      ? { label: t('import.write', { count: changes, number: format.number(changes) }), disabled: changes === 0 }
      : { label: t('import.look'), disabled: file === undefined }
  return (
    <Dialog
      title={t('import.title')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      size="large"
      {...(isOver ? {} : { submit: { ...submit, pending: send.isPending, onSubmit: () => send.mutate(report !== undefined) } })}
    >
      <div className="admin-form">
        {problem && <Notice kind="error" title={problem} />}
        {!isOver && (
          <FileField
            name="file"
            label={t('import.file')}
            hint={t('import.hint', { size: format.bytes(LARGEST_TRANSLATIONS) })}
            button={t('import.choose-file')}
            accept=".xlf,.xliff,.xlsx"
            onChoose={(chosen) => {
              setFile(chosen)
              setReport(undefined)
              send.reset()
            }}
          />
        )}
        {report && (
          <>
            <h3>{t(isOver ? 'import.written' : 'import.would', { language: getLanguageName(report.to) })}</h3>
            <ul>
              {IMPORT_OUTCOMES.filter((outcome) => report.counts[outcome] > 0).map((outcome) => (
                <li key={outcome}>
                  {t(`import.outcomes.${outcome}`, { count: report.counts[outcome], number: format.number(report.counts[outcome]) })}
                </li>
              ))}
            </ul>
            <ImportedTexts texts={report.texts} to={report.to} />
          </>
        )}
      </div>
    </Dialog>
  )
}

const MOST_SHOWN = 200

function ImportedTexts({ texts, to }: { texts: readonly ImportedText[]; to: ImportReport['to'] }) {
  const { t } = useTranslation('translations')
  const format = useFormat()
  const nameText = useTextNames()
  return (
    <ul className="imported-texts">
      {texts.slice(0, MOST_SHOWN).map(({ id, outcome, title, pointer, before, after, reason }) => (
        <li key={id}>
          <strong>
            {title}
            {pointer && `${format.colon}${nameText(pointer)}`}
          </strong>{' '}
          · {t(`import.kinds.${outcome}`)}
          {reason && <p>{reason}</p>}
          {before && (
            <del lang={to} dir={getDirection(to)}>
              {before}
            </del>
          )}{' '}
          <ins lang={to} dir={getDirection(to)}>
            {after}
          </ins>
        </li>
      ))}
      {texts.length > MOST_SHOWN && (
        <li>{t('import.more', { count: texts.length - MOST_SHOWN, number: format.number(texts.length - MOST_SHOWN) })}</li>
      )}
    </ul>
  )
}
