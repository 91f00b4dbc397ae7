import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { changeDeskTexts } from '../translations.functions.ts'
import { forgetTexts } from '../translations.queries.ts'
import { ACT_STATES, type DeskPage, type DeskSearch, TEXT_ACTS, type TextAct } from '../translations.schema.ts'

interface BulkTextsProps {
  page: DeskPage
  search: DeskSearch
  /** Ids of the texts that were chosen; if there are none, all that match are meant. */
  chosen: readonly string[]
  onDone: () => void
}

interface Progress {
  changed: number
  refused: number
  reason: string | null
}

const NOTHING_DONE: Progress = { changed: 0, refused: 0, reason: null }

/** Does the same with the chosen texts, or with all that match, a batch at a time. It can be stopped between two batches. */
export function BulkTexts({ page, search, chosen, onDone }: BulkTextsProps) {
  const { t } = useTranslation('translations')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<TextAct>()
  const [progress, setProgress] = useState<Progress>()
  const isStopped = useRef(false)
  const { state, total, to, from, service } = page
  const count = chosen.length || total
  const run = useMutation({
    mutationFn: async (act: TextAct) => {
      isStopped.current = false
      let done = NOTHING_DONE
      setProgress(done)
      const { text: _text, page: _page, state: _state, ...filters } = search
      let after: string | undefined
      do {
        const ids = chosen.length > 0 ? { ids: [...chosen] } : {}
        const batch = await changeDeskTexts({ data: { act, state, search: { ...filters, to }, ...ids, ...(after ? { after } : {}) } })
        done = { changed: done.changed + batch.changed, refused: done.refused + batch.refused, reason: batch.reason ?? done.reason }
        setProgress(done)
        after = batch.next ?? undefined
      } while (after && !isStopped.current)
    },
    onSettled: async () => {
      onDone()
      await forgetTexts(queryClient)
    },
  })
  const acts = TEXT_ACTS.filter((act) => ACT_STATES[act].includes(state) && (act !== 'machine' || service !== null))
  const values = { count, number: format.number(count), language: getLanguageName(to), from: getLanguageName(from), service: service ?? '' }
  return (
    <div className="bulk-texts">
      {!run.isPending && count > 0 && (
        <div className="row">
          {acts.map((act) => (
            <Button key={act} kind="secondary" size="small" onClick={() => setAsked(act)}>
              {t(`bulk.${act}.${chosen.length > 0 ? 'some' : 'all'}`, values)}
            </Button>
          ))}
        </div>
      )}
      <output>
        {progress && t(run.isPending ? 'bulk.running' : 'bulk.over', { count: progress.changed, number: format.number(progress.changed) })}
        {progress && progress.refused > 0 && (
          <> {t('bulk.refused', { count: progress.refused, number: format.number(progress.refused) })}</>
        )}
        {progress?.reason && <> {progress.reason}</>}
      </output>
      {run.isPending && (
        <Button kind="plain" size="small" onClick={() => (isStopped.current = true)}>
          {t('bulk.stop')}
        </Button>
      )}
      <Refusal error={run.error} />
      {asked && (
        <ConfirmDialog
          title={t(`bulk.${asked}.title`, values)}
          isOpen
          onClose={() => setAsked(undefined)}
          onConfirm={() => {
            run.mutate(asked)
            setAsked(undefined)
            return Promise.resolve()
          }}
          confirmLabel={t(`bulk.${asked}.yes`)}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t(`bulk.${asked}.text`, values)}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
